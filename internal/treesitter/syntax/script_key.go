package syntax

// keyName is what members are called here whose key is the value of a name:
// "[name]". It is "" where that is no constant of the file or an import. Only
// names whose values are the same everywhere are of use, as symbols are.
func (p *script) keyName(n at) string {
	if p.kind(n) == "computed_property_name" {
		n = p.nth(n, 0)
	}
	if p.kind(n) != "identifier" {
		return ""
	}
	if _, sc := p.scopeAround(n).find(p.text(n), true); sc != nil && !outer(sc) {
		return ""
	}
	return "[" + p.text(n) + "]"
}

// keyed declares a member whose key is the value of a name; nil if that is not
// known.
func (p *script) keyed(name, decl at, kind string, parent *symbol) *symbol {
	key := p.keyName(name)
	if key == "" || p.bySpot[int(p.Nodes[name].Start)] != nil {
		return nil
	}
	s := p.declareSymbol(name, decl, kind, parent)
	s.Name, s.Kind = key, kind
	s.Qualified = parent.Qualified + "." + key
	if parent.members[key] == nil {
		parent.members[key] = s
	}
	return s
}
