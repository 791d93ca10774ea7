package query

import "strings"

// Spell writes a node as a text that Parse makes the same of.
func Spell(n Node) string {
	switch n := n.(type) {
	case And:
		parts := make([]string, len(n))
		for i, part := range n {
			parts[i] = within(part)
		}
		return strings.Join(parts, " ")
	case Or:
		parts := make([]string, len(n))
		for i, part := range n {
			parts[i] = Spell(part)
		}
		return strings.Join(parts, " or ")
	case Not:
		if and, ok := n.Node.(And); ok {
			return "-(" + Spell(and) + ")"
		}
		return "-" + within(n.Node)
	case Word:
		return n.Text
	case Phrase:
		return quote(n.Text)
	case Regexp:
		return "/" + strings.ReplaceAll(n.Expr, "/", `\/`) + "/"
	case Field:
		if strings.ContainsAny(n.Value, " \t\n()\"") {
			return n.Name + ":" + quote(n.Value)
		}
		return n.Name + ":" + n.Value
	}
	return ""
}

func quote(text string) string { return `"` + strings.ReplaceAll(text, `"`, `\"`) + `"` }

// within is Spell beside other parts.
func within(n Node) string {
	if _, ok := n.(Or); ok {
		return "(" + Spell(n) + ")"
	}
	return Spell(n)
}
