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
	switch p.Kind(key) {
	case "property_identifier":
		return p.TextAt(key)
	case "string":
		if name := p.Plain(key); isMemberName(name) {
			return name
		}
	case "computed_property_name":
		return keyName(p, key)
	}
	return ""
}

// isMemberName reports whether a string names a member in an expression, as "~standard" and
// "aria-label" do.
func isMemberName(text string) bool {
	if binder.PlainName(text) {
		return true
	}
	for i := range len(text) {
		if c := text[i]; !binder.IsWord(c) && c != '~' && c != '-' && c != '$' {
			return false
		}
	}
	return text != "" && !binder.IsDigit(text[0])
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
