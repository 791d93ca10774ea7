package lexical

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// A referrer makes the references of a file.
type referrer struct{ *binder }

// refer makes the references of the tokens that are left.
func (w *referrer) refer() {
	imports := map[int]bool{} // lines that do nothing else
	for _, x := range w.file.Imports {
		imports[x.Line] = !w.inline
	}
	for _, t := range w.all {
		name := w.text(t)
		switch {
		case t.own, t.of == ".", strings.HasPrefix(t.of+".", "super.") && len(w.bases(t)) != 1:
			continue
		case t.start > 0 && (strings.IndexByte(w.sigils, w.src.Code[t.start-1]) >= 0 ||
			w.prefix && w.src.Code[t.start-1] == ':' && !t.member):
			continue
		case w.capitals && isCapital(name) && w.src.Code[max(t.start-1, 0)] != '?':
			continue
		case !t.member && (w.isBound(t, name) || w.isLabel(t) || w.words[name]):
			continue
		case w.atoms && !w.isUsed(t) || w.keys && w.isKey(t):
			continue
		}
		if imports[t.line] && t.member || imports[t.line] && t.after == '.' {
			if t.after == '.' {
				continue // a package
			}
			t.member, t.of = false, ""
		}
		ref := facts.Ref{
			Name: name, Kind: w.kind(t, name), Bare: !t.member, In: t.in, Line: t.line,
			Column: t.start - w.src.Lines[t.line-1] + 1,
		}
		ref.Of = w.taken(t)
		if ref.Kind == facts.Extends || ref.Kind == facts.Implements {
			if c := w.class(t.in); c >= 0 && t.line <= w.file.Symbols[c].Line+maxHead {
				w.file.Symbols[c].Bases = append(w.file.Symbols[c].Bases, facts.Base{Kind: ref.Kind, Of: facts.Name(name)})
			}
		}
		w.file.Refs = append(w.file.Refs, ref)
	}
}

// bases are those of the type around a token.
func (w *referrer) bases(t token) []facts.Base {
	if c := w.class(t.in); c >= 0 {
		return w.file.Symbols[c].Bases
	}
	return nil
}

// maxHead is how many lines below its name a type may say what it is made from.
const maxHead = 12

// taken is what a token is a member of.
func (w *referrer) taken(t token) facts.Expr {
	if t.of == "" {
		return facts.Nothing
	}
	first, rest, _ := strings.Cut(t.of, ".")
	of := facts.Name(first)
	switch typ, bound := w.binds(t, first); {
	case first == "self" || first == "this":
		c := w.class(t.in)
		if c < 0 {
			return facts.This
		}
		of = facts.SymbolAt(c).Value()
	case first == "super":
		of = w.bases(t)[0].Of.Value()
	case bound && typ == "":
		return facts.Nothing
	case bound:
		of = facts.Name(typ).Value()
	}
	for name := range strings.SplitSeq(rest, ".") {
		if name != "" {
			of = of.Member(name)
		}
	}
	return of
}

// kind is how a token is used.
func (w *referrer) kind(t token, name string) facts.Kind {
	switch {
	case t.heir != "":
		return t.heir
	case w.prefix && t.before == '(' || !w.prefix && t.after == '(':
		return facts.Call
	case w.typed && isCapital(name) && strings.ToUpper(name) != name:
		return facts.Type
	}
	return facts.Read
}
