package bound

import (
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// kotlinSymbol adds what is said of a symbol in ways of Kotlin's own: what a function, class or interface takes, what a
// function that is a member of a class is called of, and that an entry of an enum is a value of it.
func kotlinSymbol(p *walker, f *form, s *binder.Symbol) {
	inType := s.Enclosing != nil && binder.Types[s.Enclosing.Kind]
	if n := f.part("parameters"); n >= 0 {
		s.Signature = kotlinSignature(p, n, s.Params)
		s.ArgSources = kotlinAccepted(p, n)
	}
	if inType && s.OwnerSource.Node > 0 {
		s.Extended = s.OwnerSource
	} else if s.OwnerSource.Node > 0 {
		switch t := p.TypeOf(s.OwnerSource.Node); t.Root() {
		case facts.OpList, facts.OpMap, facts.OpClass:
			s.OwnerName = t
		}
	}
	if inType && s.Enclosing.Kind == "enum" && f.kind == "const" {
		s.Values = []binder.Source{{Node: f.part("name"), Mark: binder.MarkSelf}}
	}
	kotlinOnly(p, s, f.node)
	if list := p.First(f.node, "primary_constructor"); list >= 0 && len(s.ArgSources) == 0 && binder.Types[s.Kind] {
		s.ArgSources = kotlinAccepted(p, list)
	}
}

// kotlinOnly is the function of an interface that has no other one without a body, so that a function
// may be given for it, or made one by its name.
func kotlinOnly(p *walker, s *binder.Symbol, declaration binder.At) {
	body := p.First(declaration, "class_body")
	if s.Kind != "interface" || body < 0 || s.Only != nil {
		return
	}
	only := binder.None
	for c := range p.Named(body) {
		switch p.Kind(c) {
		case "function_declaration":
			if p.First(c, "function_body") >= 0 {
				continue
			}
			if only >= 0 {
				return
			}
			only = c
		case "property_declaration":
			if p.Nth(c, 2) < 0 {
				return
			}
		}
	}
	if only < 0 {
		return
	}
	s.Only = &binder.Symbol{ArgSources: kotlinAccepted(p, p.First(only, "function_value_parameters"))}
}

// kotlinAccepted are the types of the parameters of a function, or the constructor of a class.
func kotlinAccepted(p *walker, parameters binder.At) (all []binder.Source) {
	for c := range p.Named(parameters) {
		switch p.Kind(c) {
		case "parameter":
			all = append(all, binder.ValueOfType(p.Nth(c, 1)))
		case "class_parameter":
			t := binder.None
			for part := range p.Named(c) {
				if kind := p.Kind(part); t < 0 && (kind == "user_type" || kind == "nullable_type" || kind == "function_type") {
					t = part
				}
			}
			if t < 0 {
				all = append(all, binder.ExternalSource)
			} else {
				all = append(all, binder.ValueOfType(t))
			}
		}
	}
	return all
}
