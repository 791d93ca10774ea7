package syntax

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// A Match is what one pattern of a language's bindings matched. The names of
// captures follow the convention of tree-sitter's locals. One of these is what
// the match says of its node, the others are its parts:
//
//	@scope.KIND         names in it are its own: function, closed (a function that sees no locals around), class,
//	                    block
//	@definition.KIND    a declaration: a symbol of that kind with @name, or a local: variable, parameter, assigned
//	                    (one that is declared by its first assignment), member (one that all functions of the class
//	                    around share), implicit (the "it" of a lambda), pattern (all names in it are assigned)
//	@import             @path and what is taken from it: @name, @all, as @alias; @group is what the paths of a list
//	                    begin with
//	@reference.KIND     a use of @name, else of the node: call, type, extends, implements, read, write, import; none
//	                    is no use. @of is what it is a member of. @arguments and @argument are what is called with
//	@value.KIND         an expression: name, called (a variable, or a call without arguments), call (@function, or
//	                    @name of @object), member (@object, @name), new (@type), self, super, same (the value of the
//	                    last @inner), either (of all), list (of all), element (of @inner), type (the type itself),
//	                    literal
//	@type.KIND          a type: name, member (@object, @name), path (a qualified name), whole (one of a thing that is
//	                    no member), list, map (the last @inner), apply (@base with @arguments), same (@inner), self,
//	                    super, builtin
//
// Parts of a definition: @type, @returns (a type), @result (a value), @value, @element (the value is one of), @alias
// (what a type stands for), @extends, @implements, @owner (the type that it is a member of elsewhere), @static,
// @parameters, @typeparameter. Several matches of one declaration add up; of one expression the first pattern counts.
type Match struct {
	Pattern  int
	Captures []Captured
}

// Captured is a node by its index, and what a query calls it.
type Captured struct {
	Name string
	Node int32
}

// bound is the walker of languages of which queries say what is bound and used.
type bound struct {
	*builder

	all    []*form
	values map[at]*form
	types  map[at]*form
	begins map[*binding]at // where a name is first assigned, of those that are not declared otherwise
}

// A form is what a match says of a node.
type form struct {
	word, kind string
	node       at
	pattern    int
	parts      map[string][]at
}

func (f *form) part(name string) at {
	if list := f.parts[name]; len(list) > 0 {
		return list[0]
	}
	return none
}

var formWords = map[string]int{"definition": 1, "import": 2, "scope": 3, "reference": 4, "value": 5, "type": 6}

func newBound(b *builder) *bound {
	p := &bound{builder: b, values: map[at]*form{}, types: map[at]*form{}, begins: map[*binding]at{}}
	for _, m := range b.Matches {
		parts := map[string][]at{}
		for _, c := range m.Captures {
			word, kind, head := strings.Cut(c.Name, ".")
			if head || c.Name == "import" {
				p.all = append(p.all, &form{word, kind, c.Node, m.Pattern, parts})
			} else {
				parts[c.Name] = append(parts[c.Name], c.Node)
			}
		}
	}
	slices.SortStableFunc(p.all, func(x, y *form) int {
		return cmp.Or(int(x.node-y.node), formWords[x.word]-formWords[y.word], x.pattern-y.pattern)
	})
	for _, f := range p.all {
		of := map[string]map[at]*form{"value": p.values, "type": p.types}[f.word]
		if of != nil && of[f.node] == nil {
			of[f.node] = f
		}
	}
	return p
}

func (p *bound) declare() {
	declared := map[at]*symbol{}
	imported := none
	for _, f := range p.all {
		switch f.word {
		case "definition":
			if s := p.definition(f); s != nil {
				declared[f.node] = s
			}
		case "import":
			if f.node != imported { // by the first pattern
				p.importOf(f)
			}
			imported = f.node
		case "scope":
			p.scope(f, declared[f.node])
		}
	}
}

func (p *bound) scope(f *form, s *symbol) {
	if p.scopes[f.node] != nil && f.node > 0 {
		return
	}
	kind := f.kind[0]
	switch f.kind {
	case "closed":
		kind = 'f'
	case "implicit":
		kind = 'b'
	}
	sc := p.open(f.node, kind, s)
	sc.closed = f.kind == "closed"
	if s != nil {
		for _, name := range s.Params {
			sc.bind(name, known(facts.Name(name)))
		}
	}
}

// definition declares a symbol, or binds a local.
func (p *bound) definition(f *form) *symbol {
	name := f.part("name")
	if name < 0 {
		name = f.node
	}
	var from []source
	if v := f.sourceOf(); v != (source{}) {
		from = append(from, v)
	}
	around := p.scopeAround(name)
	if name == f.node || p.scopes[f.node] == nil {
		around = p.scopeAround(f.node)
	}
	switch f.kind {
	case "variable", "parameter":
		p.bindAt(around, name, from...)
	case "assigned":
		p.assigned(around, name, from...)
	case "pattern":
		for n := f.node; n < p.Nodes[f.node].Next; n++ {
			if v := p.values[n]; v != nil && v.kind == "called" && !strings.HasPrefix(p.text(n), "__") {
				p.assigned(around, n)
			}
		}
	case "implicit":
		p.scope(f, nil)
		p.scopes[f.node].bind("it", from...)
	case "member":
		for around.parent != nil && around.kind != 'c' {
			around = around.parent
		}
		p.bindAt(around, name, from...)
	default:
		return p.symbol(f, name, around, from)
	}
	return nil
}

