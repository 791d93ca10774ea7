package script

import "github.com/ragnav/ragnav/internal/treesitter/syntax/binder"

// keyName is what members are called here whose key is the value of a name:
// "[name]". It is "" where that is no constant of the file or an import. Only
// names whose values are the same everywhere are of use, as symbols are.
func keyName(p *walker, n binder.At) string {
	if p.Kind(n) == "computed_property_name" {
		n = p.Nth(n, 0)
	}
	if p.Kind(n) != "identifier" {
		return ""
	}
	if _, sc := p.ScopeAround(n).Find(p.TextAt(n), true); sc != nil && !outer(sc) {
		return ""
	}
	return "[" + p.TextAt(n) + "]"
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
