// Package swift says what Swift files bind and use.
package swift

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// walker declares what Swift files bind. Names that are not local are looked up from the
// file: they may be members, of types and extensions anywhere.
type walker struct {
	*binder.Builder

	begins   map[*binder.Binding]int        // offset from which a local is known
	subjects map[binder.At]binder.Source    // what patterns and the names in them are compared with
	payloads map[*binder.Symbol][]binder.At // types of what cases are made of
}

// New returns the walker of a file.
func New(b *binder.Builder) binder.Walker {
	return &walker{
		Builder: b, begins: map[*binder.Binding]int{}, subjects: map[binder.At]binder.Source{},
		payloads: map[*binder.Symbol][]binder.At{},
	}
}

// Declare implements binder.Walker.
func (p *walker) Declare() {
	p.inside(0)
	p.targets()
}

func (p *walker) inside(n binder.At) {
	for c := range p.Named(n) {
		p.declareNode(c)
	}
}

func (p *walker) declareNode(n binder.At) {
	switch p.Kind(n) {
	case "import_declaration":
		p.importOf(n)
	case "class_declaration":
		if p.isExtension(n) {
			p.extension(n)
		} else {
			p.typeDeclaration(n, p.TextAt(p.Child(n, "declaration_kind")))
		}
	case "protocol_declaration":
		p.typeDeclaration(n, "protocol")
	case "function_declaration", "protocol_function_declaration", "init_declaration", "deinit_declaration",
		"subscript_declaration":
		p.function(n)
	case "property_declaration", "protocol_property_declaration":
		p.property(n)
	case "enum_entry":
		p.cases(n)
	case "typealias_declaration", "associatedtype_declaration":
		p.alias(n)
	case "lambda_literal":
		p.closure(n)
	default:
		p.statement(n)
	}
}

// constrained says what type parameters of the type must be that an extension is of, for a
// member of it: as if they were its own.
func (p *walker) constrained(n binder.At, s *binder.Symbol) {
	_, extended := p.around(n)
	for c := range p.Named(p.First(extended, "type_constraints")) {
		for x := range p.Named(c) {
			name := p.TextAt(p.Child(x, "constrained_type"))
			if name != "" && name != "Self" && !strings.Contains(name, ".") && !slices.Contains(s.Params, name) {
				s.Params = append(s.Params, name)
				s.BoundSources = append(s.BoundSources, binder.TypeAt(p.Last(x)))
			}
		}
	}
}

func (p *walker) isExtension(n binder.At) bool {
	return p.TextAt(p.Child(n, "declaration_kind")) == "extension"
}

func (p *walker) importOf(n binder.At) {
	id := p.First(n, "identifier")
	if id < 0 {
		return
	}
	i := facts.Import{Path: strings.Join(strings.Fields(p.TextAt(id)), "")}
	i.Export = strings.Contains(p.TextAt(p.First(n, "modifiers")), "_exported")
	p.Imported(p.Nth(id, 0), i)
}

// around is the symbol that a declaration is in, and the extension if it is right in one.
func (p *walker) around(n binder.At) (s *binder.Symbol, extended binder.At) {
	for up := p.Parent(n); up >= 0; up = p.Parent(up) {
		if p.Kind(up) == "class_declaration" && p.isExtension(up) {
			return nil, up
		}
		if sc := p.Scopes[up]; sc != nil {
			return sc.Symbol, binder.None
		}
	}
	return nil, binder.None
}

// declare adds a symbol; a member of an extension belongs to the type that is extended.
func (p *walker) declare(name, decl binder.At, kind string) *binder.Symbol {
	parent, extended := p.around(decl)
	s := p.DeclareSymbol(name, decl, kind, parent)
	s.Name = strings.Trim(s.Name, "`")
	if extended >= 0 {
		s.OwnerSource = binder.TypeAt(p.Child(extended, "name"))
		if c := p.selfConstraint(extended); c >= 0 {
			s.Extended = binder.TypeAt(c)
		}
	}
	modifiers := p.TextAt(p.First(decl, "modifiers"))
	s.Static = hasWord(modifiers, "static") || hasWord(modifiers, "class")
	if parent != nil && (parent.Kind == "func" || parent.Kind == "method") {
		p.begins[p.ScopeAround(decl).Bind(s.Name)] = int(p.Nodes[decl].Start)
		p.ScopeAround(decl).Bind(s.Name).Is(s)
	}
	return s
}

func hasWord(text, word string) bool { return slices.Contains(strings.Fields(text), word) }

// selfConstraint is the type that "where Self: T" says of an extension or protocol, or none.
func (p *walker) selfConstraint(n binder.At) binder.At {
	return p.constraint(n, "Self")
}

