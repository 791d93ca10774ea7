// Package bound says what files bind and use in languages that have a query for
// it, of which each match says one thing.
package bound

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// walker is the walker of languages of which queries say what is bound and used.
type walker struct {
	*binder.Builder

	all     []*form
	values  map[binder.At]*form
	types   map[binder.At]*form
	begins  map[*binder.Binding]binder.At // where a name is first assigned, of those that are not declared otherwise
	clauses map[clauseOf]bool             // functions of which there was a clause
	named   map[binder.At]bool            // names of symbols
	paths   map[string]bool               // what Kotlin tests, once it was looked for

	places map[binder.At]int // of arguments of C# that were asked for, by how many come before them of those

	related map[binder.At]facts.Expr // associations of Ruby, and the classes of what they are of

	docs       map[binder.At]binder.At // of PHP: comments by what they stand before
	tags       map[binder.At][]docTag  // of comments that were looked at
	documented []documented            // and what may have one
	tests      *phpTests               // and what is tested, once it was looked for
	owned      map[phpOwned][]binder.At
}

// clauseOf is the function that a clause is of: where it is, its name and how many
// arguments it takes.
type clauseOf struct {
	parent   *binder.Symbol
	function string
}

// A form is what a match says of a node.
type form struct {
	word, kind string
	node       binder.At
	pattern    int
	parts      map[string][]binder.At
}

func (f *form) part(name string) binder.At {
	if list := f.parts[name]; len(list) > 0 {
		return list[0]
	}
	return binder.None
}

var formWords = map[string]int{"definition": 1, "import": 2, "scope": 3, "reference": 4, "value": 5, "type": 6}

// New returns the walker of a file of which there are matches.
func New(b *binder.Builder) binder.Walker {
	p := &walker{
		Builder: b, values: map[binder.At]*form{}, types: map[binder.At]*form{},
		begins: map[*binder.Binding]binder.At{}, clauses: map[clauseOf]bool{},
		named:   map[binder.At]bool{},
		related: map[binder.At]facts.Expr{},
	}
	for _, m := range b.Matches {
		parts := map[string][]binder.At{}
		for _, c := range m.Captures {
			word, kind, head := strings.Cut(c.Name, ".")
			if head || c.Name == "import" {
				p.all = append(p.all, &form{word, kind, c.Node, m.Pattern, parts})
			} else {
				parts[c.Name] = append(parts[c.Name], c.Node)
			}
		}
	}
	if b.Language == "PHP" {
		p.docs, p.tags = phpDocs(b.Tree), map[binder.At][]docTag{}
	}
	slices.SortStableFunc(p.all, func(x, y *form) int {
		return cmp.Or(int(x.node-y.node), formWords[x.word]-formWords[y.word], x.pattern-y.pattern)
	})
	for _, f := range p.all {
		of := map[string]map[binder.At]*form{"value": p.values, "type": p.types}[f.word]
		if of != nil && of[f.node] == nil {
			of[f.node] = f
		}
	}
	return p
}

func (p *walker) Declare() {
	declared := map[binder.At]*binder.Symbol{}
	imported := binder.None
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
	phpDocumented(p)
}

func (p *walker) scope(f *form, s *binder.Symbol) {
	if p.Scopes[f.node] != nil && f.node > 0 {
		return
	}
	kind := f.kind[0]
	switch f.kind {
	case "closed":
		kind = 'f'
	case "implicit":
		kind = 'b'
	}
	sc := p.Open(f.node, kind, s)
	sc.Closed = f.kind == "closed"
	if s != nil {
		for _, name := range s.Params {
			sc.Bind(name, binder.Known(facts.Name(name)))
		}
	}
}

