package match

import (
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// Costs by which needles are chosen, in nanoseconds, as measured on one machine:
// only their proportions matter.
const (
	costByte   = 0.06 // to look at a byte for one needle
	costProbe  = 6.0  // to look at a place where the pair is
	costLine   = 700  // to hold an expression against a line, which then mostly matches
	costNoHelp = 2.0  // to take a byte through the automaton
)

// needlesFor finds strings of which each match holds one, nil when it is
// cheaper to look at all lines.
func needlesFor(tree *syntax.Regexp) []needle {
	fold := foldsCase(tree)
	var best []needle
	least := costNoHelp
	for _, c := range require(tree, fold).clauses() {
		set, ok := needlesOf(c, fold)
		if cost := costOf(set); ok && cost < least {
			best, least = set, cost
		}
	}
	return best
}

// needlesOf finds what text must hold to hold one of a clause's strings. It is
// false when that can't be said with few needles.
func needlesOf(c clause, fold bool) ([]needle, bool) {
	var set []needle
	var signs strings.Builder
	for _, s := range c {
		ascii := longestASCII(s)
		switch {
		case s == "" || strings.ContainsRune(s, utf8.RuneError): // as which any byte that is not UTF-8 matches
			return nil, false
		case !fold:
			set = append(set, newNeedle(s, false))
		case ascii == "":
			first, _ := utf8.DecodeRuneInString(s)
			for _, r := range orbit(first) {
				set = append(set, newNeedle(string(r), false))
			}
		default:
			set = append(set, newNeedle(ascii, true))
			signs.WriteString(ascii)
		}
	}
	return append(set, signNeedles(signs.String())...), len(set) <= maxSet
}

// signNeedles are the signs that fold to letters of text: where a letter may be
// one of them, a match holds the sign or is all ASCII there.
func signNeedles(text string) []needle {
	var set []needle
	if strings.Contains(text, "s") {
		set = append(set, newNeedle(longS, false))
	}
	if strings.Contains(text, "k") {
		set = append(set, newNeedle(kelvin, false))
	}
	return set
}

// longestASCII is the longest part of s that is ASCII.
func longestASCII(s string) string {
	longest := ""
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r >= utf8.RuneSelf }) {
		if len(part) > len(longest) {
			longest = part
		}
	}
	return longest
}

// costOf estimates what looking for one of the needles costs for each byte.
func costOf(set []needle) float64 {
	cost := 0.0
	for i := range set {
		n := &set[i]
		whole := 1.0
		for j := range len(n.text) {
			whole *= float64(n.rarity(j)) / 65536
		}
		both := float64(n.rarity(n.at)) / 65536
		if n.probe.distance > 0 {
			both *= float64(n.rarity(n.at+n.probe.distance)) / 65536
		}
		cost += costByte + costProbe*both + costLine*whole
	}
	return cost
}
