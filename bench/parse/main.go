// Parse measures the grammars on real trees: source per CPU-second, files that
// fall back to patterns, and how far symbols agree with universal-ctags.
//
//	go run ./bench/parse DIR…
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/bench/usage"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/reader"
	"github.com/ragnav/ragnav/internal/repo/filekind"
	"github.com/ragnav/ragnav/internal/treesitter"
)

func main() {
	fmt.Println("| tree | language | files | MB | MB/CPU-s | with references | outline by patterns | fallback | symbols " +
		"| ctags finds | found of these | lines equal |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|---|")
	for _, dir := range os.Args[1:] {
		if err := measure(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// measure prints a row for each language of a tree with enough source.
func measure(dir string) error {
	byLanguage := map[string][]parse.File{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text, ok := parse.Decode(data)
		language := filekind.Of(path, data).Language
		if ok && treesitter.Speaks(language) {
			byLanguage[language] = append(byLanguage[language], parse.File{Path: path, Language: language, Text: text})
		}
		return nil
	})
	if err != nil {
		return err
	}
	for language, files := range byLanguage {
		if size(files) > 300_000 {
			if err := row(filepath.Base(dir), language, files); err != nil {
				return err
			}
		}
	}
	return nil
}

func size(files []parse.File) (n int) {
	for _, f := range files {
		n += len(f.Text)
	}
	return n
}

func row(tree, language string, files []parse.File) error {
	p := treesitter.New()
	outlines := make([]parse.Outline, len(files))
	fallback, symbols := 0, 0
	run := func(want parse.Want) float64 {
		fallback, symbols = 0, 0
		return perCPUSecond(files, func(i int) {
			var err error
			if treesitter.Guard(files[i].Text) != "" {
				fallback++
			} else if outlines[i], err = p.Outline(files[i], want); err != nil {
				fallback++
			}
			symbols += len(outlines[i].Symbols)
		})
	}
	for _, want := range []parse.Want{parse.WantSymbols, parse.WantReferences} { // compiles the queries
		if _, err := p.Outline(parse.File{Path: "a", Language: language, Text: "\n"}, want); err != nil {
			return err
		}
	}
	references, plain := run(parse.WantReferences), run(parse.WantSymbols)
	patterns := perCPUSecond(files, func(i int) { reader.Parse(files[i]) })
	a, err := agree(files, outlines)
	if err != nil {
		return err
	}
	fmt.Printf("| %s | %s | %d | %.1f | %.1f | %.1f | %.1f | %d | %d | %d | %.1f%% | %.1f%% |\n", tree, language,
		len(files), float64(size(files))/1e6,
		plain, references, patterns, fallback, symbols, a.ctags, percent(a.found, a.ctags), percent(a.lines, a.found))
	for _, kind := range slices.Sorted(mapKeys(a.missed)) {
		fmt.Fprintf(os.Stderr, "%s %s misses %d %s: %s\n", tree, language, len(a.missed[kind]), kind,
			strings.Join(a.missed[kind][:min(4, len(a.missed[kind]))], ", "))
	}
	return nil
}

func mapKeys(m map[string][]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func percent(a, b int) float64 { return 100 * float64(a) / float64(max(b, 1)) }

// perCPUSecond is how many megabytes of the files are worked on in a second of
// the process's CPU time.
func perCPUSecond(files []parse.File, work func(i int)) float64 {
	start := usage.CPU()
	for i := range files {
		work(i)
	}
	return float64(size(files)) / 1e6 / (usage.CPU() - start).Seconds()
}

type agreement struct {
	ctags, found, lines int
	missed              map[string][]string // by kind
}

// compared are the kinds of ctags that have a counterpart among the symbols.
var compared = map[string]bool{
	"class": true, "function": true, "method": true, "member": true, "interface": true, "struct": true, "enum": true,
	"generator": true,
	"alias":     true, "typedef": true, "trait": true, "implementation": false, "module": true, "macro": true,
	"union": true, "annotation": true,
}

type tag struct {
	Name, Path, Kind string
	Line             int
}

// agree looks up what universal-ctags finds of the compared kinds.
func agree(files []parse.File, outlines []parse.Outline) (agreement, error) {
	a := agreement{missed: map[string][]string{}}
	at := map[string]int{}
	var list strings.Builder
	for i, f := range files {
		at[f.Path] = i
		list.WriteString(f.Path + "\n")
	}
	cmd := exec.CommandContext(context.Background(), "ctags", "--output-format=json", "--fields=+nK", "-L", "-", "-o", "-")
	cmd.Stdin = strings.NewReader(list.String())
	out, err := cmd.Output()
	if err != nil {
		return a, fmt.Errorf("universal-ctags: %w", err)
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var t tag
		if json.Unmarshal(lines.Bytes(), &t) != nil || !compared[t.Kind] || strings.HasPrefix(t.Name, "__anon") ||
			strings.HasPrefix(strings.ToLower(t.Name), "anonymous") {
			continue
		}
		if i, ok := at[t.Path]; ok && treesitter.Guard(files[i].Text) == "" {
			a.count(t, outlines[i].Symbols)
		}
	}
	return a, lines.Err()
}

func (a *agreement) count(t tag, symbols []parse.Symbol) {
	if ext := filepath.Ext(t.Path); t.Kind == "member" && ext != ".py" {
		return // fields
	}
	a.ctags++
	named, within := false, false
	for _, s := range symbols {
		if s.Name == t.Name {
			named = true
			within = within || s.StartLine <= t.Line && t.Line <= s.EndLine
		}
	}
	if named {
		a.found++
	} else {
		a.missed[t.Kind] = append(a.missed[t.Kind], fmt.Sprintf("%s %s:%d", t.Name, filepath.Base(t.Path), t.Line))
	}
	if within {
		a.lines++
	}
}
