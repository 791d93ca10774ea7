package swift

import (
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// declareProperty declares the properties of a type or file, or binds locals.
func declareProperty(p *walker, n binder.At) {
	t := p.Child(p.First(n, "type_annotation"), "name")
	names := []binder.At{}
	for c := range p.All(n) {
		if p.Field(c) == "name" {
			names = append(names, c)
		}
	}
	for i, pattern := range names {
		from := binder.Source{}
		own := behindPattern(p, n, pattern)
		switch a := annotationOf(p, own); {
		case a >= 0:
			from = binder.ValueOfType(a)
		case t >= 0 && len(own) == 0 && i == len(names)-1:
			from = binder.ValueOfType(t)
		case valueIn(p, own) >= 0:
			from = binder.Source{Node: valueIn(p, own)}
		}
		if isLocal(p, n) {
			bindPattern(p, pattern, p.ScopeAround(n), from, p.Nodes[n].End)
			continue
		}
		declareStored(p, n, pattern, from)
	}
	openAccessors(p, n)
	declareInside(p, n)
}

// behindPattern are the children behind a pattern that belong to it.
func behindPattern(p *walker, n, pattern binder.At) (own []binder.At) {
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

func annotationOf(p *walker, own []binder.At) binder.At {
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
func isLocal(p *walker, n binder.At) bool {
	switch p.Kind(p.Parent(n)) {
	case "class_body", "enum_class_body", "protocol_body", "source_file":
		return false
	case "ERROR":
		return p.Parent(p.Parent(n)) >= 0 && isLocal(p, p.Parent(n))
	}
	return true
}

// declareStored declares the properties of a pattern.
func declareStored(p *walker, n, pattern binder.At, from binder.Source) {
	if name := p.Child(pattern, "bound_identifier"); name >= 0 {
		s := declareNamed(p, name, n, "property")
		addConstraints(p, n, s)
		if from != (binder.Source{}) {
			s.Values = append(s.Values, from)
		}
		return
	}
	i := 0
	for c := range p.Named(pattern) {
		if p.Kind(c) == "pattern" {
			declareStored(p, n, c, from.Part(i))
			i++
		}
	}
}

// openAccessors makes the getter and setter scopes, with what they are given.
func openAccessors(p *walker, n binder.At) {
	for _, c := range []binder.At{p.Child(n, "computed_value"), p.First(n, "willset_didset_block")} {
		if c >= 0 {
			p.Open(c, 'f', p.ScopeAround(c).Symbol)
		}
	}
}

// declareCases declares the cases of an enum: values of it, or functions that make one.
func declareCases(p *walker, n binder.At) {
	parent, _ := symbolAround(p, n)
	var s *binder.Symbol
	for c := range p.All(n) {
		switch {
		case p.Field(c) == "name":
			s = declareNamed(p, c, n, "const")
			s.Static = true
			if parent != nil {
				s.Exported = parent.Exported
			}
			s.Values = []binder.Source{binder.Source{Mark: binder.MarkClass, Node: n}.Value()}
		case p.Field(c) == "data_contents" && s != nil:
			declarePayload(p, c, s)
		}
	}
	declareInside(p, n)
}

// declarePayload is what a case is made of. The case is a function then.
func declarePayload(p *walker, n binder.At, s *binder.Symbol) {
	label, optional := "_", false
	var accepts []string
	for c := range p.All(n) {
		switch {
		case p.Kind(c) == "simple_identifier" && p.Field(c) == "":
			label = p.Plain(c)
		case p.Field(c) == "name":
			accepts = append(accepts, label+":"+overloadName(p, c, nil))
			p.payloads[s] = append(p.payloads[s], c)
			label, optional = "_", false
		case p.Kind(c) == "=" && len(accepts) > 0 && !optional:
			accepts[len(accepts)-1], optional = "="+accepts[len(accepts)-1], true
		}
	}
	s.Signature = signature(accepts)
}

// typePayloads says of cases with a payload that they are functions: what their types are is known
// when all of the file is declared.
func typePayloads(p *walker) {
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

// declareAlias declares a typealias or an associated type.
func declareAlias(p *walker, n binder.At) {
	name := p.Child(n, "name")
	s := declareNamed(p, name, n, "type")
	s.Static = true
	typeParameters(p, n, p.Open(n, 'c', s), s)
	for c := range p.Named(n) {
		if c != name && p.Field(c) == "name" {
			s.Values = []binder.Source{binder.TypeAt(c)}
			break
		}
	}
	if len(s.Values) == 0 {
		s.Values = []binder.Source{binder.ExternalSource}
	}
	declareInside(p, n)
}
