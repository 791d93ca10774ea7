package script

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// A typeReader reads the type in a comment. What it can't read makes all of it unknown.
type typeReader struct {
	p       *walker
	text    string
	at      int // where the text is in the file
	generic map[string]bool
	depth   int
}

// deepestDocType is how many brackets are followed.
const deepestDocType = 8

// whole is the type of all of the text.
func (r *typeReader) whole() facts.Expr {
	t := r.union()
	r.next("=") // optional
	if strings.TrimSpace(r.text) != "" {
		return facts.Unknown
	}
	return t
}

// next reports whether the text goes on with a word, blanks apart, and reads it then.
func (r *typeReader) next(word string) bool {
	rest := strings.TrimLeft(r.text, " \t\r\n")
	r.at += len(r.text) - len(rest)
	r.text = rest
	if !strings.HasPrefix(rest, word) {
		return false
	}
	r.take(len(word))
	return true
}

func (r *typeReader) take(n int) string {
	s := r.text[:n]
	r.text, r.at = r.text[n:], r.at+n
	return s
}

func (r *typeReader) union() facts.Expr {
	if r.depth++; r.depth > deepestDocType {
		return facts.Unknown
	}
	defer func() { r.depth-- }()
	t := r.single()
	for r.next("|") {
		t = oneOrBoth(t, r.single(), false)
	}
	return t
}

// single reads a type with what is before and behind it.
func (r *typeReader) single() facts.Expr {
	rest := r.next("...")
	for r.next("?") || r.next("!") {
	}
	t := r.atom()
	for r.next("[]") {
		t = facts.List(t)
	}
	if rest {
		return facts.List(t)
	}
	return t
}

func (r *typeReader) atom() facts.Expr {
	switch {
	case r.next("*"):
		return facts.Unknown
	case r.next("("):
		t := r.union()
		if !r.next(")") || r.next("=>") {
			return facts.Unknown
		}
		return t
	case strings.HasPrefix(r.text, "{"):
		end := closing(r.text)
		if end < 0 {
			return facts.Unknown
		}
		r.take(end + 1)
		return facts.External
	case strings.HasPrefix(r.text, "import("):
		return r.imported()
	case r.next("'"), r.next(`"`):
		end := strings.IndexAny(r.text, `'"`)
		if end < 0 {
			return facts.Unknown
		}
		r.take(end + 1)
		return facts.External
	}
	name := r.take(wordLength(r.text))
	switch name {
	case "":
		return facts.Unknown
	case "typeof", "function", "keyof", "asserts", "new":
		return facts.Unknown
	}
	if r.next("<") || r.next(".<") {
		return r.applied(name)
	}
	return r.members(r.named(name))
}

// named is the type that a name stands for, which may be a primitive one.
func (r *typeReader) named(name string) facts.Expr {
	switch {
	case r.generic[name]:
		return facts.External
	case primitives[name], builtins[name]:
		return facts.External
	case isDeclared(r.p, name):
		return facts.Name(name)
	}
	return facts.Unknown // as "Object", which says nothing
}

// isDeclared reports whether a file declares or imports a name at all: a comment may name what
// is imported nowhere.
func isDeclared(p *walker, name string) bool {
	names := p.comments.names
	if names == nil {
		names = map[string]bool{}
		p.comments.names = names
		for n := range binder.At(len(p.Nodes)) {
			switch p.Kind(n) {
			case "class_declaration", "class", "function_declaration", "variable_declarator", "import_specifier":
				names[p.TextAt(p.Child(n, "name"))] = true
				names[p.TextAt(p.Child(n, "alias"))] = true
			case "import_clause", "namespace_import":
				names[p.TextAt(p.First(n, "identifier"))] = true
			case "shorthand_property_identifier_pattern":
				names[p.TextAt(n)] = true
			}
		}
	}
	return names[name] || slices.ContainsFunc(p.Imports, func(x facts.Import) bool { return x.Local == name })
}

var (
	primitives = set(`string number boolean bigint symbol void undefined null never true false`)
	builtins   = set(`String Number Boolean Date RegExp Symbol Error`)
)

func set(words string) map[string]bool {
	all := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		all[w] = true
	}
	return all
}

