package bound

import (
	"strings"
	"unicode"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// rubyGenerated declares a method that a call in the body of a class makes, if the outline has it: an attribute, an
// association, a scope, what is delegated, another name.
func rubyGenerated(p *walker, f *form, name binder.At, around *binder.Scope) {
	start := int(p.Nodes[name].Start)
	if p.Outlined[start] == nil || p.BySpot[start] != nil {
		return
	}
	decl, macro, parent := name, p.TextAt(f.part("macro")), around.Symbol
	if macro == "scope" || f.kind == "defined" || f.kind == "alias" {
		decl = f.node // what is in its block is its own, and so is what it names
	}
	if up := p.Up(name, "assignment", "class"); f.part("record") >= 0 && up >= 0 {
		parent = p.BySpot[int(p.Nodes[max(p.Child(up, "left"), p.Child(up, "name"))].Start)]
	}
	s := p.DeclareSymbol(name, decl, "method", parent)
	p.named[name] = true
	s.Static = rubyStatic(p, f.node) || macro == "scope" || macro == "define_singleton_method"
	s.Signature = rubySignature(p, f)
	rubyGives(p, f, name, s)
}

// rubyGives says what a generated method gives.
func rubyGives(p *walker, f *form, name binder.At, s *binder.Symbol) {
	macro := p.TextAt(f.part("macro"))
	switch {
	case macro == "scope":
		s.ResultSources = []binder.Source{{Node: f.node, Mark: binder.MarkClass}}
	case f.part("result") >= 0:
		s.ResultSources = []binder.Source{{Node: f.part("result")}}
	case f.kind == "alias" && !strings.HasSuffix(s.Name, "="):
		s.ResultSources = []binder.Source{binder.Known(facts.Name(symbolName(p, f.part("aliased"))).Call(0))}
	case f.kind == "delegated":
		s.ResultSources = []binder.Source{{Node: name}}
	case f.kind == "generated" && rubyAssociations[macro]:
		of := rubyAssociated(p, f, name)
		p.related[f.node] = of
		if many := strings.Contains(macro, "many"); many && of.Known() {
			s.ResultSources = []binder.Source{binder.Known(of)}
		} else if of.Known() {
			s.ResultSources = []binder.Source{binder.Known(binder.ValueOf(of))}
		}
	}
}

var rubyAssociations = map[string]bool{
	"belongs_to": true, "has_one": true, "has_many": true, "has_and_belongs_to_many": true,
}

// rubyAssociated is the class of what an association is of, by its option or, as Active Record has it, by its name.
func rubyAssociated(p *walker, f *form, name binder.At) facts.Expr {
	if n := rubyOption(p, f.node, "class_name"); n >= 0 {
		content := p.First(n, "string_content")
		if text := p.TextAt(content); content >= 0 && p.Kind(n) == "string" && isRubyPath(text) {
			return rubyPath(text)
		}
		return facts.Unknown
	}
	for _, option := range []string{"polymorphic", "source", "source_type", "anonymous_class"} {
		if rubyOption(p, f.node, option) >= 0 {
			return facts.Unknown
		}
	}
	class := symbolName(p, name)
	if strings.Contains(p.TextAt(f.part("macro")), "many") {
		class = singular(class)
	}
	return rubyPath(camelized(class))
}

// rubyOption is the value of an option of a call.
func rubyOption(p *walker, call binder.At, name string) binder.At {
	for c := range p.Named(p.Child(call, "arguments")) {
		if p.Kind(c) == "pair" && symbolName(p, p.Child(c, "key")) == name {
			return p.Child(c, "value")
		}
	}
	return binder.None
}

// isRubyPath reports whether a text is constants with "::" between.
func isRubyPath(text string) bool {
	for part := range strings.SplitSeq(strings.TrimPrefix(text, "::"), "::") {
		if part == "" || part[0] < 'A' || part[0] > 'Z' || strings.ContainsFunc(part, func(r rune) bool {
			return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
		}) {
			return false
		}
	}
	return true
}

// rubyPath is what constants with "::" between stand for.
func rubyPath(text string) facts.Expr {
	first, rest, _ := strings.Cut(strings.TrimPrefix(text, "::"), "::")
	e := facts.Name(first)
	for rest != "" {
		first, rest, _ = strings.Cut(rest, "::")
		e = e.Member(first)
	}
	return e
}

// camelized is a name in lower case as that of a class.
func camelized(name string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(name, "_") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return b.String()
}

// singulars are endings of plurals and what they are of one, those of Active Support; the first that fits counts.
var singulars = strings.Fields(`
people/person children/child women/woman men/man moves/move movies/movie series/series news/news data/datum
media/medium quizzes/quiz databases/database matrices/matrix vertices/vertex indices/index aliases/alias
statuses/status buses/bus oxen/ox shoes/shoe crises/crisis analyses/analysis diagnoses/diagnosis bases/basis
theses/thesis axes/axis mice/mouse sses/ss xes/x ches/ch shes/sh oes/o wolves/wolf halves/half selves/self
shelves/shelf lves/lf hives/hive tives/tive quies/quy ies/y ss/ss s/`)

// singular is what one of several things is called.
func singular(name string) string {
	for _, s := range singulars {
		many, one, _ := strings.Cut(s, "/")
		if stem, ok := strings.CutSuffix(name, many); ok {
			return stem + one
		}
	}
	return name
}

// rubyDelegate is what a method at a name is delegated to; ok is false for other names.
func rubyDelegate(p *walker, n binder.At) (of facts.Expr, ok bool) {
	list := p.Parent(n)
	call := p.Parent(list)
	to := binder.None
	switch macro := p.TextAt(p.Child(call, "method")); {
	case p.Kind(list) != "argument_list":
		return facts.Unknown, false
	case macro == "delegate":
		to = rubyOption(p, call, "to")
	case strings.HasPrefix(macro, "def_") && strings.Contains(macro, "delegator"):
		to = p.Nth(list, 0)
	}
	if to < 0 || to == n {
		return facts.Unknown, false
	}
	return rubyTarget(p, to), true
}

// rubyTarget is what a symbol names that methods are delegated to.
func rubyTarget(p *walker, to binder.At) facts.Expr {
	name := symbolName(p, to)
	switch {
	case p.Kind(to) != "simple_symbol" || name == "class" || isRubyPath(name):
		return facts.Unknown
	case strings.HasPrefix(name, "@"):
		return p.Resolve(to, name, true).Expr
	}
	return facts.Name(name).Call(0)
}

// rubyRelated is self where it is not what is around: in the block of an association, the class of that. ok is false
// elsewhere.
func rubyRelated(p *walker, n binder.At) (of facts.Expr, ok bool) {
	if len(p.related) == 0 {
		return facts.Unknown, false
	}
	for up := p.Parent(n); up >= 0; up = p.Parent(up) {
		switch p.Kind(up) {
		case "class", "module", "method", "singleton_method":
			return facts.Unknown, false
		case "lambda":
			if call := p.Parent(p.Parent(up)); call >= 0 {
				if of, ok := p.related[call]; ok {
					return of, true
				}
			}
		}
	}
	return facts.Unknown, false
}

// Marks in the Signature of a method of Ruby that a call makes: what resolve/ruby reads there.
const (
	rubyWriter  = ""        // "a=" is there, "a" is not
	rubyBoth    = "="       // both are
	rubyAsked   = "asked"   // "a?" is
	rubySided   = "sided"   // the class has it too, or its values have
	rubyConcern = "concern" // classes have it that include the module

	rubyElsewhere = "elsewhere" // others have methods of its name
	rubyRecord    = "record"    // it is of records, and called of one or in their class
	rubyGrouped   = "grouped"   // it is of a group of examples
)

// rubySignature says by which other names a generated method may be called, and of what.
func rubySignature(p *walker, f *form) string {
	var marks []string
	macro := p.TextAt(max(f.part("macro"), f.part("accessor")))
	switch {
	case strings.HasSuffix(macro, "writer"):
		marks = append(marks, rubyWriter)
	case strings.HasSuffix(macro, "accessor"), rubyWritten[macro] && f.kind != "state",
		p.TextAt(f.part("record")) == "Struct":
		marks = append(marks, rubyBoth)
	}
	if macro == "enum" && f.kind == "state" || macro == "class_attribute" || macro == "attribute" {
		marks = append(marks, rubyAsked)
	}
	if strings.Contains(macro, "mattr") || strings.Contains(macro, "cattr") || macro == "class_attribute" {
		marks = append(marks, rubySided)
	}
	if f.kind == "delegated" || f.part("record") >= 0 || macro == "attribute" || macro == "alias_attribute" {
		marks = append(marks, rubyElsewhere)
	}
	if rubyAssociations[macro] || macro == "scope" || macro == "enum" {
		marks = append(marks, rubyRecord)
	}
	if rubyInConcern(p, f.node) {
		marks = append(marks, rubyConcern)
	}
	if rubyInGroup(p, f.node) {
		marks = append(marks, rubyGrouped)
	}
	if len(marks) == 0 {
		return ""
	}
	return binder.Signature(marks)
}

// rubyInGroup reports whether a method is declared in a block outside of classes, as those of a group of examples are,
// which is not to be shared.
func rubyInGroup(p *walker, n binder.At) (grouped bool) {
	for up := p.Parent(n); up >= 0; up = p.Parent(up) {
		switch p.Kind(up) {
		case "class", "module", "singleton_class", "method", "singleton_method":
			return false
		case "assignment": // of a class to its name
			if p.Kind(p.Child(up, "left")) == "constant" {
				return false
			}
		case "block", "do_block":
			grouped = true
			if strings.HasPrefix(p.TextAt(p.Child(p.Parent(up), "method")), "shared_") {
				return false
			}
		}
	}
	return grouped
}

var rubyWritten = map[string]bool{
	"belongs_to": true, "has_one": true, "has_many": true, "has_and_belongs_to_many": true, "attribute": true,
	"alias_attribute": true, "enum": true, "has_one_attached": true, "has_many_attached": true, "has_rich_text": true,
	"class_attribute": true, "attr_internal": true,
}

// rubyInConcern reports whether a place is in a block that is run in the classes which include the module around.
func rubyInConcern(p *walker, n binder.At) bool {
	for up := p.Parent(n); up >= 0; up = p.Parent(up) {
		switch p.Kind(up) {
		case "class", "module", "method", "singleton_method":
			return false
		case "call":
			if m := p.TextAt(p.Child(up, "method")); m == "class_methods" || m == "included" {
				return p.Child(up, "receiver") < 0
			}
		}
	}
	return false
}

// rubyBareOf is what has the method that a bare name means, if that is not self.
func rubyBareOf(p *walker, n binder.At) (of facts.Expr, ok bool) {
	if of, ok = rubyRelated(p, n); !ok {
		return of, false
	}
	if v, _ := p.ScopeOf(n).Find(p.TextAt(n), true); v != nil {
		return of, false
	}
	return of, true
}

// rubyInverse is what has the method that an option of an association names, if that is not self.
func rubyInverse(p *walker, n binder.At) (of facts.Expr, ok bool) {
	pair := p.Parent(n)
	call := p.Parent(p.Parent(pair))
	if p.Kind(pair) != "pair" || call < 0 {
		return facts.Unknown, false
	}
	class, ok := p.related[call]
	switch option := symbolName(p, p.Child(pair, "key")); {
	case !ok, option == "through", option == "if", option == "unless":
		return facts.Unknown, false
	case option == "inverse_of":
		return binder.ValueOf(class), true
	case strings.HasPrefix(option, "before_"), strings.HasPrefix(option, "after_"), option == "extend":
		return facts.Unknown, false
	}
	return facts.Unknown, true
}
