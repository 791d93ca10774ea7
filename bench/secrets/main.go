// Command secrets measures the rules of internal/redact: what they mask in
// folders of real code, place by place, to be looked at by people; and what they
// miss of what gitleaks finds, in a report of it or in samples made from its
// rules (bench/secrets/reference).
//
//	go run ./bench/secrets [-show] [-report gitleaks.json] folder…
//	go run ./bench/secrets -samples samples.tsv
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/redact"
	"github.com/ragnav/ragnav/internal/repo/filekind"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

func main() {
	show := flag.Bool("show", false, "print each masked place")
	report := flag.String("report", "", "a JSON report of gitleaks on the same folder")
	samples := flag.String("samples", "", "lines of rule, tab, quoted text")
	flag.Parse()
	var err error
	switch {
	case *samples != "":
		err = compareSamples(*samples)
	case *report != "":
		err = compareReport(*report)
	}
	for _, folder := range flag.Args() {
		if err == nil {
			err = measure(folder, *show)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// measure counts what is masked in the text files of a folder that would be
// indexed by name and content.
func measure(folder string, show bool) error {
	files, size, masked := 0, 0, 0
	rules := map[string]int{}
	err := filepath.WalkDir(folder, func(file string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, ok := textOf(file)
		if !ok {
			return nil
		}
		files++
		size += len(text)
		for _, m := range redact.Find(text) {
			masked++
			rules[m.Rule]++
			if show {
				fmt.Printf("%s:%d: %s: %.120q\n", file, 1+strings.Count(text[:m.Start], "\n"), m.Rule, text[m.Start:m.End])
			}
		}
		return nil
	})
	fmt.Printf("%s: %d files, %.1f MB, %d masked", folder, files, float64(size)/1e6, masked)
	for _, rule := range slices.Sorted(maps.Keys(rules)) {
		fmt.Printf(", %s %d", rule, rules[rule])
	}
	fmt.Println()
	return err
}

// textOf is the text of a file as an index run has it; false for files that it
// would leave out.
func textOf(file string) (string, bool) {
	if _, secret := filekind.Secret(filepath.ToSlash(file)); secret {
		return "", false
	}
	data, err := os.ReadFile(file) //nolint:gosec // the folders are the arguments
	if err != nil || len(data) > listing.DefaultMaxFileSize {
		return "", false
	}
	if reason, _ := filekind.Examine(data); reason != "" {
		return "", false
	}
	return parse.Decode(data)
}

// A leak is a finding in a report of gitleaks.
type leak struct {
	RuleID, File, Secret string
	StartLine            int
}

// compareReport tells which findings of gitleaks stay visible.
func compareReport(file string) error {
	data, err := os.ReadFile(file) //nolint:gosec // an argument
	if err != nil {
		return err
	}
	var leaks []leak
	if err := json.Unmarshal(data, &leaks); err != nil {
		return err
	}
	var t tally
	for _, l := range leaks {
		text, ok := textOf(l.File)
		hidden := !ok
		if ok {
			masked, _ := redact.Text(text)
			hidden = strings.Count(masked, l.Secret) < strings.Count(text, l.Secret)
		}
		t.add(l.RuleID, hidden)
		if !hidden {
			fmt.Printf("visible: %s:%d: %s: %.100q\n", l.File, l.StartLine, l.RuleID, l.Secret)
		}
	}
	t.print()
	return nil
}

// compareSamples tells how many samples of each rule of gitleaks are masked.
func compareSamples(file string) error {
	f, err := os.Open(file) //nolint:gosec // an argument
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	var t tally
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		rule, quoted, _ := strings.Cut(lines.Text(), "\t")
		var text string
		if err := json.Unmarshal([]byte(quoted), &text); err != nil {
			return fmt.Errorf("%s: %w", rule, err)
		}
		t.add(rule, len(redact.Find(text)) > 0)
	}
	t.print()
	return lines.Err()
}

// A tally counts hits by rule.
type tally map[string]*struct{ hits, all int }

func (t *tally) add(rule string, hit bool) {
	if *t == nil {
		*t = tally{}
	}
	if (*t)[rule] == nil {
		(*t)[rule] = new(struct{ hits, all int })
	}
	(*t)[rule].all++
	if hit {
		(*t)[rule].hits++
	}
}

func (t tally) print() {
	hits, all, whole := 0, 0, 0
	rules := slices.SortedFunc(maps.Keys(t), func(a, b string) int {
		return cmp.Or(cmp.Compare(float64(t[a].hits)/float64(t[a].all), float64(t[b].hits)/float64(t[b].all)),
			strings.Compare(a, b))
	})
	for _, rule := range rules {
		n := t[rule]
		hits, all = hits+n.hits, all+n.all
		if n.hits == n.all {
			whole++
			continue
		}
		fmt.Printf("%-45s %d of %d\n", rule, n.hits, n.all)
	}
	fmt.Printf("masked %d of %d; all of %d of %d rules\n", hits, all, whole, len(rules))
}