// constraint is the type that a where clause says of a name, or none.
func (p *walker) constraint(n binder.At, name string) binder.At {
	for c := range p.Named(p.First(n, "type_constraints")) {
		for x := range p.Named(c) {
			if p.TextAt(p.Child(x, "constrained_type")) == name {
				return p.Last(x)
			}
		}
	}
	return binder.None
}

func (p *walker) typeDeclaration(n binder.At, kind string) {
	if kind == "actor" {
		kind = "class"
	}
	s := p.declare(p.Child(n, "name"), n, kind)
	s.Static = true
	sc := p.Open(n, 'c', s)
	p.typeParameters(n, sc, s)
	p.bases(n, kind, func(of binder.Source, as facts.Kind) {
		s.BaseSources = append(s.BaseSources, binder.Base{Kind: as, Of: of, Args: binder.None})
	})
	if c := p.selfConstraint(n); c >= 0 {
		s.BaseSources = append(s.BaseSources, binder.Base{Kind: facts.Implements, Of: binder.TypeAt(c), Args: binder.None})
	}
	p.inside(n)
}

// bases calls f with what a declaration says that its type is made from.
func (p *walker) bases(n binder.At, kind string, f func(of binder.Source, as facts.Kind)) {
	first := true
	for c := range p.Named(n) {
		if p.Kind(c) == "inheritance_specifier" {
			as := facts.Implements
			if kind == "protocol" || kind == "class" && first {
				as = facts.Extends
			}
			f(binder.TypeAt(p.Child(c, "inherits_from")), as)
			first = false
		}
	}
}

func (p *walker) typeParameters(n binder.At, sc *binder.Scope, s *binder.Symbol) {
	for c := range p.Named(p.First(n, "type_parameters")) {
		if p.Kind(c) != "type_parameter" {
			continue
		}
		id := p.First(c, "type_identifier")
		name := p.TextAt(id)
		p.BindAt(sc, id, binder.Known(facts.Name(name)))
		s.Params = append(s.Params, name)
		bound := binder.ExternalSource
		if b := p.Child(c, "name"); b >= 0 && b != id {
			bound = binder.TypeAt(b)
		} else if b := p.constraint(n, name); b >= 0 {
			bound = binder.TypeAt(b)
		}
		s.BoundSources = append(s.BoundSources, bound)
	}
}

// extension is no symbol: what is in it belongs to the type. That its type conforms to
// something is said by imports, where the type is declared in another file.
func (p *walker) extension(n binder.At) {
	name := p.Child(n, "name")
	sc := p.Open(n, 'c', nil)
	sc.Symbol = nil
	p.bases(n, "extension", func(of binder.Source, _ facts.Kind) {
		if of.Node < 0 {
			return
		}
		p.Imported(of.Node, facts.Import{Path: plainType(p.TextAt(of.Node)), Name: plainType(p.TextAt(name)), Local: facts.Extension})
	})
	p.inside(n)
}

// plainType is the text of a type without spaces and type arguments.
func plainType(text string) string {
	if i := strings.IndexAny(text, "<&("); i >= 0 {
		text = text[:i]
	}
	return strings.Join(strings.Fields(text), "")
}

func (p *walker) function(n binder.At) {
	kind, name := "func", p.Child(n, "name")
	switch p.Kind(n) {
	case "init_declaration":
		name = p.First(n, "init")
	case "deinit_declaration":
		name = p.First(n, "deinit")
	case "subscript_declaration":
		name = p.First(n, "subscript")
	}
	if name < 0 {
		name = n
	}
	s := p.declare(name, n, kind)
	sc := p.Open(n, 'f', s)
	p.typeParameters(n, sc, s)
	p.constrained(n, s)
	switch {
	case p.Kind(n) == "init_declaration":
		s.ResultSources, s.Static = []binder.Source{binder.Known(facts.This.Value())}, true
	case p.result(n) >= 0:
		s.ResultSources = []binder.Source{binder.ValueOfType(p.result(n))}
	}
	var accepts []string
	subscript := p.Kind(n) == "subscript_declaration"
	for c := range p.All(n) {
		switch p.Kind(c) {
		case "parameter":
			accepts = append(accepts, p.parameter(c, s, sc, subscript))
		case "=": // of some defaults there is no node
			if len(accepts) > 0 {
				accepts[len(accepts)-1] = "=" + accepts[len(accepts)-1]
			}
		}
	}
	s.Signature = signature(accepts)
	if m := p.TextAt(p.First(n, "modifiers")); strings.Contains(m, "@_disfavoredOverload") || strings.Contains(m, "unavailable") {
		s.Shape = facts.Disfavored
	}
	p.inside(n)
}