// definition declares a symbol, or binds a local.
func (p *walker) definition(f *form) *binder.Symbol {
	name := f.part("name")
	if name < 0 {
		name = f.node
	}
	var from []binder.Source
	if v := f.sourceOf(); v != (binder.Source{}) {
		from = append(from, v)
	}
	around := p.ScopeAround(name)
	if name == f.node || p.Scopes[f.node] == nil {
		around = p.ScopeAround(f.node)
	}
	switch f.kind {
	case "variable", "parameter":
		if p.named[name] {
			return nil // a property that is declared as a parameter
		}
		p.BindAt(around, name, p.parameterFrom(around, name, from)...)
	case "assigned":
		if p.Language == "PHP" {
			if phpCaptured(p, around, name) {
				return nil
			}
			from = phpVariable(p, name, from)
		}
		p.assigned(around, name, from...)
	case "pattern":
		for n := f.node; n < p.Nodes[f.node].Next; n++ {
			if v := p.values[n]; v != nil && v.kind == "called" && !strings.HasPrefix(p.TextAt(n), "__") {
				p.assigned(around, n)
			}
		}
	case "let":
		rubyLet(p, f, around)
	case "accessor":
		rubyAccessor(p, f, name, around)
	case "generated", "delegated", "state", "alias", "defined":
		rubyGenerated(p, f, name, around)
		return p.BySpot[int(p.Nodes[name].Start)]
	case "implicit":
		p.scope(f, nil)
		if len(from) == 0 && p.First(f.node, "lambda_parameters") < 0 {
			from = kotlinParameter(f.node)
		}
		p.Scopes[f.node].Bind("it", from...)
	case "member":
		if p.Language == "Ruby" {
			around = rubyGroup(p, f.node, around)
		}
		for around.Parent != nil && around.Kind != 'c' {
			around = around.Parent
		}
		p.BindAt(around, name, from...)
	default:
		return p.symbol(f, name, around, from)
	}
	return nil
}

// Argument implements binder's sources, for lambdas of Kotlin and blocks of Ruby.
func (p *walker) Argument(n binder.At) facts.Expr {
	if p.Language == "Ruby" {
		return rubyRuns(p, n)
	}
	return kotlinGivenTo(p, n)
}

// parameterFrom is where the value of a variable or parameter comes from, if its own text does not say that.
func (p *walker) parameterFrom(around *binder.Scope, name binder.At, from []binder.Source) []binder.Source {
	switch {
	case len(from) == 0 && p.Language == "C#":
		return csharpLambda(p, around, name)
	case len(from) == 0 && p.Language == "Kotlin" && p.Kind(p.Parent(p.Parent(name))) == "lambda_parameters":
		return kotlinParameter(name)
	case p.Language == "PHP":
		return phpParameter(p, p.Parent(name), name, from)
	}
	return from
}

// assigned binds a name that may be bound already.
func (p *walker) assigned(around *binder.Scope, name binder.At, from ...binder.Source) {
	if v, sc := around.Find(p.TextAt(name), false); v != nil && sc != p.Top && v.Symbol == nil {
		around = sc
	}
	if v := p.BindAt(around, name, from...); p.begins[v] == 0 {
		p.begins[v] = name
	}
}

// sourceOf is where the value of what is defined comes from.
func (f *form) sourceOf() binder.Source {
	switch {
	case f.part("type") >= 0:
		return binder.ValueOfType(f.part("type"))
	case f.part("alias") >= 0:
		return binder.TypeAt(f.part("alias"))
	case f.part("element") >= 0:
		return binder.Source{Node: f.part("element")}.Elem()
	case f.part("value") >= 0:
		return binder.Source{Node: f.part("value")}
	}
	return binder.Source{}
}