// assigned binds a name that may be bound already.
func (p *bound) assigned(around *scope, name at, from ...source) {
	if v, sc := around.find(p.text(name), false); v != nil && sc != p.top && v.symbol == nil {
		around = sc
	}
	if v := p.bindAt(around, name, from...); p.begins[v] == 0 {
		p.begins[v] = name
	}
}

// sourceOf is where the value of what is defined comes from.
func (f *form) sourceOf() source {
	switch {
	case f.part("type") >= 0:
		return valueOfType(f.part("type"))
	case f.part("alias") >= 0:
		return typeAt(f.part("alias"))
	case f.part("element") >= 0:
		return source{node: f.part("element")}.elem()
	case f.part("value") >= 0:
		return source{node: f.part("value")}
	}
	return source{}
}

func (p *bound) symbol(f *form, name at, around *scope, from []source) *symbol {
	parent := around.symbol
	if f.kind == "property" && parent != nil && isFunctionKind(parent.Kind) { // a parameter of the constructor
		parent = parent.parent
	}
	s := p.declareSymbol(name, f.node, f.kind, parent)
	s.selfType = s.Kind == "module" || s.Kind == "namespace"
	if f.part("alias") >= 0 || !types[s.Kind] && !s.selfType {
		s.value = append(s.value, from...)
	}
	if t := f.part("returns"); t >= 0 && len(s.results) == 0 {
		s.results = []source{valueOfType(t)}
	}
	if n := f.part("result"); n >= 0 && len(s.results) == 0 && isFunctionKind(s.Kind) {
		s.results = []source{{node: n}}
	}
	for _, n := range f.parts["extends"] {
		s.bases = append(s.bases, base{facts.Extends, typeAt(n), none})
	}
	for _, n := range f.parts["implements"] {
		s.bases = append(s.bases, base{facts.Implements, typeAt(n), none})
	}
	for _, n := range f.parts["typeparameter"] {
		s.Params, s.bounds = append(s.Params, p.text(n)), append(s.bounds, externalSource)
	}
	if t := f.part("owner"); t >= 0 {
		s.owner = typeAt(t)
	}
	if n := f.part("parameters"); n >= 0 {
		s.Signature = p.accepts(n)
	}
	s.Static = s.Static || f.part("static") >= 0
	if up := parent; up != nil && !types[up.Kind] && up.Kind != "module" && up.Kind != "namespace" {
		around.bind(s.Name).is(s)
	}
	return s
}

func isFunctionKind(kind string) bool { return kind == "func" || kind == "method" }

// accepts is how many arguments parameters take, by their text.
func (p *bound) accepts(n at) string {
	var list []string
	rest := strings.Contains(p.text(n), "params ")
	typed := strings.Contains(p.kind(n), "parameter")
	for c := range p.named(n) {
		switch text := p.text(c); {
		case strings.HasPrefix(text, "this "): // of C#: what the method is called of
		case strings.Contains(p.kind(c), "modifier"):
			rest = rest || strings.Contains(text, "vararg")
		case typed && !strings.Contains(p.kind(c), "parameter"): // of Kotlin: what the one before is without an argument
			if len(list) > 0 {
				list[len(list)-1] = "="
			}
		case typed && strings.Contains(text, "="), strings.Contains(text, `\\`):
			list = append(list, "=")
		default:
			list = append(list, "")
		}
	}
	if rest {
		list = append(list, "...")
	}
	return signature(list)
}

// importOf adds an import. Of a path without a name the last part is one.
func (p *bound) importOf(f *form) {
	path, name := f.part("path"), f.part("name")
	spot := max(path, name)
	i := facts.Import{Path: strings.Trim(p.text(path), `\`), Name: p.text(name), Local: p.text(f.part("alias"))}
	if g := f.part("group"); g >= 0 {
		i.Path = p.text(g) + p.separator(p.text(g)) + i.Path
	}
	switch at := strings.LastIndexAny(i.Path, `.\`); {
	case f.part("all") >= 0:
		i.Name = "*"
	case name < 0 && at >= 0 && f.kind != "file":
		i.Path, i.Name = i.Path[:at], i.Path[at+1:]
	case name < 0 && f.kind != "file":
		i.Path, i.Name = "", i.Path
	}
	if i.Name == "" && f.kind != "file" {
		return
	}
	for up := p.last(spot); up >= 0; up = p.last(spot) { // the last name of it
		spot = up
	}
	p.imported(spot, i)
}

func (p *bound) separator(path string) string {
	if strings.Contains(path, `\`) || p.language == "PHP" {
		return `\`
	}
	return "."
}