// signature is what a function accepts: without types where that is too long.
func signature(accepts []string) string {
	if text := binder.Signature(slices.Clone(accepts)); text != "" {
		return text
	}
	for i, a := range accepts {
		accepts[i], _, _ = strings.Cut(a, ":")
	}
	return binder.Signature(accepts)
}

// result is the type that a function returns, or none.
func (p *walker) result(n binder.At) binder.At {
	arrow := false
	for c := range p.All(n) {
		switch {
		case p.Kind(c) == "->":
			arrow = true
		case arrow && p.Field(c) == "name":
			return c
		}
	}
	return binder.None
}

// parameter binds a parameter, and is how it is given: "label:type", "..." before one that
// takes any number.
func (p *walker) parameter(c binder.At, s *binder.Symbol, sc *binder.Scope, subscript bool) string {
	t, name := binder.None, binder.None
	for x := range p.Named(c) {
		switch {
		case p.Field(x) != "name":
		case p.Kind(x) == "simple_identifier" && name < 0:
			name = x
		default:
			t = x
		}
	}
	if hasWord(p.TextAt(p.First(c, "parameter_modifiers")), "@autoclosure") && p.Kind(t) == "function_type" {
		t = p.Child(t, "name")
	}
	label := "_"
	if ext := p.Child(c, "external_name"); ext >= 0 {
		label = p.Plain(ext)
	} else if !subscript && name >= 0 {
		label = p.Plain(name)
	}
	from := binder.ValueOfType(t)
	variadic := strings.HasSuffix(strings.TrimSpace(p.TextAt(c)), "...") || t >= 0 && p.follows(t, "...")
	if name >= 0 {
		bound := from
		if variadic {
			bound = binder.TypeAt(t).Done(binder.TakeListOf)
		}
		p.BindAt(sc, name, bound)
	}
	if m := p.metatypeOf(t, s.Params); m != "" {
		from = binder.Known(facts.List(facts.Name(m)).Value())
	}
	s.ArgSources = append(s.ArgSources, from)
	given := label + ":" + p.typeName(t, s.Params)
	if variadic {
		return "..." + given
	}
	return given
}

// follows reports whether a token is right behind a node.
func (p *walker) follows(n binder.At, token string) bool {
	return strings.HasPrefix(strings.TrimLeft(p.Text[p.Nodes[n].End:], " \t\n"), token)
}

// metatypeOf is the type parameter T where a type is T.Type.
func (p *walker) metatypeOf(t binder.At, params []string) string {
	name, ok := strings.CutSuffix(p.TextAt(t), ".Type")
	if ok && slices.Contains(params, name) {
		return name
	}
	return ""
}

// typeName is the name of a type, as far as overloads are told by it: "&" of a function, ""
// where it says nothing.
func (p *walker) typeName(t binder.At, params []string) string {
	switch p.Kind(t) {
	case "user_type":
		name := p.TextAt(p.Last(t))
		if p.Kind(p.Last(t)) == "type_arguments" {
			name = plainType(p.TextAt(t))
			name = name[strings.LastIndexByte(name, '.')+1:]
		}
		if slices.Contains(params, name) || name == "Type" || name == "Self" {
			return ""
		}
		return name
	case "function_type":
		return "&" + strconv.Itoa(p.arity(t))
	case "tuple_type", "tuple_type_item":
		if only := p.Nth(t, 0); only >= 0 && only == p.Last(t) {
			return p.typeName(only, params)
		}
	case "optional_type":
		return p.typeName(p.Child(t, "wrapped"), params)
	case "array_type":
		return "[]"
	case "dictionary_type":
		return "[:]"
	}
	return ""
}

// arity is how many parameters a type of functions has.
func (p *walker) arity(t binder.At) (n int) {
	params := p.Child(t, "params")
	if p.Kind(params) != "tuple_type" {
		return 1
	}
	for range p.Named(params) {
		n++
	}
	return n
}

// property declares the properties of a type or file, or binds locals.
func (p *walker) property(n binder.At) {
	t := p.Child(p.First(n, "type_annotation"), "name")
	names := []binder.At{}
	for c := range p.All(n) {
		if p.Field(c) == "name" {
			names = append(names, c)
		}
	}
	for i, pattern := range names {
		from := binder.Source{}
		own := p.after(n, pattern)
		switch a := p.annotated(own); {
		case a >= 0:
			from = binder.ValueOfType(a)
		case t >= 0 && len(own) == 0 && i == len(names)-1:
			from = binder.ValueOfType(t)
		case valueIn(p, own) >= 0:
			from = binder.Source{Node: valueIn(p, own)}
		}
		if p.isLocal(n) {
			p.bindPattern(pattern, p.ScopeAround(n), from, p.Nodes[n].End)
			continue
		}
		p.stored(n, pattern, from)
	}
	p.accessors(n)
	p.inside(n)
}

