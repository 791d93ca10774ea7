// Command dump writes what the graph knows of a folder as JSON, to be compared
// with what a language's own tools say.
//
//	go run ./bench/graph/dump [-untyped] DIR EXTENSION...
//
// With -untyped it acts as if no receiver's type were known, to measure the
// tiers D to F.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/ragnav/ragnav/bench/usage"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/lexical"
	"github.com/ragnav/ragnav/internal/nav/project"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/nav/resolve/languages"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/repo/filekind"
	"github.com/ragnav/ragnav/internal/treesitter"
)

type dumped struct {
	Symbols []symbol
	Uses    []use
	Stats   map[string]float64
}

type symbol struct {
	Path, Name, Qualified, Kind string
	Line, Column                int
	Bases                       []int // what it is made from, as it is declared
}

type use struct {
	Path         string
	Line, Column int
	Name, Kind   string
	Of           string
	Arguments    string
	Targets      []int
	Tier         string
	External     bool
	Dispatched   []int // what it may reach through types of elsewhere
	Undecided    []int // and what it is not known of
}

func main() {
	untyped := flag.Bool("untyped", false, "forget what receivers are")
	flag.Parse()
	if flag.NArg() < 2 {
		fmt.Fprintln(os.Stderr, "usage: dump [-untyped] DIR EXTENSION...; an extension begins with a dot")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), flag.Args()[1:], *untyped); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func cpu() float64 { return usage.CPU().Seconds() }

func run(dir string, extensions []string, untyped bool) error {
	files, bytes, err := read(dir, extensions)
	if err != nil {
		return err
	}
	if untyped {
		forget(files)
	}
	extracted := cpu()
	w := resolve.NewMemory(files)
	r := resolve.New(w, languages.All())
	out := dumped{Stats: map[string]float64{
		"files": float64(w.Len()), "bytes": float64(bytes),
		"extract CPU s": extracted,
	}}
	index := map[resolve.SymbolID]int{}
	for f := range w.Len() {
		file := w.File(resolve.FileID(f))
		for i, s := range file.Symbols {
			index[resolve.SymbolID{File: resolve.FileID(f), Index: int32(i)}] = len(out.Symbols)
			out.Symbols = append(out.Symbols, symbol{file.Path, s.Name, s.Qualified, s.Kind, s.Line, s.Column, nil})
		}
	}
	for id, i := range index {
		for _, b := range r.Bases(id) {
			for _, t := range b.Targets {
				out.Symbols[i].Bases = append(out.Symbols[i].Bases, index[t])
			}
		}
	}
	addUses(&out, w, r, index)
	out.Stats["resolve CPU s"] = cpu() - extracted
	stats, err := json.Marshal(out.Stats)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%s\n", stats)
	return json.NewEncoder(os.Stdout).Encode(out)
}

// addUses adds what each name stands for.
func addUses(out *dumped, w *resolve.Memory, r *resolve.Resolver, index map[resolve.SymbolID]int) {
	for f := range w.Len() {
		file := w.File(resolve.FileID(f))
		for i, res := range r.Refs(resolve.FileID(f)) {
			ref := file.Refs[i]
			u := use{
				Path: file.Path, Line: ref.Line, Column: ref.Column, Name: ref.Name, Kind: string(ref.Kind),
				Of: ref.Of.String(), Arguments: ref.Arguments, External: res.External,
			}
			if res.Tier != 0 {
				u.Tier = string(rune(res.Tier))
			}
			if len(res.Targets) == 0 {
				reach(out, &u, r.Dispatched(resolve.FileID(f), i).Targets, unsure(w, r, resolve.FileID(f), i), index)
			}
			out.Stats["refs"]++
			for _, t := range res.Targets {
				u.Targets = append(u.Targets, index[t])
			}
			switch {
			case len(res.Targets) > 0:
				out.Stats["tier "+u.Tier]++
			case res.External:
				out.Stats["external"]++
			default:
				out.Stats["unresolved"]++
			}
			out.Uses = append(out.Uses, u)
		}
	}
}

// reach notes what a use may reach through types of other modules, or else of what it is not known.
func reach(out *dumped, u *use, reached, unsure []resolve.SymbolID, index map[resolve.SymbolID]int) {
	for _, t := range reached {
		u.Dispatched = append(u.Dispatched, index[t])
	}
	switch {
	case len(reached) > 0:
		out.Stats["dispatched"]++
	case len(unsure) > 0:
		out.Stats["undecided"]++
		for _, t := range unsure {
			u.Undecided = append(u.Undecided, index[t])
		}
	}
}

// unsure are the methods of which it is not known whether a reference may reach them so.
func unsure(w resolve.World, r *resolve.Resolver, f resolve.FileID, i int) []resolve.SymbolID {
	undecided := r.UndecidedAt(f, i)
	return slices.DeleteFunc(slices.Clone(w.Defs(w.File(f).Refs[i].Name)), func(id resolve.SymbolID) bool {
		return !undecided(id)
	})
}

// forget takes away what is known of receivers.
func forget(files []facts.File) {
	for f := range files {
		for i := range files[f].Refs {
			if r := &files[f].Refs[i]; r.Of != facts.Nothing && r.Kind != facts.Imported {
				r.Of, r.Bare = facts.Nothing, false
			}
		}
	}
}

// read extracts the facts of the files below a folder.
func read(dir string, extensions []string) (files []facts.File, bytes int, err error) {
	parser := treesitter.New()
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == "node_modules" || name == ".git" {
				return filepath.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		wanted := slices.Contains(extensions, filepath.Ext(path))
		if !wanted && !project.Knows(rel) {
			return nil
		}
		text, err := os.ReadFile(path) //nolint:gosec // what the user names
		if err != nil {
			return nil //nolint:nilerr // a broken link
		}
		if f, ok := project.Facts(filepath.ToSlash(rel), string(text)); ok {
			files = append(files, f)
			return nil
		}
		if !wanted || treesitter.Guard(string(text)) != "" {
			return nil
		}
		bytes += len(text)
		decoded, _ := parse.Decode(text)
		language := filekind.Of(filepath.ToSlash(rel), text).Language
		if filepath.Ext(rel) == ".h" {
			language = filekind.Dialect(rel, "C", decoded)
		}
		if lexical.Speaks(language) {
			files = append(files, lexical.Extract(filepath.ToSlash(rel), language, decoded))
			return nil
		}
		f, err := parser.Facts(parse.File{Path: filepath.ToSlash(rel), Language: language, Text: decoded})
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", rel, err)
			return nil
		}
		files = append(files, f)
		return nil
	})
	return files, bytes, err
}