// members follows what is behind dots.
func (r *typeReader) members(t facts.Expr) facts.Expr {
	for strings.HasPrefix(r.text, ".") {
		r.take(1)
		name := r.take(wordLength(r.text))
		if name == "" {
			return facts.Unknown
		}
		t = binder.Member(t, name)
	}
	return t
}

// imported reads import("x").Name.
func (r *typeReader) imported() facts.Expr {
	end := strings.IndexByte(r.text, ')')
	path, _, ok := importedType(r.text[:end+1])
	if !ok {
		return facts.Unknown
	}
	i := r.p.ImportedAt(r.at+len("import("), facts.Import{Path: path, Local: "_"})
	if r.take(end + 1); !strings.HasPrefix(r.text, ".") {
		return facts.Unknown
	}
	t := r.members(facts.ModuleAt(i))
	if r.next("<") {
		return r.arguments(t)
	}
	return t
}

// applied reads the arguments of a generic type: one of the library stands for what is in it.
func (r *typeReader) applied(name string) facts.Expr {
	args, ok := r.list()
	if !ok {
		return facts.Unknown
	}
	switch last := args[len(args)-1]; name {
	case "Array", "ReadonlyArray", "Set", "ReadonlySet", "WeakSet", "Iterable", "Iterator":
		return facts.List(args[0])
	case "Map", "ReadonlyMap", "WeakMap", "Record", "Object":
		return facts.Map(args[0], last)
	case "Promise", "PromiseLike", "Partial", "Required", "Readonly", "NonNullable":
		return args[0]
	}
	if t := r.named(name); t.Known() && !t.IsExternal() {
		return withTypes(t, args)
	}
	return facts.Unknown
}

func (r *typeReader) arguments(t facts.Expr) facts.Expr {
	args, ok := r.list()
	if !ok {
		return facts.Unknown
	}
	return withTypes(t, args)
}

// list reads types up to ">".
func (r *typeReader) list() (all []facts.Expr, ok bool) {
	for {
		all = append(all, r.union())
		switch {
		case r.next(","):
		case r.next(">"):
			return all, true
		default:
			return nil, false
		}
	}
}

// documentFunction says what the comment before a function says of its parameters and its
// result.
func documentFunction(p *walker, n binder.At, s *binder.Symbol) {
	d := docOf(p, n)
	if d == nil {
		return
	}
	var all []binder.Source
	said := false
	i := 0
	for c := range p.Named(p.Child(n, "parameters")) {
		if p.Kind(c) == "comment" {
			continue
		}
		from := p.contextual(n, i)
		if t := d.parameter(p.TextAt(plainParameter(p, c)), i); t != facts.Nothing && t.Known() {
			from, said = binder.Known(binder.ValueOf(t)), true
		}
		all = append(all, from)
		i++
	}
	if said {
		p.takes[n] = all
	}
	if d.result == facts.Nothing || !d.result.Known() {
		return
	}
	from := binder.Known(binder.ValueOf(d.result))
	p.gives[n] = from
	if s != nil && len(s.ResultSources) == 0 {
		s.ResultSources = []binder.Source{from}
	}
}

// plainParameter is the name of a parameter with or without a default.
func plainParameter(p *walker, c binder.At) binder.At {
	switch p.Kind(c) {
	case "assignment_pattern":
		c = p.Child(c, "left")
	case "rest_pattern":
		c = p.Nth(c, 0)
	}
	return c
}

// parameter is the type of a parameter by its name, of a pattern by its place; facts.Nothing
// if it is not said.
func (d *doc) parameter(name string, place int) facts.Expr {
	if t, ok := d.params[name]; ok {
		return t
	}
	if !isWord(name) && place < len(d.places) {
		return d.places[place]
	}
	return facts.Nothing
}

// documented is what the comment before a variable or field says that it is.
func documented(p *walker, n binder.At) (binder.Source, bool) {
	d := docOf(p, n)
	if d == nil || d.is == facts.Nothing || !d.is.Known() || d.is.IsExternal() {
		return binder.Source{}, false
	}
	return binder.Known(binder.ValueOf(d.is)), true
}
