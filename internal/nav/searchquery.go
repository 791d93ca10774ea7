package nav

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/scan/match"
	"github.com/ragnav/ragnav/internal/query"
)

// A lineQuery is what a search for lines asks for: one text, and files.
type lineQuery struct {
	match.Query

	names  bool        // of files, in place of lines
	repo   query.Field // zero: any
	within []fileFilter
	not    []fileFilter
}

// takes reports whether a file is one of those that are asked for.
func (q *lineQuery) takes(p string) bool {
	for _, f := range q.within {
		if !f.takes(p) {
			return false
		}
	}
	for _, f := range q.not {
		if f.takes(p) {
			return false
		}
	}
	return true
}

func (q *lineQuery) everyFile() bool { return len(q.not) == 0 && len(q.within) == 0 }

// readQuery understands a request. A query without operators of the query
// language is a text as it is; else it has one text (words side by side, a
// phrase or an expression) and fields.
func readQuery(req SearchRequest) (lineQuery, error) {
	q := lineQuery{
		names: req.Names,
		Query: match.Query{Pattern: req.Query, Regexp: req.Regexp, Case: cases[req.Case], Word: req.Word},
	}
	if !req.Regexp {
		asked, err := query.Parse(req.Query)
		if err != nil {
			return q, err
		}
		if asked.Root != nil {
			if err := q.read(asked, req); err != nil {
				return q, err
			}
		}
	}
	f, err := newFilter(req.PathFilter, req.Language, "")
	if err == nil && !f.all() {
		q.within = append(q.within, f)
	}
	return q, err
}

// read takes a query apart.
func (q *lineQuery) read(asked query.Query, req SearchRequest) error {
	parts, ok := asked.Root.(query.And)
	if !ok {
		parts = query.And{asked.Root}
	}
	if asked.Case && req.Case == "" {
		q.Case = match.Sensitive
	}
	texts := lineText{}
	for _, part := range parts {
		var err error
		switch part := part.(type) {
		case query.Field:
			err = q.field(part, req, false)
		case query.Not:
			field, ok := part.Node.(query.Field)
			if !ok {
				return query.NewMistake(1, "only file:, lang: and repo: may have a dash before them here")
			}
			err = q.field(field, req, true)
		case query.Or:
			err = query.NewMistake(1, `lines are searched for one text; write "or" as the regular expression /a|b/`)
		default:
			err = texts.add(part)
		}
		if err != nil {
			return err
		}
	}
	q.Pattern, q.Regexp = strings.Join(texts.words, " "), texts.regexp
	if q.Pattern == "" {
		return query.NewMistake(1, "there is no text to look for; add words, a phrase or a regular expression")
	}
	return nil
}

// A lineText is the text of a query: words, or one phrase or expression.
type lineText struct {
	words  []string
	regexp bool
	whole  bool
}

func (t *lineText) add(n query.Node) error {
	text, at, whole := "", 1, true
	switch n := n.(type) {
	case query.Word:
		text, at, whole = n.Text, n.At, false
	case query.Phrase:
		text, at = n.Text, n.At
	case query.Regexp:
		text, at, t.regexp = n.Expr, n.At, true
	}
	if len(t.words) > 0 && (whole || t.whole) {
		return query.NewMistake(at, "lines are searched for one text: words side by side, a phrase or a regular expression")
	}
	t.words, t.whole = append(t.words, text), whole
	return nil
}

// field takes a field; those of the request win.
func (q *lineQuery) field(f query.Field, req SearchRequest, not bool) error {
	var chosen fileFilter
	var err error
	switch {
	case f.Name == query.FieldRepo && !not:
		q.repo = f
		return nil
	case f.Name == query.FieldFile && req.PathFilter == "":
		chosen, err = newFilter(f.Value, "", "")
	case f.Name == query.FieldLang && req.Language == "":
		chosen, err = newFilter("", f.Value, "")
	case f.Name == query.FieldFile, f.Name == query.FieldLang:
		return nil
	default:
		return query.NewMistake(f.At, "%s: selects no lines; use file:, lang: and repo:", f.Name)
	}
	if err != nil {
		return f.Within(err)
	}
	if not {
		q.not = append(q.not, chosen)
	} else {
		q.within = append(q.within, chosen)
	}
	return nil
}
