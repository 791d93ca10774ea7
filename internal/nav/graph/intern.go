package graph

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// eachString calls f with every string of some facts but the path: a pointer
// to it, and whether it is the name of a symbol or reference.
func eachString(file *facts.File, f func(s *string, name bool)) {
	f(&file.Language, false)
	f(&file.Package, false)
	f(&file.Build, false)
	for i := range file.Imports {
		m := &file.Imports[i]
		f(&m.Path, false)
		f(&m.Name, m.Name != "")
		f(&m.Local, m.Local != "")
	}
	for i := range file.Symbols {
		eachOfSymbol(&file.Symbols[i], f)
	}
	for i := range file.Refs {
		r := &file.Refs[i]
		f(&r.Name, true)
		f((*string)(&r.Kind), false)
		eachOfExpr(&r.Of, f)
		f(&r.Given, false)
	}
}

func eachOfSymbol(s *facts.Symbol, f func(s *string, name bool)) {
	f(&s.Name, true)
	for _, p := range symbolStrings(s) {
		f(p, false)
	}
	for _, e := range symbolExprs(s) {
		eachOfExpr(e, f)
	}
	for i := range s.Params {
		f(&s.Params[i], false)
	}
	for _, list := range symbolLists(s) {
		for i := range *list {
			eachOfExpr(&(*list)[i], f)
		}
	}
	for i := range s.Bases {
		f((*string)(&s.Bases[i].Kind), false)
		eachOfExpr(&s.Bases[i].Of, f)
	}
}

func eachOfExpr(e *facts.Expr, f func(s *string, name bool)) {
	text := e.String()
	f(&text, false)
	*e = facts.Parse(text)
}

// What is added to the vocabulary has to be added to one of these.

// symbolTexts are the strings and expressions of a symbol but its name, in the
// order in which they are kept.
func symbolTexts(s *facts.Symbol) [7]string {
	return [...]string{s.Qualified, s.Kind, s.Owner.String(), s.Type.String(), s.Under.String(), s.Shape, s.Accepts}
}

// symbolStrings are the strings of a symbol but its name.
func symbolStrings(s *facts.Symbol) [4]*string {
	return [...]*string{&s.Qualified, &s.Kind, &s.Shape, &s.Accepts}
}

// symbolExprs are its expressions.
func symbolExprs(s *facts.Symbol) [3]*facts.Expr {
	return [...]*facts.Expr{&s.Owner, &s.Type, &s.Under}
}

// symbolLists are its lists of expressions.
func symbolLists(s *facts.Symbol) [4]*[]facts.Expr {
	return [...]*[]facts.Expr{&s.Results, &s.Bounds, &s.Takes, &s.Args}
}

// A pool keeps one copy of each string, so that facts don't keep the texts in
// memory that they were cut out of.
type pool struct {
	mu  sync.Mutex
	all map[string]string
}

func (p *pool) intern(file *facts.File) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all == nil {
		p.all = map[string]string{}
	}
	eachString(file, func(s *string, _ bool) {
		kept, ok := p.all[*s]
		if !ok {
			kept = strings.Clone(*s)
			p.all[kept] = kept
		}
		*s = kept
	})
}

// numberStrings gives every string of the entries a number: names first, both
// groups in order. It returns the strings and how many are names.
func numberStrings(entries []entry) (all []string, numbers map[string]uint32, names int) {
	seen := map[string]bool{"": false} // whether it is a name
	split := map[facts.Expr]bool{}     // expressions whose names are known
	known := func(s string) {
		if _, is := seen[s]; !is {
			seen[s] = false
		}
	}
	for i := range entries {
		e := &entries[i]
		for _, s := range []string{e.Path, e.Language, e.Revision} {
			known(s)
		}
		for _, dir := range foldersOf(e.Path) {
			known(dir)
		}
		eachExpr(e.Facts, func(expr facts.Expr) {
			if !split[expr] {
				split[expr] = true
				expr.Names(func(name string) { seen[name] = true }, func(int) {})
			}
		})
		eachString(e.Facts, func(s *string, name bool) {
			if is, known := seen[*s]; !known || name && !is {
				seen[*s] = name
			}
		})
	}
	all = slices.AppendSeq(make([]string, 0, len(seen)), maps.Keys(seen))
	slices.SortFunc(all, func(a, b string) int {
		if seen[a] != seen[b] {
			if seen[a] {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	numbers = make(map[string]uint32, len(all))
	for i, s := range all {
		numbers[s] = uint32(i)
		if seen[s] {
			names++
		}
	}
	return all, numbers, names
}

// foldersOf are the folders that a path is in, from the innermost to "".
func foldersOf(path string) []string {
	var dirs []string
	for {
		i := strings.LastIndexByte(path, '/')
		if i < 0 {
			return append(dirs, "")
		}
		path = path[:i]
		dirs = append(dirs, path)
	}
}