// after are the children behind a pattern that belong to it.
func (p *walker) after(n, pattern binder.At) (own []binder.At) {
	for c := range p.All(n) {
		if c <= pattern {
			continue
		}
		if p.Field(c) == "name" {
			break
		}
		own = append(own, c)
	}
	return own
}

func (p *walker) annotated(own []binder.At) binder.At {
	for _, c := range own {
		if p.Kind(c) == "type_annotation" {
			return p.Child(c, "name")
		}
	}
	return binder.None
}

func valueIn(p *walker, own []binder.At) binder.At {
	for _, c := range own {
		if p.Field(c) == "value" {
			return c
		}
	}
	return binder.None
}

// isLocal reports whether a declaration is within code.
func (p *walker) isLocal(n binder.At) bool {
	switch p.Kind(p.Parent(n)) {
	case "class_body", "enum_class_body", "protocol_body", "source_file":
		return false
	case "ERROR":
		return p.Parent(p.Parent(n)) >= 0 && p.isLocal(p.Parent(n))
	}
	return true
}

// stored declares the properties of a pattern.
func (p *walker) stored(n, pattern binder.At, from binder.Source) {
	if name := p.Child(pattern, "bound_identifier"); name >= 0 {
		s := p.declare(name, n, "property")
		p.constrained(n, s)
		if from != (binder.Source{}) {
			s.Values = append(s.Values, from)
		}
		return
	}
	i := 0
	for c := range p.Named(pattern) {
		if p.Kind(c) == "pattern" {
			p.stored(n, c, from.Part(i))
			i++
		}
	}
}

// accessors makes the getter and setter scopes, with what they are given.
func (p *walker) accessors(n binder.At) {
	for _, c := range []binder.At{p.Child(n, "computed_value"), p.First(n, "willset_didset_block")} {
		if c >= 0 {
			p.Open(c, 'f', p.ScopeAround(c).Symbol)
		}
	}
}

// cases declares the cases of an enum: values of it, or functions that make one.
func (p *walker) cases(n binder.At) {
	parent, _ := p.around(n)
	var s *binder.Symbol
	for c := range p.All(n) {
		switch {
		case p.Field(c) == "name":
			s = p.declare(c, n, "const")
			s.Static = true
			if parent != nil {
				s.Exported = parent.Exported
			}
			s.Values = []binder.Source{binder.Source{Mark: binder.MarkClass, Node: n}.Value()}
		case p.Field(c) == "data_contents" && s != nil:
			p.payload(c, s)
		}
	}
	p.inside(n)
}

// payload is what a case is made of. The case is a function then.
func (p *walker) payload(n binder.At, s *binder.Symbol) {
	label, optional := "_", false
	var accepts []string
	for c := range p.All(n) {
		switch {
		case p.Kind(c) == "simple_identifier" && p.Field(c) == "":
			label = p.Plain(c)
		case p.Field(c) == "name":
			accepts = append(accepts, label+":"+p.typeName(c, nil))
			p.payloads[s] = append(p.payloads[s], c)
			label, optional = "_", false
		case p.Kind(c) == "=" && len(accepts) > 0 && !optional:
			accepts[len(accepts)-1], optional = "="+accepts[len(accepts)-1], true
		}
	}
	s.Signature = signature(accepts)
}

// made0 says of cases with a payload that they are functions: what their types are is known
// when all of the file is declared.
func (p *walker) made0() {
	for s, types := range p.payloads {
		if s.Enclosing == nil {
			continue
		}
		args := make([]facts.Expr, len(types))
		for i, t := range types {
			if args[i] = p.TypeOf(t); !args[i].Known() {
				args[i] = facts.External
			}
		}
		s.Values, s.Type = nil, facts.FuncWith(s.Enclosing.Expr(), args...)
	}
}

// alias declares a typealias or an associated type.
func (p *walker) alias(n binder.At) {
	name := p.Child(n, "name")
	s := p.declare(name, n, "type")
	s.Static = true
	p.typeParameters(n, p.Open(n, 'c', s), s)
	for c := range p.Named(n) {
		if c != name && p.Field(c) == "name" {
			s.Values = []binder.Source{binder.TypeAt(c)}
			break
		}
	}
	if len(s.Values) == 0 {
		s.Values = []binder.Source{binder.ExternalSource}
	}
	p.inside(n)
}
