package web

import (
	"strings"

	"github.com/ragnav/ragnav/internal/query"
)

// A Chip is a part of a search that selects, and the search without it.
type Chip struct {
	Text  string
	URL   string // "" where it can't be taken out alone
	field query.Field
}

// chips are what selects in a search: filters of its address and operators of
// its text. A text that is no query has none.
func (q Query) chips() []Chip {
	var all []Chip
	for _, p := range []struct{ name, field, value string }{
		{"repo", query.FieldRepo, q.Repo}, {"lang", query.FieldLang, q.Language}, {"path", query.FieldFile, q.Path},
	} {
		if p.value != "" {
			field := query.Field{Name: p.field, Value: p.value}
			all = append(all, Chip{query.Spell(field), q.With(p.name, ""), field})
		}
	}
	parsed, err := query.Parse(q.Text)
	if err != nil {
		return all
	}
	for _, part := range query.Parts(parsed.Root) {
		if _, word := part.(query.Word); !word {
			field, _ := part.(query.Field)
			all = append(all, Chip{query.Spell(part), q.without(part), field})
		}
	}
	return all
}

// without is the address of the search without a part of its text, "" if that
// is not one piece or the rest is no query.
func (q Query) without(part query.Node) string {
	start, end := placeOf(q.Text, part)
	if end == 0 {
		return ""
	}
	rest := strings.TrimSpace(strings.TrimSpace(q.Text[:start]) + " " + strings.TrimSpace(q.Text[end:]))
	if _, err := query.Parse(rest); err != nil {
		return ""
	}
	return q.With("q", rest)
}

// placeOf is where a leaf, or what it negates, stands in the bytes of a text; end
// is 0 if it is another kind of part.
func placeOf(text string, part query.Node) (start, end int) {
	at := 0
	leaf, negated := part.(query.Not)
	if negated {
		part = leaf.Node
	}
	switch n := part.(type) {
	case query.Word:
		at = n.At
	case query.Phrase:
		at = n.At
	case query.Regexp:
		at = n.At
	case query.Field:
		at = n.At
	default:
		return 0, 0
	}
	start = len(string([]rune(text)[:at-1]))
	end = endOf(text, start, query.Spell(part))
	if before := strings.TrimSpace(text[:start]); negated && end > 0 {
		for _, mark := range []string{"-", "not", "NOT"} {
			if strings.HasSuffix(before, mark) {
				start = len(before) - len(mark)
			}
		}
	}
	return start, end
}

// endOf is where the part that begins at start ends: after the shortest text
// that means the same; 0 if there is none.
func endOf(text string, start int, spelled string) int {
	for end := start + 1; end <= len(text); end++ {
		if end < len(text) && !strings.ContainsRune(" \t\n)", rune(text[end])) {
			continue
		}
		parsed, err := query.Parse(text[start:end])
		if err == nil && (parsed.Root != nil && query.Spell(parsed.Root) == spelled || parsed.Root == nil &&
			parsed.Words == spelled) {
			return end
		}
	}
	return 0
}

// And is the address of the search where a field must have a value, too. A text
// that is no query gets it as a filter of the address, by that name.
func (q Query) And(field, value, name string) string {
	text := query.Spell(query.Field{Name: field, Value: value})
	parsed, err := query.Parse(q.Text)
	if err == nil {
		before := q.Text
		if _, either := parsed.Root.(query.Or); either {
			before = "(" + before + ")"
		}
		text = before + " " + text
		_, err = query.Parse(text)
	}
	if err != nil {
		return q.With(name, value)
	}
	return q.With("q", text)
}
