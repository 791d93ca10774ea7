package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/gosyntax"
)

// A span is a symbol's lines, 1-indexed and inclusive, its doc comment with it.
type span struct {
	name       string // "Client.do"
	start, end int
}

// sameSymbol compares qualified names, or the last part alone when one of them
// has no more. A group of constants or variables is named for all it declares,
// joined by commas.
func sameSymbol(a, b string) bool {
	for x := range strings.SplitSeq(a, ",") {
		for y := range strings.SplitSeq(b, ",") {
			if matches(x, y) {
				return true
			}
		}
	}
	return false
}

func matches(a, b string) bool {
	a, b = plain(a), plain(b)
	if strings.Contains(a, ".") && strings.Contains(b, ".") {
		return a == b || strings.HasSuffix(a, "."+b) || strings.HasSuffix(b, "."+a)
	}
	return a != "" && last(a) == last(b)
}

func plain(name string) string {
	name, _, _ = strings.Cut(name, "#")
	return strings.NewReplacer("(", "", ")", "", "*", "", " ", "").Replace(name)
}

func last(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// cutGo finds functions, methods, types, and constants and variables by group.
func cutGo(data []byte) []span {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", data, parser.ParseComments|parser.SkipObjectResolution)
	if file == nil || err != nil {
		return nil
	}
	line := func(p token.Pos) int { return fset.Position(p).Line }
	var spans []span
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			start := d.Pos()
			if d.Doc != nil {
				start = d.Doc.Pos()
			}
			spans = append(spans, span{receiver(d) + d.Name.Name, line(start), line(d.End())})
		case *ast.GenDecl:
			spans = append(spans, cutGroup(d, line)...)
		}
	}
	return spans
}

func cutGroup(d *ast.GenDecl, line func(token.Pos) int) []span {
	start := d.Pos()
	if d.Doc != nil {
		start = d.Doc.Pos()
	}
	var names []string
	var types []span
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			types = append(types, span{s.Name.Name, line(s.Pos()), line(s.End())})
		case *ast.ValueSpec:
			for _, n := range s.Names {
				names = append(names, n.Name)
			}
		}
	}
	if len(types) == 1 {
		types[0].start, types[0].end = line(start), line(d.End())
	}
	if len(names) > 0 {
		return []span{{strings.Join(names, ","), line(start), line(d.End())}}
	}
	return types
}

func receiver(d *ast.FuncDecl) string {
	t := gosyntax.ReceiverType(d)
	if t == nil {
		return ""
	}
	return t.Name + "."
}

var pyDecl = regexp.MustCompile(`^(\s*)(?:async\s+)?(?:def|class)\s+(\w+)`)

// cutPython finds functions and classes by indentation.
func cutPython(text string) []span {
	var done, open []span
	var indents []int
	lines := strings.Split(text, "\n")
	lastCode := 0
	closeTo := func(indent int) {
		for len(open) > 0 && indents[len(indents)-1] >= indent {
			sp := open[len(open)-1]
			sp.end = lastCode
			done = append(done, sp)
			open, indents = open[:len(open)-1], indents[:len(indents)-1]
		}
	}
	for i, l := range lines {
		if strings.TrimSpace(l) == "" {
			continue
		}
		if m := pyDecl.FindStringSubmatch(l); m != nil {
			closeTo(len(m[1]))
			name := m[2]
			if len(open) > 0 {
				name = open[len(open)-1].name + "." + name
			}
			open, indents = append(open, span{name: name, start: i + 1}), append(indents, len(m[1]))
		}
		lastCode = i + 1
	}
	closeTo(0)
	slices.SortFunc(done, func(a, b span) int { return a.start - b.start })
	return done
}
