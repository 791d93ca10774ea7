package filter

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
)

// A fieldKind makes the query of a condition for one value. It need not look
// whether $ne or $nin is meant.
type fieldKind func(c Condition, value any) (fts.Query, error)

var fieldKinds = map[Field]fieldKind{
	CreatedDate:  dates(fts.FieldCreated),
	ModifiedDate: dates(fts.FieldModified),
	Tags:         texts(fts.FieldTags, Tag, true),
	Wikilinks:    texts(fts.FieldWikilinks, Link, true),
	Heading:      texts(fts.FieldHeading, lowerTerm(fts.FieldHeading), false),
	Title:        texts(fts.FieldTitle, lowerTerm(fts.FieldTitle), false),
	RepoID:       texts(fts.FieldRepo, func(v string) fts.Query { return fts.Filter(fts.FieldRepo, v) }, false),
	SymbolKind:   texts(fts.FieldKind, Kind, false),
	FilePath:     paths,
	Language:     languages,
	HeadingLevel: levels,
}

const (
	ordered    = "$eq, $ne, $in, $nin, $gt, $gte, $lt and $lte"
	unordered  = "$eq, $ne, $in, $nin, $contains and $like"
	precisions = "a date such as 2026-03-09, 2026-03, 2026 or 2026-03-09T10:00:00Z"
)

func lowerTerm(field string) func(string) fts.Query {
	return func(v string) fts.Query { return fts.Filter(field, fts.Fold(v)) }
}

// texts compares a keyword field with text, by equal for the whole and for the
// elements of a list.
func texts(field string, equal func(string) fts.Query, list bool) fieldKind {
	return func(c Condition, value any) (fts.Query, error) {
		v, err := c.text(value)
		switch {
		case err != nil:
			return nil, err
		case c.Operator == Eq || c.Operator == Ne || c.Operator == In || c.Operator == Nin || list && c.Operator == Contains:
			return equal(v), nil
		}
		return c.partly(field, v)
	}
}

// partly is for $contains and $like on texts.
func (c Condition) partly(field, v string) (fts.Query, error) {
	if field != fts.FieldPath {
		v = fts.Fold(v)
	}
	expr := ""
	switch c.Operator {
	case Contains:
		expr = ".*" + regexp.QuoteMeta(v) + ".*"
	case Like:
		expr = likeRegexp(v)
	default:
		return nil, c.unfit(unordered)
	}
	return fts.Regexp{Field: field, Regexp: "(?is)" + expr, Boost: fts.Zero()}, nil
}

// likeRegexp translates a pattern of SQL or of file names, without classes. A
// backslash takes the meaning off the next character.
func likeRegexp(pattern string) string {
	var b strings.Builder
	quoted := false
	for _, r := range pattern {
		switch {
		case quoted:
			b.WriteString(regexp.QuoteMeta(string(r)))
			quoted = false
		case r == '\\':
			quoted = true
		case r == '%' || r == '*':
			b.WriteString(".*")
		case r == '_' || r == '?':
			b.WriteString(".")
		default:
			b.WriteString(regexp.QuoteMeta(string(r)))
		}
	}
	if quoted {
		b.WriteString(`\\`)
	}
	return b.String()
}

// paths compares file_path. A pattern with "%" is one of SQL; others mean what
// a path_filter means, or one of SQL.
func paths(c Condition, value any) (fts.Query, error) {
	v, err := c.text(value)
	if err != nil {
		return nil, err
	}
	switch c.Operator {
	case Eq, Ne, In, Nin:
		var forms []fts.Query
		for _, form := range PathForms(strings.TrimPrefix(v, "./")) {
			forms = append(forms, fts.Filter(fts.FieldPath, form))
		}
		return AnyOf(forms), nil
	case Like:
		bySQL, err := c.partly(fts.FieldPath, v)
		path, notPath := ParsePath(v)
		if err != nil || notPath != nil || path.All() || strings.Contains(v, "%") {
			return bySQL, err
		}
		if !strings.Contains(v, "_") {
			return path.Query(), nil
		}
		if strings.ContainsAny(v, wildcards) { // in globs "_" is itself
			return path.Query(), nil
		}
		return AnyOf([]fts.Query{path.Query(), bySQL}), nil
	}
	return c.partly(fts.FieldPath, v)
}

