package swift

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A parameter is how one is given.
type parameter struct {
	label, typ         string
	optional, variadic bool
}

// parameters are those of a function, as its Signature has them.
func parameters(s *facts.Symbol) (list []parameter, known bool) {
	texts, known := resolve.Parameters(s)
	for _, text := range texts {
		p := parameter{}
		if text, p.optional = strings.CutPrefix(text, "="); p.optional {
			text = strings.TrimPrefix(text, "=")
		}
		text, p.variadic = strings.CutPrefix(text, "...")
		p.label, p.typ, _ = strings.Cut(strings.TrimSuffix(text, "?"), ":")
		list = append(list, p)
	}
	return list, known
}

// accepts reports whether something can be called with arguments of some labels. Types and
// what is no function can be called with any, as far as is known here.
func accepts(s *facts.Symbol, labels []string) bool {
	if !resolve.IsFunction(s) && s.Kind != "const" || len(labels) == 1 && labels[0] == "*" {
		return true
	}
	list, known := parameters(s)
	if !known {
		return s.Kind != "const" || len(labels) == 0 || s.Type.Root() != facts.OpInvalid
	}
	_, ok := assigned(list, labels)
	return ok
}

// assigned is for each argument the parameter that it is given for (SE-0286 for closures
// behind the brackets).
func assigned(list []parameter, labels []string) (to []int, ok bool) {
	at := 0
	for i, label := range labels {
		trailing := strings.HasPrefix(label, "&")
		found := false
		for ; at < len(list); at++ {
			p := list[at]
			if takes(p, label, trailing) && (!trailing || !leaves(list, labels, at, i)) {
				found = true
				break
			}
			if p.variadic && !trailing && label == "_" && i > 0 && slices.Contains(to, at) {
				found = true
				break
			}
			if !p.optional && !p.variadic {
				return nil, false
			}
		}
		if !found {
			return nil, false
		}
		to = append(to, at)
		if !list[at].variadic || trailing {
			at++
		}
	}
	for ; at < len(list); at++ {
		if !list[at].optional && !list[at].variadic {
			return nil, false
		}
	}
	return to, true
}

// takes reports whether a parameter is given by an argument of a label.
func takes(p parameter, label string, trailing bool) bool {
	switch {
	case !trailing:
		return p.label == label
	case label == "&":
		return strings.HasPrefix(p.typ, "&") || p.typ == "" || !p.optional
	}
	return p.label == label[1:]
}

// leaves reports whether a closure that is the last argument is rather for a parameter behind
// the optional one at an index: one that has to be given.
func leaves(list []parameter, labels []string, at, argument int) bool {
	if !list[at].optional || argument < len(labels)-1 {
		return false
	}
	return slices.ContainsFunc(list[at+1:], func(p parameter) bool { return !p.optional && !p.variadic })
}
