package bound

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// A docTag is a tag of a comment of PHP that says something of what is declared behind it, as "@return Foo the text".
type docTag struct {
	name string // without "@" and the prefix of a tool
	text string // what is behind it
	at   int    // where that is in the file
	end  int    // where the comment ends
	tool bool   // it had the prefix of a tool, as "@phpstan-return" has: such a type says more
	open int    // how many brackets of the text are not closed

	parsed bool // once its type was asked for:
	is     facts.Expr
	behind string
}

// longestTag is how much is read of a tag of several lines, in bytes.
const longestTag = 8 << 10

// phpDocs are the comments of a file by what they stand before.
func phpDocs(t *binder.Tree) map[binder.At]binder.At {
	docs := map[binder.At]binder.At{}
	for n := range binder.At(len(t.Nodes)) {
		if t.Kind(n) != "comment" || !strings.HasPrefix(t.TextAt(n), "/**") {
			continue
		}
		of := t.Nodes[n].Next
		for int(of) < len(t.Nodes) && t.Kind(of) == "comment" && !strings.HasPrefix(t.TextAt(of), "/**") {
			of = t.Nodes[of].Next
		}
		if int(of) < len(t.Nodes) && t.Parent(of) == t.Parent(n) {
			docs[of] = n
		}
	}
	return docs
}

// docTags are the tags of the comment before a node, remembered.
func docTags(p *walker, of binder.At) []docTag {
	comment, ok := p.docs[of]
	if !ok {
		return nil
	}
	tags, ok := p.tags[comment]
	if !ok {
		tags = tagsOf(p, comment)
		p.tags[comment] = tags
	}
	return tags
}

// tagsOf are the tags of a comment.
func tagsOf(p *walker, comment binder.At) (tags []docTag) {
	at := int(p.Nodes[comment].Start)
	for line := range strings.SplitAfterSeq(strings.TrimSuffix(p.TextAt(comment), "*/"), "\n") {
		text := strings.TrimLeft(line, " \t/*")
		begin := at + len(line) - len(text)
		at += len(line)
		text = strings.TrimRight(text, " \t\r\n")
		if rest, ok := strings.CutPrefix(text, "@"); ok {
			name, behind, _ := strings.Cut(rest, " ")
			tag := docTag{name: name, text: strings.TrimLeft(behind, " \t"), end: int(p.Nodes[comment].End)}
			tag.open = opened(tag.text)
			for _, prefix := range []string{"phpstan-", "psalm-"} {
				if plain, ok := strings.CutPrefix(name, prefix); ok {
					tag.name, tag.tool = plain, true
				}
			}
			tag.at = begin + len(text) - len(tag.text)
			tags = append(tags, tag)
		} else if n := len(tags) - 1; n >= 0 && tags[n].open > 0 && len(tags[n].text) < longestTag {
			tags[n].text += " " + text // a type of several lines
			tags[n].open += opened(text)
		}
	}
	return tags
}

// opened is how many more brackets a text opens than it closes.
func opened(text string) (n int) {
	for i := range len(text) {
		switch text[i] {
		case '<', '(', '{':
			n++
		case '>', ')', '}':
			n--
		}
	}
	return n
}

// phpType is the type that a tag begins with, and what is behind it, remembered.
func (t *docTag) phpType() (is facts.Expr, behind string) {
	if !t.parsed {
		t.parsed = true
		t.is, t.behind = phpType(t.text)
	}
	return t.is, t.behind
}

// find is where a text is in a tag that is behind what the tag begins with, or -1.
func (t *docTag) find(p *walker, text, behind string) int {
	from := t.at + len(t.text) - len(behind) // later where the tag is of several lines
	if from > t.end {
		return -1
	}
	at := strings.Index(p.Text[from:t.end], text)
	if at < 0 {
		return -1
	}
	return from + at
}

// docType is the type that the first of some tags says, those of tools before others, and what is behind it;
// nothing if that is not of the repository or not known.
func docType(tags []docTag, name string, of func(behind string) bool) facts.Expr {
	found := facts.Nothing
	for i := range tags {
		t := &tags[i]
		if t.name != name || found != facts.Nothing && !t.tool {
			continue
		}
		e, behind := t.phpType()
		if e.Known() && !e.IsExternal() && of(behind) {
			found = e
			if t.tool {
				break
			}
		}
	}
	return found
}

// anything is behind a type.
func anything(string) bool { return true }

