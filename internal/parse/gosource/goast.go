// Package gosource finds the declarations of Go files with go/parser.
package gosource

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"

	"github.com/ragnav/ragnav/internal/gosyntax"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/patterns"
)

// Outline reads a Go file by go/parser. What it cannot read because of
// syntax errors comes from the generic outline.
func Outline(f parse.File) parse.Outline {
	if gosyntax.TooDeep(f.Text) {
		return parse.ChunkOutline(f.Text)
	}
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, "", f.Text, parser.ParseComments|parser.SkipObjectResolution)
	if tree == nil || len(tree.Decls) == 0 && err != nil {
		return patterns.Outline(f, patterns.Named("Go"))
	}
	g := goFile{text: f.Text, base: fset.File(tree.FileStart).Base(), lines: parse.LineOffsets(f.Text)}
	out := parse.Outline{Method: parse.MethodGo, Lines: g.lines.Lines(), Package: tree.Name.Name, Summary: g.summary(tree)}
	for _, d := range tree.Decls {
		g.declaration(d)
	}
	out.Symbols = g.symbols
	if err != nil {
		out.Symbols = repair(f, g.symbols, errorLines(err))
	}
	out.Exports = g.exports
	if err != nil {
		out.Exports = parse.Exports(out.Symbols)
	}
	return out
}

func errorLines(err error) []int {
	list, ok := err.(scanner.ErrorList) //nolint:errorlint // go/parser returns it as it is
	if !ok {
		return nil
	}
	var lines []int
	for _, e := range list {
		lines = append(lines, e.Pos.Line)
	}
	return lines
}

// goFile collects the symbols of one syntax tree.
type goFile struct {
	text    string
	base    int // position of the text's first byte
	lines   parse.Offsets
	symbols []parse.Symbol
	exports []string
}

func (g *goFile) line(p token.Pos) int { return g.lines.LineAt(int(p) - g.base) }

// source is the text between two positions.
func (g *goFile) source(from, to token.Pos) string {
	i, j := int(from)-g.base, int(to)-g.base
	i = min(max(i, 0), len(g.text))
	return g.text[i:min(max(j, i), len(g.text))]
}

func (g *goFile) add(s parse.Symbol, doc *ast.CommentGroup, from, to token.Pos) {
	s.StartLine, s.EndLine = g.line(from), g.line(to-1)
	if doc != nil {
		s.StartLine, s.Doc = g.line(doc.Pos()), g.comment(doc)
	}
	s.EndLine = max(s.EndLine, s.StartLine)
	g.symbols = append(g.symbols, s)
}

func (g *goFile) export(name string) {
	if ast.IsExported(name) && len(g.exports) < parse.MaxExports && !slices.Contains(g.exports, name) {
		g.exports = append(g.exports, name)
	}
}

func (g *goFile) declaration(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		g.function(d)
	case *ast.GenDecl:
		switch d.Tok {
		case token.TYPE:
			for _, spec := range d.Specs {
				g.typeSpec(d, spec.(*ast.TypeSpec))
			}
		case token.CONST, token.VAR:
			g.values(d)
		}
	}
}

func (g *goFile) function(d *ast.FuncDecl) {
	end := d.End()
	if d.Body != nil {
		end = d.Body.Lbrace
	}
	s := parse.Symbol{
		Name: d.Name.Name, Qualified: d.Name.Name, Kind: "func",
		Signature: parse.Fold(withoutComments(g.source(d.Pos(), end))), Exported: d.Name.IsExported(),
	}
	if d.Recv != nil {
		s.Kind = "method"
		if t := gosyntax.ReceiverType(d); t != nil {
			s.Parent = t.Name
			s.Qualified = s.Parent + "." + s.Name
			s.Exported = s.Exported && ast.IsExported(s.Parent)
		}
	} else {
		g.export(s.Name)
	}
	g.add(s, d.Doc, d.Pos(), d.End())
}
