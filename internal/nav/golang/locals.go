package golang

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// Locals are the names of a Go file that mean something in a part of it only,
// in order of where they are bound: parameters, variables, what is declared in
// functions, labels and the packages that are imported.
func Locals(name, text string) ([]facts.Local, error) {
	w, tree, err := newWalker(&facts.File{Path: name}, text)
	if err != nil {
		return nil, err
	}
	w.locals = &locals{text: text, at: map[token.Pos]*facts.Local{}, used: map[token.Pos]bool{}}
	w.walk(tree)
	return w.locals.sorted(), nil
}

// locals are the local names of a file; nil where nobody asks for them.
type locals struct {
	text   string
	at     map[token.Pos]*facts.Local // by where they are bound
	used   map[token.Pos]bool
	labels *labels
}

// labels are those of one function. They may be used before they are there.
type labels struct {
	bound map[string]*ast.Ident
	uses  []*ast.Ident
}

func (l *locals) sorted() []facts.Local {
	all := make([]facts.Local, 0, len(l.at))
	for _, local := range l.at {
		slices.SortFunc(local.Uses, func(a, b facts.Spot) int { return cmp.Or(a.Line-b.Line, a.Column-b.Column) })
		all = append(all, *local)
	}
	slices.SortFunc(all, func(a, b facts.Local) int { return cmp.Or(a.Line-b.Line, a.Column-b.Column) })
	return all
}

// bind notes where a local is bound. Its type is nil where none is written.
func bind(w *walker, id *ast.Ident, kind string, typ ast.Expr) {
	if w.locals == nil || w.quiet || id == nil || id.Name == "_" || id.Name == "" || w.locals.at[id.Pos()] != nil {
		return
	}
	l := &facts.Local{Name: id.Name, Kind: kind}
	l.Line, l.Column = w.position(id.Pos())
	if typ != nil {
		l.Text = id.Name + " " + sourceOf(w.file, w.locals, typ)
	} else {
		l.Text = lineAt(w.file, w.locals, l.Line)
	}
	w.locals.at[id.Pos()] = l
}

// useOf notes that a name is that of the local that is bound at a place.
func useOf(w *walker, id *ast.Ident, bound token.Pos, kind facts.Kind) {
	if w.locals == nil || w.quiet || w.locals.used[id.Pos()] || id.Pos() == bound {
		return
	}
	if l := w.locals.at[bound]; l != nil {
		w.locals.used[id.Pos()] = true
		line, column := w.position(id.Pos())
		l.Uses = append(l.Uses, facts.Spot{Line: line, Column: column, Kind: kind})
	}
}

// useEarly notes the use of a type parameter by one that is before it.
func useEarly(w *walker, id *ast.Ident) {
	for s := w.scope; w.locals != nil && s != nil; s = s.parent {
		if l := s.names[id.Name]; l != nil && l.value.isType && l.spec == nil {
			useOf(w, id, l.at, facts.Type)
			return
		}
	}
}

// usePackage notes that a name that is not local is that of an import.
func usePackage(w *walker, id *ast.Ident) {
	if w.locals == nil {
		return
	}
	for pos, l := range w.locals.at {
		if l.Import == 0 {
			continue
		}
		m := w.out.Imports[l.Import-1]
		if m.Local == id.Name || m.Local == "" && slices.Contains(facts.LikelyGoNames(m.Path), id.Name) {
			useOf(w, id, pos, facts.Read)
			return
		}
	}
}

// bindPackage notes the name that an import gives.
func bindPackage(w *walker, s *ast.ImportSpec) {
	if w.locals == nil {
		return
	}
	m := &w.out.Imports[len(w.out.Imports)-1]
	pos, name := s.Path.Pos(), facts.LikelyGoNames(m.Path)[0]
	if s.Name != nil {
		pos, name = s.Name.Pos(), s.Name.Name
	}
	l := &facts.Local{
		Name: name, Kind: "package", Import: len(w.out.Imports), Text: "import " + sourceOf(w.file, w.locals, s),
	}
	l.Line, l.Column = w.position(pos)
	w.locals.at[pos] = l
}

// bindParameters notes the parameters of a function type, which nothing can use.
func bindParameters(w *walker, t *ast.FuncType) {
	for _, list := range []*ast.FieldList{t.Params, t.Results} {
		for i := 0; list != nil && i < len(list.List); i++ {
			for _, id := range list.List[i].Names {
				bind(w, id, "parameter", list.List[i].Type)
			}
		}
	}
}

// sourceOf is the text of a node on one line.
func sourceOf(file *token.File, locals *locals, n ast.Node) string {
	from, to := int(n.Pos())-file.Base(), int(n.End())-file.Base()
	if locals == nil || from < 0 || to > len(locals.text) || from > to {
		return ""
	}
	return strings.Join(strings.Fields(locals.text[from:to]), " ")
}

// lineAt is the text of a line.
func lineAt(file *token.File, locals *locals, line int) string {
	if line < 1 || line > file.LineCount() {
		return ""
	}
	rest := locals.text[min(int(file.LineStart(line))-file.Base(), len(locals.text)):]
	rest, _, _ = strings.Cut(rest, "\n")
	return strings.TrimSpace(rest)
}

// inFunction runs do for what has labels of its own.
func inFunction(w *walker, do func()) {
	if w.locals == nil {
		do()
		return
	}
	before := w.locals.labels
	w.locals.labels = &labels{bound: map[string]*ast.Ident{}}
	do()
	for _, id := range w.locals.labels.uses {
		if to := w.locals.labels.bound[id.Name]; to != nil {
			useOf(w, id, to.Pos(), facts.Read)
		}
	}
	w.locals.labels = before
}

func label(w *walker, id *ast.Ident) {
	if w.locals != nil && w.locals.labels != nil {
		bind(w, id, "label", nil)
		w.locals.labels.bound[id.Name] = id
	}
}

func useLabel(locals *locals, id *ast.Ident) {
	if locals != nil && locals.labels != nil && id != nil {
		locals.labels.uses = append(locals.labels.uses, id)
	}
}
