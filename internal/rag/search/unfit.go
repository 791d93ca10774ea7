package search

import (
	"context"
	"fmt"
	"regexp/syntax"
	"strings"

	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/query"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// exact reports whether the hits are what was asked for, however little like the
// words: there are no words, or a text was found in them.
func (sc scope) exact() bool {
	return sc.judge != nil || (sc.asked.Root != nil || sc.where) && sc.words == ""
}

// said warns of what could not be judged.
func (j *judge) said(r ranking) []models.Warning {
	var warnings []models.Warning
	if n := j.unread.Load(); n > 0 {
		warnings = append(warnings, models.Warning{Code: "PARTIAL_RESULTS", Message: fmt.Sprintf(
			"%d documents could not be read and were judged by their summaries", n)})
	}
	if r.cut && query.Has(j.asked.Root, scans) {
		warnings = append(warnings, models.Warning{Code: "PARTIAL_RESULTS", Message: fmt.Sprintf(
			"the expression was held against %d documents, there are more; narrow with file:, lang: or repo:, or use nav search",
			r.examined)})
	}
	return warnings
}

// literalsOf are the words that what a regular expression matches may have: documents with
// them are held against it first, where there are more than are looked at.
func literalsOf(root query.Node) string {
	var all strings.Builder
	var walk func(*syntax.Regexp)
	walk = func(re *syntax.Regexp) {
		if re.Op == syntax.OpLiteral && len(re.Rune) >= minWithin {
			all.WriteString(string(re.Rune) + " ")
		}
		for _, sub := range re.Sub {
			walk(sub)
		}
	}
	query.Has(root, func(n query.Node) bool {
		if expr, ok := n.(query.Regexp); ok {
			if re, err := syntax.Parse(expr.Expr, syntax.Perl); err == nil {
				walk(re)
			}
		}
		return false
	})
	return strings.TrimSpace(all.String())
}

// notAll says that what fits nothing was not held against all documents; "" where it was.
func (p page) notAll(sc scope) string {
	if !p.cut || !query.Has(sc.asked.Root, scans) {
		return ""
	}
	return fmt.Sprintf("none of the %d documents at level %s that were looked at fits the expression, and there are "+
		"more; narrow with file:, lang: or repo:, or use nav search", p.examined, p.level)
}

// unfit says which of the parts that must hold selects nothing by itself, or that
// no text was found to fit; "" if it is the words that nothing fits.
func (e emptiness) unfit(ctx context.Context) (string, error) {
	sc, level := e.scope, e.level
	parts := query.Parts(sc.asked.Root)
	for _, part := range parts {
		one := sc
		one.asked.Root, one.narrow, one.judge = part, nil, nil
		one, _, err := e.scopes.narrowed(ctx, one, level)
		if err != nil {
			return "", err
		}
		some, err := e.scopes.has(ctx, one, level.DocType())
		if err != nil {
			return "", err
		}
		if !some || len(parts) == 1 && one.judge != nil {
			return fmt.Sprintf("nothing at level %s has %s%s; leave it out, or try another level", level, spell(part),
				nearestKinds(part)), nil
		}
	}
	if len(parts) > 0 && (sc.judge != nil || sc.words == "") {
		return fmt.Sprintf("nothing at level %s fits all parts of the query at once; leave one out, or try another level",
			level), nil
	}
	return "", nil
}

// nearestKinds tells of a kind that is no usual one what may have been meant.
func nearestKinds(n query.Node) string {
	f, _ := n.(query.Field)
	if near := filter.NearestKinds(f.Value); f.Name == query.FieldKind && len(near) > 0 {
		return "; the nearest kinds are " + strings.Join(near, ", ")
	}
	return ""
}

// spell writes a part as it may be given.
func spell(n query.Node) string {
	switch n := n.(type) {
	case query.Word:
		return n.Text
	case query.Phrase:
		return fmt.Sprintf("%q", n.Text)
	case query.Regexp:
		return "/" + n.Expr + "/"
	case query.Field:
		return n.Name + ":" + n.Value
	case query.Not:
		return "-" + spell(n.Node)
	}
	return "what is in the parentheses"
}
