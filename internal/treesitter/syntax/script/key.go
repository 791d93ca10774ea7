package script

import "github.com/ragnav/ragnav/internal/treesitter/syntax/binder"

// keyName is what members are called here whose key is the value of a name:
// "[name]", of a member of an enum too. It is "" where that is no constant of the file or an
// import. Only names whose values are the same everywhere are of use, as symbols are.
func keyName(p *walker, n binder.At) string {
	if p.Kind(n) == "computed_property_name" {
		n = p.Nth(n, 0)
	}
	root, enum := n, p.Kind(n) == "member_expression"
	if enum {
		root, n = p.Child(n, "object"), p.Child(n, "property")
	}
	if p.Kind(root) != "identifier" {
		return ""
	}
	v, sc := p.ScopeAround(root).Find(p.TextAt(root), true)
	if sc != nil && !outer(sc) || enum && v == nil {
		return ""
	}
	return "[" + p.TextAt(n) + "]"
}

// memberName is what the member of a key is called, "" where the key is no name.
func memberName(p *walker, key binder.At) string {
	if p.Kind(key) == "property_identifier" {
		return p.TextAt(key)
	}
	if p.Kind(key) == "computed_property_name" {
		return keyName(p, key)
	}
	return ""
}

// keyed declares a member whose key is the value of a name; nil if that is not
// known.
func keyed(p *walker, name, decl binder.At, kind string, parent *binder.Symbol) *binder.Symbol {
	key := keyName(p, name)
	if key == "" || p.BySpot[int(p.Nodes[name].Start)] != nil {
		return nil
	}
	s := p.DeclareSymbol(name, decl, kind, parent)
	s.Name, s.Kind = key, kind
	s.Qualified = parent.Qualified + "." + key
	if parent.Members[key] == nil {
		parent.Members[key] = s
	}
	return s
}
