package gosource

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
)

// typeSpec adds one type. In a group each has its own lines.
func (g *goFile) typeSpec(d *ast.GenDecl, t *ast.TypeSpec) {
	doc, from, to := t.Doc, t.Pos(), t.End()
	if !d.Lparen.IsValid() {
		doc, from = d.Doc, d.Pos()
	}
	s := parse.Symbol{Name: t.Name.Name, Qualified: t.Name.Name, Kind: "type", Exported: t.Name.IsExported()}
	end := to
	switch x := t.Type.(type) {
	case *ast.StructType:
		s.Kind, end = "struct", x.Struct+token.Pos(len("struct"))
	case *ast.InterfaceType:
		s.Kind, end = "interface", x.Interface+token.Pos(len("interface"))
	}
	s.Signature = parse.Fold("type " + withoutComments(g.source(t.Pos(), end)))
	g.export(s.Name)
	g.add(s, doc, from, to)
}

// values adds a const or var declaration, grouped or not, as one symbol.
func (g *goFile) values(d *ast.GenDecl) {
	s := parse.Symbol{Kind: d.Tok.String()}
	var names []string
	for _, spec := range d.Specs {
		for _, id := range spec.(*ast.ValueSpec).Names {
			if id.Name == "_" {
				continue
			}
			names = append(names, id.Name)
			s.Exported = s.Exported || id.IsExported()
			g.export(id.Name)
		}
	}
	if len(names) == 0 {
		return
	}
	s.Name, s.Qualified = names[0], names[0]
	first, _, _ := strings.Cut(g.source(d.Pos(), d.End()), "\n")
	s.Signature = strings.TrimRight(parse.Fold(first), " {(")
	if d.Lparen.IsValid() {
		s.Signature = groupSignature(s.Kind, names)
	}
	g.add(s, d.Doc, d.Pos(), d.End())
}

// groupSignature is "const (A, B, C)", with "…" for the names that are too
// many.
func groupSignature(kind string, names []string) string {
	var b strings.Builder
	b.WriteString(kind + " (")
	for i, name := range names {
		if i > 0 {
			b.WriteString(", ")
		}
		if b.Len()+len(name) > parse.MaxSignature-len(", …)") {
			b.WriteString("…")
			break
		}
		b.WriteString(name)
	}
	return b.String() + ")"
}

// withoutComments is Go source of a declaration's head, which holds no strings
// with slashes, without line comments.
func withoutComments(s string) string {
	if !strings.Contains(s, "//") {
		return s
	}
	var b strings.Builder
	for line := range strings.Lines(s) {
		code, _, _ := strings.Cut(line, "//")
		b.WriteString(code + " ")
	}
	return b.String()
}

// comment is the text of a doc comment. Directives are not part of it.
func (g *goFile) comment(group *ast.CommentGroup) string {
	lines := make([]string, 0, len(group.List))
	for _, c := range group.List {
		if text, ok := strings.CutPrefix(c.Text, "//"); ok {
			if !isDirective(text) {
				lines = append(lines, strings.TrimRight(strings.TrimPrefix(text, " "), " \t\r"))
			}
			continue
		}
		lines = append(lines, parse.CleanComment(c.Text, "/*", "*/"))
	}
	return parse.JoinTrimmed(lines)
}

// isDirective reports whether a line comment is one: "//go:embed", "//nolint:x".
func isDirective(text string) bool {
	if text == "" || text[0] < 'a' || text[0] > 'z' {
		return strings.HasPrefix(text, " +build ")
	}
	word, _, _ := strings.Cut(text, " ")
	return strings.Contains(word, ":") || word == "export" || word == "line" || word == "extern"
}

// summary is the package's doc comment, else the last comment before the
// package clause, else the one that follows it and belongs to nothing.
func (g *goFile) summary(tree *ast.File) string {
	var best string
	first := g.firstDeclaration(tree)
	for _, c := range tree.Comments {
		if c.Pos() >= first || c.Pos() > tree.Package && best != "" {
			break
		}
		if s := parse.SummaryText(g.comment(c)); s != "" {
			best = s
		}
	}
	return best
}

// firstDeclaration is where the first declaration or its doc comment starts.
func (g *goFile) firstDeclaration(tree *ast.File) token.Pos {
	if len(tree.Decls) == 0 {
		return tree.End()
	}
	pos := tree.Decls[0].Pos()
	switch d := tree.Decls[0].(type) {
	case *ast.FuncDecl:
		if d.Doc != nil {
			pos = d.Doc.Pos()
		}
	case *ast.GenDecl:
		if d.Doc != nil {
			pos = d.Doc.Pos()
		}
	}
	return pos
}