// variableAt reports whether what is behind a type begins with a variable.
func variableAt(name string) func(behind string) bool {
	return func(behind string) bool {
		behind = strings.TrimLeft(behind, " &.")
		rest, ok := strings.CutPrefix(behind, name)
		return ok && (rest == "" || !isNamePart(rest[0]))
	}
}

// valueOf is a source that gives a value of a type.
func valueOf(t facts.Expr) binder.Source { return binder.Known(binder.ValueOf(t)) }

// phpParameter is what a parameter of a function is: what the comment before that says, else its type, else what
// a closure is given by the function that it is an argument of.
func phpParameter(p *walker, parameter, name binder.At, from []binder.Source) []binder.Source {
	rest := p.Kind(parameter) == "variadic_parameter"
	function := p.Parent(p.Parent(parameter))
	t := docType(docTags(p, function), "param", variableAt(p.TextAt(name)))
	switch {
	case t != facts.Nothing && rest:
		return []binder.Source{valueOf(facts.List(t))}
	case t != facts.Nothing:
		return []binder.Source{valueOf(t)}
	case rest && p.Child(parameter, "type") >= 0:
		return []binder.Source{binder.TypeAt(p.Child(parameter, "type")).Done(binder.TakeListOf)}
	case len(from) == 0 && !rest:
		return phpGiven(p, function, parameter)
	}
	return from
}

// phpVariable is what the comment before a statement says of a variable that it assigns.
func phpVariable(p *walker, name binder.At, from []binder.Source) []binder.Source {
	assignment := p.Parent(name)
	for up := assignment; up >= 0; up = p.Parent(up) {
		tags := docTags(p, up)
		if t := docType(tags, "var", variableAt(p.TextAt(name))); t != facts.Nothing {
			return []binder.Source{valueOf(t)}
		}
		if p.Kind(up) == "expression_statement" && p.Parent(assignment) == up {
			unnamed := func(behind string) bool { return !strings.HasPrefix(behind, "$") }
			if t := docType(tags, "var", unnamed); t != facts.Nothing {
				return []binder.Source{valueOf(t)}
			}
		}
		if strings.HasSuffix(p.Kind(up), "_statement") {
			break
		}
	}
	return from
}

// A documented is a declaration that may have a comment before it.
type documented struct {
	symbol *binder.Symbol
	node   binder.At
}

// phpDocumented adds to declarations what the comments before them say.
func phpDocumented(p *walker) {
	for _, d := range p.documented {
		switch tags := docTags(p, d.node); {
		case isFunctionKind(d.symbol.Kind):
			phpFunction(p, d, tags)
		case binder.Types[d.symbol.Kind]:
			phpClass(p, d, tags)
		case d.symbol.Kind == "property":
			t := docType(tags, "var", anything)
			if p.Kind(d.node) == "property_promotion_parameter" && t == facts.Nothing {
				d.symbol.Values = phpParameter(p, d.node, p.Child(d.node, "name"), d.symbol.Values)
			}
			if t != facts.Nothing {
				d.symbol.Values = []binder.Source{valueOf(t)}
			} else if p.Child(d.node, "type") < 0 {
				d.symbol.Values = append(d.symbol.Values, phpAssigned(p, d.symbol)...)
			}
		}
	}
}

// phpFunction adds what the tags of a function say: its type parameters, its result and what it takes.
func phpFunction(p *walker, d documented, tags []docTag) {
	s := d.symbol
	phpTemplates(s, tags)
	if t := docType(tags, "return", anything); t != facts.Nothing {
		s.ResultSources = []binder.Source{valueOf(t)}
	} else if len(s.ResultSources) == 0 {
		s.ResultSources = phpReturned(p, p.Child(d.node, "body"))
	}
	takesFunction := false
	var args []binder.Source
	for c := range p.Named(p.Child(d.node, "parameters")) {
		name := p.Child(c, "name")
		t := docType(tags, "param", variableAt(p.TextAt(name)))
		from := binder.ValueOfType(p.Child(c, "type"))
		if t != facts.Nothing {
			from = valueOf(t)
			takesFunction = takesFunction || t.Root() == facts.OpFunc
		} else if from.Node < 0 {
			from = binder.ExternalSource
		}
		args = append(args, from)
		s.Rest = p.Kind(c) == "variadic_parameter"
	}
	if len(s.Params) > 0 || takesFunction {
		s.ArgSources = args
	}
}

