package plan

import (
	"strings"

	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/query"
)

// fields makes conditions of the fields of a query and gives what is left of it,
// as a text.
func (p *Plan) fields(asked query.Query) string {
	if asked.Root == nil {
		return wording(asked.Words)
	}
	var before, rest query.And // words at the beginning, and the rest
	for _, part := range query.Parts(asked.Root) {
		if c, ok := conditionOf(part); ok {
			p.Filters = append(p.Filters, c)
			continue
		}
		if _, word := part.(query.Word); word && len(rest) == 0 {
			before = append(before, part)
		} else {
			rest = append(rest, part)
		}
	}
	left := query.Spell(rest)
	if len(rest) == 1 && len(before) == 0 {
		left = query.Spell(rest[0])
	}
	if asked.Case && len(rest) > 0 {
		left = "case:yes " + left
	}
	return strings.TrimSpace(wording(query.Spell(before)) + " " + left)
}

// conditionOf is the condition that a part of a query is, if one says it.
func conditionOf(n query.Node) (filter.Condition, bool) {
	switch n := n.(type) {
	case query.Field:
		return ofField(n)
	case query.Not:
		c, ok := conditionOf(n.Node)
		return negated(c), ok
	case query.And:
		return joined(filter.And, n)
	case query.Or:
		return joined(filter.Or, n)
	}
	return filter.Condition{}, false
}

func ofField(f query.Field) (filter.Condition, bool) {
	c := filter.Condition{Operator: filter.Eq, Value: f.Value}
	switch f.Name {
	case query.FieldFile:
		c.Field, c.Operator = filter.FilePath, filter.Like
	case query.FieldLang:
		c.Field = filter.Language
	case query.FieldKind:
		c.Field = filter.SymbolKind
	case query.FieldTag:
		c.Field, c.Operator, c.Value = filter.Tags, filter.In, []any{strings.TrimPrefix(f.Value, "#")}
	default: // sym: and repo: are for the search
		return c, false
	}
	return c, true
}

// negated says the opposite, by an operator of its own where there is one.
func negated(c filter.Condition) filter.Condition {
	opposite := map[filter.Operator]filter.Operator{
		filter.Eq: filter.Ne, filter.Ne: filter.Eq, filter.In: filter.Nin,
		filter.Nin: filter.In,
	}
	if o, ok := opposite[c.Operator]; ok {
		c.Operator = o
		return c
	}
	return filter.Condition{Operator: filter.Not, Parts: []filter.Condition{c}}
}

func joined(o filter.Operator, nodes []query.Node) (filter.Condition, bool) {
	c := filter.Condition{Operator: o}
	for _, n := range nodes {
		part, ok := conditionOf(n)
		if !ok {
			return c, false
		}
		c.Parts = append(c.Parts, part)
	}
	return c, true
}

// What a question says beside what it is about.
var (
	asks = pattern.NewLazy(
		`(?i)^(?:(?:please|can you|could you|i want to|i'd like to|help me) ` +
			`)*(?:(?:find|show|list|give|get|fetch|search|look|summari[sz]e|describe|read)(?: me| for| up)* |(?:which|what) ` +
			`(?:of )?)?` +
			`(?:(?:all|any|every|each|some|my|the|our|of) )*(?:notes?|docs?|documents?|pages?|sections?|entries|files?)(?: |$)`)
	wrote = pattern.NewLazy(
		`(?i)^(?:what|when|where|how|why)? ?(?:did|have|had) i (?:write|written|note|noted|say|said|record|recorded)(?: ` +
			`down)?(?: |$)`)
	verbs = pattern.NewLazy(`(?i)^(?:please )?(?:find|show|list|search|look)(?: me| for| up)+ (?:(?:all|any|my|the) )*`)
	lead  = pattern.NewLazy(
		`(?i)^(?:(?:i|that|which|who|are|is|were|was|and|but|or|about|on|regarding|concerning|for|of|with|in|from|` +
			`mentioning|written|created|wrote|have|to|the) +)+`)
	trail = pattern.NewLazy(
		`(?i)(?: +(?:that|which|are|is|were|was|and|but|or|about|on|of|with|in|from|i|written|created|wrote|modified|` +
			`changed|updated|have|been|the))+$`)
	stray = pattern.NewLazy(` +([,;?!.](?: |$))`)
	space = pattern.NewLazy(`\s+`)
)

// wording is what a question of words is about.
func wording(text string) string {
	text = strings.Trim(space().ReplaceAllString(text, " "), " ,;")
	text = stray().ReplaceAllString(text, "$1")
	bare := strings.TrimRight(text, "?!. ")
	for _, asked := range []pattern.Lazy{asks, wrote, verbs} {
		if cut := asked().ReplaceAllString(bare, ""); cut != bare {
			return trim(lead().ReplaceAllString(cut, ""))
		}
	}
	return trim(text)
}

func trim(text string) string {
	for {
		cut := strings.Trim(trail().ReplaceAllString(opening().ReplaceAllString(text, ""), ""), " ,;")
		if lone().MatchString(cut) {
			cut = ""
		}
		if cut == text {
			return text
		}
		text = cut
	}
}

var lone = pattern.NewLazy(
	`(?i)^(?:(?:everything|anything|all|what ` +
		`did|notes?|notizen|notas|docs?|documents?|those|the|and|or|but|that|is|are|was|were|which|with|i|what|have|about|` +
		`it|written|created|did|i|from|in|on|at|by|for|of|to|where|either|both|edit) ?)+\??$`)

// opening is what a text does not begin with.
var opening = pattern.NewLazy(`(?i)^(?:(?:about|regarding|and|but|or|that|which)(?: +|$))+`)

var (
	aboutLists = pattern.NewLazy(
		`(?i)^(?:(?:which|what) (?:of )?(?:(?:all|my|the|our) )*(?:notes?|docs?|documents?|pages?|files?|sections?)\b)`)
	specific = pattern.NewLazy(
		`(?i)^(?:so |and |please )*(?:what|who|whom|whose|when|where|why|how|which|does|do|did|is|are|was|were|can|could|` +
			`should|has|have|explain|describe|summari[sz]e|tell me|quote|remind me)\b|\?\s*$`)
)

// format is the form in which a question wants its answer: the text of what was
// found for a question of fact, else pointers to it.
func format(text string) string {
	text = strings.TrimSpace(text)
	if specific().MatchString(text) && !aboutLists().MatchString(text) {
		return SelectiveContext
	}
	return MetadataOnly
}
