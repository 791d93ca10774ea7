package redact

import (
	"slices"
	"strings"
	"sync"
)

// A table is the rules as they are looked up: by the first two bytes of what
// they start with, so that a text is read once, whatever the number of rules.
type table struct {
	pairs  [1 << 16]uint8 // → number of a group, 0 for none
	groups []group
}

// A group is what starts with the same two bytes, the longest first: the
// special before the general.
type group []candidate

// A candidate is a start with the rules that have it, in the table's order.
type candidate struct {
	start string
	rules []*rule
}

// match is the first credential of a group, if one starts there that does not
// begin in what is found already.
func (g group) match(text string, at int, found []Match) (Match, bool) {
	for i := range g {
		if !strings.HasPrefix(text[at:], g[i].start) {
			continue
		}
		for _, r := range g[i].rules {
			if m, ok := r.match(text, at, len(g[i].start)); ok && (len(found) == 0 || m.Start >= found[len(found)-1].End) {
				return m, true
			}
		}
	}
	return Match{}, false
}

// compiled is the table, made when it is first needed.
var compiled = sync.OnceValue(func() *table {
	t := &table{groups: make([]group, 1)}
	all := rules()
	for i := range all {
		for _, start := range all[i].starts {
			pair := &t.pairs[uint16(start[0])<<8|uint16(start[1])]
			if *pair == 0 {
				*pair = uint8(len(t.groups)) //nolint:gosec // fewer than 256 pairs, see the test
				t.groups = append(t.groups, nil)
			}
			t.groups[*pair] = t.groups[*pair].with(start, &all[i])
		}
	}
	for _, group := range t.groups {
		slices.SortStableFunc(group, func(a, b candidate) int { return len(b.start) - len(a.start) })
	}
	return t
})

func (g group) with(start string, r *rule) group {
	i := slices.IndexFunc(g, func(c candidate) bool { return c.start == start })
	if i < 0 {
		return append(g, candidate{start, []*rule{r}})
	}
	g[i].rules = append(g[i].rules, r)
	return g
}