func (p *walker) symbol(f *form, name binder.At, around *binder.Scope, from []binder.Source) *binder.Symbol {
	parent := around.Symbol
	if f.kind == "property" && parent != nil && isFunctionKind(parent.Kind) { // a parameter of the constructor
		parent = parent.Enclosing
	}
	if whole := p.Child(f.node, "name"); whole >= 0 { // "A::B": the outline has where the whole begins
		first, last := int(p.Nodes[whole].Start), int(p.Nodes[name].Start)
		if out := p.Outlined[first]; out != nil && first < last && p.Nodes[name].End <= p.Nodes[whole].End {
			delete(p.Outlined, first)
			p.Outlined[last] = out
		}
	}
	s := p.DeclareSymbol(name, f.node, f.kind, parent)
	if p.Language == "PHP" && !p.named[name] {
		p.documented = append(p.documented, documented{s, f.node})
	}
	p.named[name] = true
	s.SelfType = s.Kind == "module" || s.Kind == "namespace"
	if f.part("alias") >= 0 || !binder.Types[s.Kind] && !s.SelfType {
		s.Values = append(s.Values, from...)
	}
	if p.Language == "C#" && parent != nil && parent.Kind == "enum" {
		s.Values = []binder.Source{{Node: name, Mark: binder.MarkSelf}}
	}
	if t := f.part("returns"); t >= 0 && len(s.ResultSources) == 0 {
		s.ResultSources = []binder.Source{binder.ValueOfType(t)}
	}
	if n := f.part("result"); n >= 0 && len(s.ResultSources) == 0 && isFunctionKind(s.Kind) {
		s.ResultSources = []binder.Source{{Node: n}}
	}
	typeParameters(p, f, s)
	if t := f.part("owner"); t >= 0 {
		s.OwnerSource = binder.TypeAt(t)
	}
	if t := f.part("extended"); t >= 0 {
		s.Extended = binder.TypeAt(t)
	}
	switch n := f.part("parameters"); {
	case p.Language == "Kotlin":
		kotlinSymbol(p, f, s)
	case n >= 0 && p.Language == "C#":
		s.Signature, s.ArgSources = csharpParameters(p, n)
	case n >= 0:
		s.Signature = p.accepts(n)
	}
	if f.part("clause") >= 0 {
		of := clauseOf{parent, s.Name + strings.ReplaceAll(s.Signature, "=", "")}
		s.Prototype, p.clauses[of] = p.clauses[of], true
	}
	s.Static = s.Static || f.part("static") >= 0 || p.Language == "Ruby" && rubyStatic(p, f.node)
	if p.Language == "Ruby" && isFunctionKind(s.Kind) {
		s.Signature = rubySignature(p, f)
		rubyTakesBlock(p, s, f.node)
	}
	if up := parent; up != nil && !binder.Types[up.Kind] && up.Kind != "module" && up.Kind != "namespace" {
		around.Bind(s.Name).Is(s)
	}
	return s
}

// typeParameters says what a symbol is made from, and its type parameters.
func typeParameters(p *walker, f *form, s *binder.Symbol) {
	s.BaseSources = append(s.BaseSources, f.bases()...)
	if p.Language == "C#" && (s.Kind == "method" || s.Kind == "property") {
		s.BaseSources = csharpInterface(p, f.node)
	}
	for _, n := range f.parts["typeparameter"] {
		bound := binder.ExternalSource
		if p.Language == "C#" {
			bound = csharpBound(p, f.node, n)
		}
		s.Params, s.BoundSources = append(s.Params, p.TextAt(n)), append(s.BoundSources, bound)
	}
}

// bases are what a type is made from.
func (f *form) bases() (all []binder.Base) {
	for _, kind := range []facts.Kind{facts.Extends, facts.Implements, facts.Embeds} {
		for _, n := range f.parts[string(kind)] {
			all = append(all, binder.Base{Kind: kind, Of: binder.TypeAt(n), Args: binder.None})
		}
	}
	return all
}

func isFunctionKind(kind string) bool { return kind == "func" || kind == "method" }

// accepts is how many arguments parameters take, by their text.
func (p *walker) accepts(n binder.At) string {
	var list []string
	rest := strings.Contains(p.TextAt(n), "params ")
	typed := strings.Contains(p.Kind(n), "parameter")
	for c := range p.Named(n) {
		switch text := p.TextAt(c); {
		case strings.HasPrefix(text, "this "): // of C#: what the method is called of
		case strings.Contains(p.Kind(c), "modifier"):
			rest = rest || strings.Contains(text, "vararg")
		case typed && !strings.Contains(p.Kind(c), "parameter"): // of Kotlin: what the one before is without an argument
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
	return binder.Signature(list)
}

// importOf adds an import. Of a path without a name the last part is one.
func (p *walker) importOf(f *form) {
	path, name := f.part("path"), f.part("name")
	spot := max(path, name)
	i := facts.Import{Path: strings.Trim(p.TextAt(path), `\`), Name: p.TextAt(name), Local: p.TextAt(f.part("alias"))}
	i.Export = f.part("everywhere") >= 0
	if g := f.part("group"); g >= 0 {
		i.Path = p.TextAt(g) + p.separator(p.TextAt(g)) + i.Path
	}
	if rest, ok := strings.CutPrefix(i.Path, "__MODULE__"); ok {
		for s := p.ScopeAround(path).Symbol; s != nil; s = s.Enclosing {
			if s.Kind == "module" || s.Kind == "interface" {
				i.Path = s.Qualified + rest
				break
			}
		}
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
	for up := p.Last(spot); up >= 0; up = p.Last(spot) { // the last name of it
		spot = up
	}
	p.Imported(spot, i)
}

func (p *walker) separator(path string) string {
	if strings.Contains(path, `\`) || p.Language == "PHP" {
		return `\`
	}
	return "."
}
