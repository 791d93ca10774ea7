package rust

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// macroRef adds the reference of the call of a macro by its name alone, which
// no variable or function has a part in.
func macroRef(p *walker, n binder.At) {
	macroAt(p, int(p.Nodes[n].Start), p.TextAt(n))
}

func macroAt(p *walker, offset int, name string) {
	before := len(p.Refs)
	if p.RefAtOffset(offset, name, facts.Call, facts.Nothing, true); len(p.Refs) > before {
		p.Refs[before].Arguments = "!"
	}
}

// useMacroBody adds what a macro is replaced by names by its crate, and the
// macros that it calls: other names are looked up where the macro is used.
func useMacroBody(p *walker, n binder.At) {
	if n < 0 {
		return
	}
	before := facts.Nothing
	for i := n + 1; i < p.Nodes[n].Next; i++ {
		switch p.Kind(i) {
		case "metavariable":
			before = facts.Nothing
			if p.TextAt(i) == "$crate" {
				before = facts.Name("crate")
			}
		case "identifier":
			if before != facts.Nothing {
				useToken(p, i, before)
				before = binder.Member(before, p.TextAt(i))
			} else if isMacroName(p, i) {
				macroRef(p, i)
			}
		default:
			if p.TextAt(i) != "::" {
				before = facts.Nothing
			}
		}
	}
}

// isMacroName reports whether a token is the name of a macro that is called.
func isMacroName(p *walker, n binder.At) bool {
	next := p.Nodes[n].Next
	return int(next)+1 < len(p.Nodes) && p.TextAt(next) == "!" && p.Kind(next+1) == "token_tree"
}

// inMacro reports whether the definition of a macro is what another one is
// called with, which is how exported ones get their documentation.
func inMacro(text string, nodes []binder.Node, n binder.At) bool {
	before := strings.TrimRight(text[:nodes[n].Start], " \t")
	call, ok := strings.CutSuffix(before, "{")
	return ok && strings.HasSuffix(strings.TrimRight(call, " \t"), "!")
}

// isCalledMacro reports whether a call of a function is that of a macro whose arguments are
// those of a function.
func isCalledMacro(p *walker, n binder.At) bool {
	f := p.Child(n, "function")
	return f >= 0 && strings.HasPrefix(p.Text[p.Nodes[f].End:], "!")
}

// useMacro adds references for the macro and for names in its tokens: chains
// of names with dots or colons between.
func useMacro(p *walker, n binder.At) {
	m := p.Child(n, "macro")
	if p.Kind(m) == "identifier" {
		macroRef(p, m)
	} else {
		useNode(p, m)
	}
	useTokens(p, p.Nodes[m].Next, p.Nodes[n].Next)
}

// useTokens adds references for names in tokens. What is in brackets behind a name
// belongs to it: what it gives goes on behind them.
func useTokens(p *walker, from, end binder.At) {
	before := facts.Nothing
	for i := from; i < end; i = max(i+1, p.Nodes[i].Next) {
		switch kind, t := p.Kind(i), p.TextAt(i); {
		case kind == "identifier" || kind == "self" || kind == "crate" || kind == "super" || kind == "type_identifier":
			useToken(p, i, before)
			if before = tokenExpr(p, i, before); before == facts.Nothing {
				before = facts.Unknown
			}
		case kind == "token_tree" && strings.HasPrefix(t, "[") && p.TextAt(i-1) == "#": // an attribute
			before = facts.Nothing
		case kind == "token_tree":
			useTokens(p, i+1, p.Nodes[i].Next)
			switch {
			case strings.HasPrefix(t, "{") || before == facts.Nothing:
				before = facts.Nothing
			case strings.HasPrefix(t, "["):
				before = binder.Elem(before)
			}
		case t != "." && t != "::" && t != "?":
			before = facts.Nothing
		}
	}
}

func tokenExpr(p *walker, n binder.At, before facts.Expr) facts.Expr {
	i := p.Nodes[n].Next
	called := int(i) < len(p.Nodes) && p.Kind(i) == "token_tree" && strings.HasPrefix(p.TextAt(i), "(")
	var e facts.Expr
	switch {
	case before != facts.Nothing:
		e = binder.Member(before, p.TextAt(n))
	case p.TextAt(n) == "Self":
		return p.SelfAt(n)
	default:
		e = p.Bare(n, true)
	}
	if !called {
		return e
	}
	if before == facts.Nothing {
		if body := closureNamed(p, n); body >= 0 {
			return p.Expr(body)
		}
	}
	return binder.Call(e)
}

func useToken(p *walker, n binder.At, before facts.Expr) {
	kind := facts.Read
	i := p.Nodes[n].Next
	if int(i) < len(p.Nodes) && p.Kind(i) == "token_tree" && strings.HasPrefix(p.TextAt(i), "(") {
		kind = facts.Call
	}
	if before == facts.Nothing && p.Kind(n) == "identifier" && isMacroName(p, n) {
		macroRef(p, n)
		return
	}
	switch t := p.TextAt(n); {
	case t == "self" || t == "Self" || t == "crate" || t == "super":
	case before == facts.Nothing:
		p.UseName(n, kind, true)
	case before.Known():
		p.Ref(n, t, kind, before, false)
	}
}
