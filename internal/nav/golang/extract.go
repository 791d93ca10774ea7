// Package golang reads the facts of Go files, of go.mod and of go.work.
package golang

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/gosyntax"
	"github.com/ragnav/ragnav/internal/nav/facts"
)

// What go-enry calls the files that Extract, ExtractModule and ExtractWorkspace
// read.
const (
	Language          = "Go"
	ModuleLanguage    = "Go Module"
	WorkspaceLanguage = "Go Workspace"
)

// Extract reads the facts of a Go file. Of a file with syntax errors it reads
// what can be read; the error says that there is nothing at all.
func Extract(name, text string) (facts.File, error) {
	out := facts.File{Path: name, Language: Language}
	if strings.TrimSpace(text) == "" { // an empty file is no mistake
		return out, nil
	}
	w, tree, err := newWalker(&out, text)
	if err != nil {
		return out, err
	}
	out.Package = tree.Name.Name
	out.Build = constraint(text)
	w.walk(tree)
	slices.SortStableFunc(out.Refs, func(a, b facts.Ref) int {
		return cmp.Or(a.Line-b.Line, a.Column-b.Column)
	})
	return out, nil
}

// newWalker parses a text.
func newWalker(out *facts.File, text string) (*walker, *ast.File, error) {
	if gosyntax.TooDeep(text) {
		return nil, nil, fmt.Errorf("%s: brackets are nested more than %d deep", out.Path, gosyntax.MaxNesting)
	}
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		fset = token.NewFileSet()
		tree, err = parser.ParseFile(fset, "", repaired(text), parser.SkipObjectResolution)
	}
	if tree == nil || tree.Name == nil || tree.Name.Name == "" || tree.Name.Name == "_" && err != nil {
		return nil, nil, fmt.Errorf("%s: %w", out.Path, err)
	}
	return &walker{out: out, file: fset.File(tree.FileStart), size: len(text), in: -1}, tree, nil
}

// walk reads the whole file.
func (w *walker) walk(tree *ast.File) {
	w.imports(tree)
	w.topLevel(tree)
	w.scope = &scope{}
	for _, d := range tree.Decls {
		declaration(w, d)
	}
}

// constraint is the go:build line above the package clause.
func constraint(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "//go:build "); ok {
			return strings.TrimSpace(rest)
		}
		if strings.HasPrefix(line, "package ") {
			break
		}
	}
	return ""
}

// walker collects the facts of one file.
type walker struct {
	out   *facts.File
	file  *token.File
	size  int
	paths map[string]string        // of imports by their likely local names
	sure  map[string]bool          // names that are certainly imports
	top   map[string]*ast.TypeSpec // the file's own top-level names; nil if no type
	scope *scope
	// functions are those of the file that are no methods.
	functions map[string]*ast.FuncDecl

	locals *locals // nil where nobody asks for them

	in    int  // the symbol around
	quiet bool // add no references
}

// position is the line and column of a place, inside of the file.
func (w *walker) position(p token.Pos) (line, column int) {
	offset := min(max(int(p)-w.file.Base(), 0), w.size)
	at := w.file.PositionFor(w.file.Pos(offset), false)
	return at.Line, at.Column
}

func (w *walker) line(p token.Pos) int {
	line, _ := w.position(p)
	return line
}

// imports reads the imports, and how they are likely called here.
func (w *walker) imports(tree *ast.File) {
	w.paths, w.sure = map[string]string{}, map[string]bool{}
	for _, s := range tree.Imports {
		p, err := strconv.Unquote(s.Path.Value)
		if err != nil || p == "" {
			continue
		}
		imp := facts.Import{Path: p, In: -1}
		imp.Line, imp.Column = w.position(s.Path.Pos())
		if s.Name != nil {
			imp.Local = s.Name.Name
			w.paths[imp.Local], w.sure[imp.Local] = p, true
		} else {
			for _, name := range facts.LikelyGoNames(p) {
				w.paths[name] = p
			}
			w.sure[path.Base(p)] = true
		}
		w.out.Imports = append(w.out.Imports, imp)
		bindPackage(w, s)
	}
}

// topLevel notes the names that a file declares.
func (w *walker) topLevel(tree *ast.File) {
	top := map[string]*ast.TypeSpec{}
	w.top, w.functions = top, map[string]*ast.FuncDecl{}
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name != nil {
				top[d.Name.Name], w.functions[d.Name.Name] = nil, d
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					top[s.Name.Name] = s
				case *ast.ValueSpec:
					for _, id := range s.Names {
						top[id.Name] = nil
					}
				}
			}
		}
	}
}

// symbol adds a declaration and returns its index.
func (w *walker) symbol(s facts.Symbol, name *ast.Ident, from, to token.Pos) int {
	s.Name = name.Name
	s.Exported = name.IsExported()
	s.Line, s.Column = w.position(name.Pos())
	s.StartLine = w.line(from)
	s.EndLine = max(w.line(to), s.StartLine)
	w.out.Symbols = append(w.out.Symbols, s)
	return len(w.out.Symbols) - 1
}

// inside runs do for what is inside of a symbol.
func (w *walker) inside(symbol int, do func()) {
	before := w.in
	w.in = symbol
	do()
	w.in = before
}

// ref adds a reference to a member of of, or with of "" to a bare name.
func (w *walker) ref(name *ast.Ident, kind facts.Kind, of facts.Expr) {
	if w.quiet || name.Name == "_" || name.Name == "" || of == facts.External {
		return
	}
	r := facts.Ref{Name: name.Name, Kind: kind, Of: of, Bare: of == facts.Nothing, In: w.in}
	if of == facts.Unknown {
		r.Of = facts.Nothing
	}
	r.Line, r.Column = w.position(name.Pos())
	w.out.Refs = append(w.out.Refs, r)
}
