// Package swift says what Swift files bind and use.
package swift

import (
	"slices"
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
	declareInside(p, 0)
	addTargets(p)
}

func declareInside(p *walker, n binder.At) {
	for c := range p.Named(n) {
		declareNode(p, c)
	}
}

func declareNode(p *walker, n binder.At) {
	switch p.Kind(n) {
	case "import_declaration":
		importOf(p, n)
	case "class_declaration":
		if isExtension(p, n) {
			declareExtension(p, n)
		} else {
			typeDeclaration(p, n, p.TextAt(p.Child(n, "declaration_kind")))
		}
	case "protocol_declaration":
		typeDeclaration(p, n, "protocol")
	case "function_declaration", "protocol_function_declaration", "init_declaration", "deinit_declaration",
		"subscript_declaration":
		declareFunction(p, n)
	case "property_declaration", "protocol_property_declaration":
		declareProperty(p, n)
	case "enum_entry":
		declareCases(p, n)
	case "typealias_declaration", "associatedtype_declaration":
		declareAlias(p, n)
	case "lambda_literal":
		bindClosure(p, n)
	default:
		bindStatement(p, n)
	}
}

// addConstraints says what type parameters of the type must be that an extension is of, for a
// member of it: as if they were its own.
func addConstraints(p *walker, n binder.At, s *binder.Symbol) {
	_, extended := symbolAround(p, n)
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

func isExtension(p *walker, n binder.At) bool {
	return p.TextAt(p.Child(n, "declaration_kind")) == "extension"
}

func importOf(p *walker, n binder.At) {
	id := p.First(n, "identifier")
	if id < 0 {
		return
	}
	i := facts.Import{Path: strings.Join(strings.Fields(p.TextAt(id)), "")}
	i.Export = strings.Contains(p.TextAt(p.First(n, "modifiers")), "_exported")
	p.Imported(p.Nth(id, 0), i)
}

// symbolAround is the symbol that a declaration is in, and the extension if it is right in one.
func symbolAround(p *walker, n binder.At) (s *binder.Symbol, extended binder.At) {
	for up := p.Parent(n); up >= 0; up = p.Parent(up) {
		if p.Kind(up) == "class_declaration" && isExtension(p, up) {
			return nil, up
		}
		if sc := p.Scopes[up]; sc != nil {
			return sc.Symbol, binder.None
		}
	}
	return nil, binder.None
}

// declareNamed adds a symbol; a member of an extension belongs to the type that is extended.
func declareNamed(p *walker, name, decl binder.At, kind string) *binder.Symbol {
	parent, extended := symbolAround(p, decl)
	s := p.DeclareSymbol(name, decl, kind, parent)
	s.Name = strings.Trim(s.Name, "`")
	if extended >= 0 {
		s.OwnerSource = binder.TypeAt(p.Child(extended, "name"))
		if c := selfConstraintOf(p, extended); c >= 0 {
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

// selfConstraintOf is the type that "where Self: T" says of an extension or protocol, or none.
func selfConstraintOf(p *walker, n binder.At) binder.At {
	return constraintOf(p, n, "Self")
}

// constraintOf is the type that a where clause says of a name, or none.
func constraintOf(p *walker, n binder.At, name string) binder.At {
	for c := range p.Named(p.First(n, "type_constraints")) {
		for x := range p.Named(c) {
			if p.TextAt(p.Child(x, "constrained_type")) == name {
				return p.Last(x)
			}
		}
	}
	return binder.None
}

func typeDeclaration(p *walker, n binder.At, kind string) {
	if kind == "actor" {
		kind = "class"
	}
	s := declareNamed(p, p.Child(n, "name"), n, kind)
	s.Static = true
	sc := p.Open(n, 'c', s)
	typeParameters(p, n, sc, s)
	eachBase(p, n, kind, func(of binder.Source, as facts.Kind) {
		s.BaseSources = append(s.BaseSources, binder.Base{Kind: as, Of: of, Args: binder.None})
	})
	if c := selfConstraintOf(p, n); c >= 0 {
		s.BaseSources = append(s.BaseSources, binder.Base{Kind: facts.Implements, Of: binder.TypeAt(c), Args: binder.None})
	}
	declareInside(p, n)
}

// eachBase calls f with what a declaration says that its type is made from.
func eachBase(p *walker, n binder.At, kind string, f func(of binder.Source, as facts.Kind)) {
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

func typeParameters(p *walker, n binder.At, sc *binder.Scope, s *binder.Symbol) {
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
		} else if b := constraintOf(p, n, name); b >= 0 {
			bound = binder.TypeAt(b)
		}
		s.BoundSources = append(s.BoundSources, bound)
	}
}

// declareExtension is no symbol: what is in it belongs to the type. That its type conforms to
// something is said by imports, where the type is declared in another file.
func declareExtension(p *walker, n binder.At) {
	name := p.Child(n, "name")
	sc := p.Open(n, 'c', nil)
	sc.Symbol = nil
	eachBase(p, n, "extension", func(of binder.Source, _ facts.Kind) {
		if of.Node < 0 {
			return
		}
		p.Imported(of.Node, facts.Import{
			Path: plainType(p.TextAt(of.Node)), Name: plainType(p.TextAt(name)), Local: facts.Extension,
		})
	})
	declareInside(p, n)
}

// plainType is the text of a type without spaces and type arguments.
func plainType(text string) string {
	if i := strings.IndexAny(text, "<&("); i >= 0 {
		text = text[:i]
	}
	return strings.Join(strings.Fields(text), "")
}

// LookFrom is the scope from which a name is looked up: a local is not known before it is
// declared.
func (p *walker) LookFrom(n binder.At, name string, from *binder.Scope) *binder.Scope {
	for {
		v, sc := from.Find(name, true)
		if v == nil || int(p.Nodes[n].Start) >= p.begins[v] || sc.Parent == nil {
			return from
		}
		from = sc.Parent
	}
}

// Argument is what the parameter is that a closure is given for.
func (p *walker) Argument(n binder.At) facts.Expr { return contextOf(p, n) }

// Use implements binder.Walker.
func (p *walker) Use() {
	typePayloads(p)
	uses(p, 0)
}

// Value implements binder.Walker.
func (p *walker) Value(n binder.At) facts.Expr { return valueAt(p, n) }

// Typed implements binder.Walker.
func (p *walker) Typed(n binder.At) facts.Expr { return typeAt(p, n) }
