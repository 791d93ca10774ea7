package match

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// The analysis of an expression: which strings must its matches hold. It is the
// one of Google Code Search (Cox, "Regular Expression Matching with a Trigram
// Index"), with sets of strings in place of trigrams, so that the same facts
// serve the scan and the trigram file.

const (
	maxSet     = 16 // strings in a set
	maxClauses = 32
	maxRunes   = 8 // of a character class that is written out
)

// A clause is a set of strings of which each match holds at least one.
type clause []string

// needs is what is known of each match of an expression.
type needs struct {
	exact  clause   // it is one of these; nil is not known
	prefix clause   // it begins with one of these, when exact is nil
	suffix clause   // it ends with one of these, when exact is nil
	must   []clause // it holds one of each of these, when exact is nil
}

// unknown is what is known of something that may match anything.
func unknown() needs { return needs{prefix: clause{""}, suffix: clause{""}} }

// clauses is all that is known, as clauses.
func (n needs) clauses() []clause {
	if n.exact != nil {
		return []clause{n.exact}
	}
	return n.must
}

func (n needs) begins() clause {
	if n.exact != nil {
		return n.exact
	}
	return n.prefix
}

func (n needs) ends() clause {
	if n.exact != nil {
		return n.exact
	}
	return n.suffix
}

// require analyses an expression that was simplified. With fold the strings are
// in the form that folded gives, as which the text must be read then too.
func require(re *syntax.Regexp, fold bool) needs {
	switch re.Op {
	case syntax.OpLiteral:
		s := string(re.Rune)
		if fold {
			s = folded(s)
		}
		return needs{exact: clause{s}}
	case syntax.OpCharClass:
		return ofClass(re.Rune, fold)
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return needs{exact: clause{""}}
	case syntax.OpCapture:
		return require(re.Sub[0], fold)
	case syntax.OpPlus:
		return repeated(require(re.Sub[0], fold))
	case syntax.OpQuest:
		return either(require(re.Sub[0], fold), needs{exact: clause{""}})
	case syntax.OpConcat:
		n := needs{exact: clause{""}}
		for _, sub := range re.Sub {
			n = joined(n, require(sub, fold))
		}
		return n
	case syntax.OpAlternate:
		n := require(re.Sub[0], fold)
		for _, sub := range re.Sub[1:] {
			n = either(n, require(sub, fold))
		}
		return n
	}
	return unknown()
}

// ofClass writes out a small character class.
func ofClass(ranges []rune, fold bool) needs {
	var set clause
	for i := 0; i < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			if r == '\n' {
				continue
			}
			s := string(r)
			if fold {
				s = folded(s)
			}
			if !slices.Contains(set, s) {
				set = append(set, s)
			}
			if len(set) > maxRunes {
				return unknown()
			}
		}
	}
	if set == nil {
		return unknown()
	}
	return needs{exact: set}
}

// repeated is one or more times n.
func repeated(n needs) needs {
	return needs{prefix: n.begins(), suffix: n.ends(), must: n.clauses()}
}

// either is a or b.
func either(a, b needs) needs {
	if a.exact != nil && b.exact != nil && len(a.exact)+len(b.exact) <= maxSet {
		return needs{exact: union(a.exact, b.exact)}
	}
	n := needs{prefix: union(a.begins(), b.begins()), suffix: union(a.ends(), b.ends())}
	n.prefix, n.suffix = small(n.prefix), small(n.suffix)
	for _, x := range a.clauses() { // (x and …) or (y and …) is (x or y) and …
		for _, y := range b.clauses() {
			n.add(union(x, y))
		}
	}
	return n
}

// joined is a and then b.
func joined(a, b needs) needs {
	if a.exact != nil && b.exact != nil {
		if both := cross(a.exact, b.exact); both != nil {
			return needs{exact: both}
		}
	}
	n := needs{prefix: a.begins(), suffix: b.ends()}
	if a.exact == nil {
		n.must = slices.Clone(a.must)
	} else if both := cross(a.exact, b.begins()); both != nil {
		n.prefix = both
	}
	if b.exact == nil {
		for _, c := range b.must {
			n.add(c)
		}
	} else if both := cross(a.ends(), b.exact); both != nil {
		n.suffix = both
	}
	if both := cross(a.ends(), b.begins()); both != nil {
		n.add(both)
	} else {
		n.add(a.ends())
		n.add(b.begins())
	}
	return n
}

// add takes up a clause that says something. Of too many, those with short
// strings are dropped.
func (n *needs) add(c clause) {
	if len(c) > maxSet || slices.Contains(c, "") {
		return
	}
	if len(n.must) < maxClauses {
		n.must = append(n.must, c)
		return
	}
	least := 0
	for i := range n.must {
		if n.must[i].shortest() < n.must[least].shortest() {
			least = i
		}
	}
	if n.must[least].shortest() < c.shortest() {
		n.must[least] = c
	}
}

// shortest is the length of the clause's shortest string.
func (c clause) shortest() int {
	least := len(c[0])
	for _, s := range c {
		least = min(least, len(s))
	}
	return least
}

func union(a, b clause) clause {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// small is a set of prefixes or suffixes, or what says nothing in its place.
func small(c clause) clause {
	if len(c) > maxSet {
		return clause{""}
	}
	return c
}

// cross is each of a followed by each of b; nil when these are too many.
func cross(a, b clause) clause {
	if len(a)*len(b) > maxSet {
		return nil
	}
	var all clause
	for _, x := range a {
		for _, y := range b {
			all = append(all, x+y)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// onlyLiteral is the literal that an expression consists of.
func onlyLiteral(re *syntax.Regexp) (string, bool) {
	for re.Op == syntax.OpCapture {
		re = re.Sub[0]
	}
	if re.Op != syntax.OpLiteral || strings.ContainsRune(string(re.Rune), '\uFFFD') {
		return "", false
	}
	return string(re.Rune), true
}