func languages(c Condition, value any) (fts.Query, error) {
	v, err := c.text(value)
	if err != nil {
		return nil, err
	}
	switch c.Operator {
	case Eq, Ne, In, Nin:
		meant, err := ParseLanguage(v)
		if err != nil || meant == nil {
			return nil, fault.Wrap(fault.InvalidRequest, err, "filter on %s: %s", c.Field, fault.MessageOf(err))
		}
		return meant.Query(), nil
	}
	return c.partly(fts.FieldLanguage, v)
}

// maxLevel is the deepest heading.
const maxLevel = 6

func levels(c Condition, value any) (fts.Query, error) {
	v, ok := value.(float64)
	if s, isText := value.(string); isText {
		n, err := strconv.Atoi(strings.TrimSpace(s))
		v, ok = float64(n), err == nil
	}
	if !ok || math.IsNaN(v) || v != math.Trunc(v) {
		return nil, c.wrong("a whole number, 1 to 6")
	}
	fits := map[Operator]func(level float64) bool{
		Gt: func(l float64) bool { return l > v }, Gte: func(l float64) bool { return l >= v },
		Lt: func(l float64) bool { return l < v }, Lte: func(l float64) bool { return l <= v },
		Eq: func(l float64) bool { return l == v },
	}
	fits[Ne], fits[In], fits[Nin] = fits[Eq], fits[Eq], fits[Eq]
	fit := fits[c.Operator]
	if fit == nil {
		return nil, c.unfit(ordered)
	}
	var terms []fts.Query
	for l := range maxLevel + 1 {
		if fit(float64(l)) {
			terms = append(terms, fts.Filter(fts.FieldHLevel, strconv.Itoa(l)))
		}
	}
	if len(terms) == 0 {
		return fts.MatchNone{}, nil
	}
	return AnyOf(terms), nil
}

// endOfTime is behind all dates, and before all texts that begin with a letter.
const endOfTime = ":"

// dates compares a field of instants with one, or with a day, month or year.
func dates(field string) fieldKind {
	return func(c Condition, value any) (fts.Query, error) {
		v, err := c.text(value)
		if err != nil {
			return nil, c.wrong(precisions)
		}
		from, to, ok := Instants(v)
		if !ok {
			return nil, c.wrong(fmt.Sprintf("%s, not %q", precisions, v))
		}
		within := func(low, high string) fts.Query {
			return fts.TermRange{Field: field, Min: low, Max: high, Boost: fts.Zero()}
		}
		switch c.Operator {
		case Eq, Ne, In, Nin:
			return within(from, to), nil
		case Gt:
			return within(to, endOfTime), nil
		case Gte:
			return within(from, endOfTime), nil
		case Lt:
			return within("0", from), nil
		case Lte:
			return within("0", to), nil
		}
		return nil, c.unfit(ordered)
	}
}

// Instants are those that a date means, from the first to the one behind the
// last, as documents have them. A date without zone is in UTC.
func Instants(date string) (from, to string, ok bool) {
	for _, form := range []struct {
		layout              string
		years, months, days int
		rest                time.Duration
	}{
		{"2006", 1, 0, 0, 0},
		{"2006-01", 0, 1, 0, 0},
		{"2006-01-02", 0, 0, 1, 0},
		{"2006-01-02T15:04", 0, 0, 0, time.Minute},
		{"2006-01-02 15:04", 0, 0, 0, time.Minute},
		{"2006-01-02T15:04:05", 0, 0, 0, time.Second},
		{"2006-01-02 15:04:05", 0, 0, 0, time.Second},
		{time.RFC3339, 0, 0, 0, time.Second},
	} {
		t, err := time.Parse(form.layout, strings.TrimSpace(date))
		if err != nil {
			continue
		}
		t = t.UTC().Truncate(time.Second)
		end := t.AddDate(form.years, form.months, form.days).Add(form.rest)
		return t.Format(time.RFC3339), end.Format(time.RFC3339), t.Year() >= 1 && end.Year() <= 9999
	}
	return "", "", false
}