// phpTemplates adds type parameters.
func phpTemplates(s *binder.Symbol, tags []docTag) {
	for _, t := range tags {
		switch t.name {
		case "template", "template-covariant", "template-contravariant":
			name, rest, _ := strings.Cut(t.text, " ")
			if name == "" {
				continue
			}
			bound := binder.ExternalSource
			rest = strings.TrimLeft(rest, " ")
			if of, ok := strings.CutPrefix(rest, "of "); ok {
				if e, _ := phpType(of); e.Known() {
					bound = binder.Known(e)
				}
			}
			s.Params, s.BoundSources = append(s.Params, name), append(s.BoundSources, bound)
		}
	}
}

// phpClass adds what the tags of a type say: its type parameters, the type arguments of what it is made from,
// members that nothing declares, and what has others.
func phpClass(p *walker, d documented, tags []docTag) {
	s := d.symbol
	phpTemplates(s, tags)
	for n := range p.All(p.Child(d.node, "body")) { // "@use Trait<Type>" is before the "use"
		if p.Kind(n) == "use_declaration" {
			tags = slices.Concat(tags, docTags(p, n))
		}
	}
	var mixed []facts.Expr
	for _, t := range tags {
		switch t.name {
		case "extends", "implements", "use", "template-extends", "template-implements", "template-use":
			e, _ := phpType(t.text)
			if e.Root() == facts.OpList { // it has elements
				mixed = append(mixed, e)
			} else if e.Base() != e {
				for i, b := range s.BaseSources {
					if b.Of.Node >= 0 && lastOf(p.TextAt(b.Of.Node)) == e.LastName() {
						s.BaseSources[i].Of = binder.Known(e)
					}
				}
			}
		case "mixin":
			if e, _ := phpType(t.text); e.Known() && !e.IsExternal() {
				mixed = append(mixed, e)
			}
		case "property", "property-read", "property-write":
			phpProperty(p, s, t)
		case "method":
			phpMethod(p, s, t)
		}
	}
	if len(mixed) == 1 {
		s.Under = mixed[0]
	} else if len(mixed) > 1 {
		s.Under = facts.Union(mixed...)
	}
}

func lastOf(name string) string { return name[strings.LastIndexByte(name, '\\')+1:] }

// phpProperty declares a property that a class makes known by a tag: "Type $name".
func phpProperty(p *walker, class *binder.Symbol, t docTag) {
	e, behind := phpType(t.text)
	if strings.HasPrefix(t.text, "$") { // without a type
		e, behind = facts.Unknown, t.text
	}
	name, ok := strings.CutPrefix(strings.TrimLeft(behind, " \t"), "$")
	if !ok {
		return
	}
	name = name[:nameLength(name)]
	at := t.find(p, "$"+name, behind)
	if other := class.Members[name]; name == "" || at < 0 || other != nil && !isFunctionKind(other.Kind) {
		return
	}
	s := phpMember(p, class, "property", name, at+1)
	s.Values = []binder.Source{valueOf(e)}
}

// phpMethod declares a method that a class makes known by a tag: "static Type name(Type $x)".
func phpMethod(p *walker, class *binder.Symbol, t docTag) {
	text := t.text
	rest, static := strings.CutPrefix(text, "static ")
	if static { // or it is the type of "static name()"
		text = rest
	}
	e, behind := phpType(text)
	behind = strings.TrimLeft(behind, " \t")
	if n := nameLength(text); n > 0 && n < len(text) && text[n] == '(' { // without a type
		if e, behind = facts.Unknown, text; static {
			e, static = facts.This, false
		}
	}
	name := behind[:nameLength(behind)]
	bracket := strings.IndexByte(behind, '(')
	if name == "" || bracket < 0 || strings.Trim(behind[len(name):bracket], " ") != "" {
		return
	}
	at := t.find(p, behind[:bracket], behind)
	if other := class.Members[name]; at < 0 || other != nil && isFunctionKind(other.Kind) {
		return
	}
	s := phpMember(p, class, "method", name, at)
	s.Static = static
	s.ResultSources = []binder.Source{valueOf(e)}
}

// phpMember declares a member by its name in a comment.
func phpMember(p *walker, class *binder.Symbol, kind, name string, at int) *binder.Symbol {
	return p.DeclareFrom(at, at+len(name), at,
		&binder.Symbol{Enclosing: class, Symbol: facts.Symbol{Name: name, Kind: kind}})
}
