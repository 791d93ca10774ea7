package filter

import (
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
)

// A Condition says what a field of a document must be: an operator between the
// field and a value, or several conditions joined by $and, $or or $not.
//
// A document without the field, or in which it is not set, is selected by $ne,
// $nin and $not only. Of the lists, tags and wikilinks, one element must fit, and
// none for $ne and $nin.
type Condition struct {
	Field    Field
	Operator Operator
	Value    any         // a string, a number as float64, or a list of these as []any
	Parts    []Condition // of $and, $or and $not in place of field and value
}

// A Field is a field of documents that conditions may be on.
type Field string

// The fields. Dates are RFC 3339, or a day, month or year, which stand for all of
// their instants. Levels are of headings, 1 to 6; 0 is text before the first one.
const (
	CreatedDate  Field = "created_date"
	ModifiedDate Field = "modified_date"
	Tags         Field = "tags"      // a tag is also what is above it: "project" of "project/alpha"
	Wikilinks    Field = "wikilinks" // notes that are linked to, by name, alias or path
	FilePath     Field = "file_path"
	Heading      Field = "heading"
	Title        Field = "title" // or an alias
	HeadingLevel Field = "level"
	RepoID       Field = "repo_id"
	Language     Field = "language" // by name, alias or extension
	SymbolKind   Field = "kind"
)

// An Operator is what a condition compares by.
type Operator string

// The operators. Texts are compared without regard to case, but repo_id and
// file_path with it where the whole is given.
const (
	Eq       Operator = "$eq"
	Ne       Operator = "$ne"
	Gt       Operator = "$gt" // these four: dates and levels
	Gte      Operator = "$gte"
	Lt       Operator = "$lt"
	Lte      Operator = "$lte"
	In       Operator = "$in"
	Nin      Operator = "$nin"
	Contains Operator = "$contains" // a part of a text, an element of a list
	// "%" or "*" stands for any text, "_" or "?" for one character; of file_path also as a path_filter.
	Like Operator = "$like"
	And  Operator = "$and"
	Or   Operator = "$or"
	Not  Operator = "$not"
)

// Limits of conditions.
const (
	maxDepth  = 10
	maxLeaves = 100
	maxValues = 200
	maxText   = 1000
)

// Fields lists the fields, Operators the operators.
func Fields() []Field {
	return []Field{
		CreatedDate, ModifiedDate, Tags, Wikilinks, FilePath, Heading, Title, HeadingLevel, RepoID, Language,
		SymbolKind,
	}
}

// Operators lists the operators.
func Operators() []Operator {
	return []Operator{Eq, Ne, Gt, Gte, Lt, Lte, In, Nin, Contains, Like, And, Or, Not}
}

// Query selects the documents that fit the condition, without scoring. A condition
// that can't mean anything is a fault.InvalidRequest that names field and operator.
func (c Condition) Query() (fts.Query, error) {
	leaves := maxLeaves
	return c.query(maxDepth, &leaves)
}

func (c Condition) query(depth int, leaves *int) (fts.Query, error) {
	switch c.Operator {
	case And, Or, Not:
		if depth == 0 {
			return nil, fault.New(fault.InvalidRequest, "filters are nested more than %d deep", maxDepth)
		}
		return c.join(depth-1, leaves)
	}
	if *leaves--; *leaves < 0 {
		return nil, fault.New(fault.InvalidRequest, "there are more than %d filters", maxLeaves)
	}
	kind, ok := fieldKinds[c.Field]
	if !ok {
		return nil, fault.New(fault.InvalidRequest, "filter on %q: there is no such field; the fields are %s", c.Field,
			names(Fields()))
	}
	return c.leaf(kind)
}

func (c Condition) join(depth int, leaves *int) (fts.Query, error) {
	if len(c.Parts) == 0 || c.Operator == Not && len(c.Parts) != 1 || c.Field != "" {
		return nil, fault.New(fault.InvalidRequest, "%s wants a list of filters in place of a field and a value", c.Operator)
	}
	parts := make([]fts.Query, len(c.Parts))
	for i, part := range c.Parts {
		var err error
		if parts[i], err = part.query(depth, leaves); err != nil {
			return nil, err
		}
	}
	switch c.Operator {
	case Not:
		return fts.Not{Query: parts[0]}, nil
	case Or:
		return AnyOf(parts), nil
	}
	return AllOf(parts), nil
}

// leaf compares the field with the value.
func (c Condition) leaf(kind fieldKind) (fts.Query, error) {
	values, err := c.values()
	if err != nil {
		return nil, err
	}
	var parts []fts.Query
	for _, v := range values {
		q, err := kind(c, v)
		if err != nil {
			return nil, err
		}
		parts = append(parts, q)
	}
	var q fts.Query = fts.MatchNone{} // in a list of nothing
	if len(parts) > 0 {
		q = AnyOf(parts)
	}
	if c.Operator == Ne || c.Operator == Nin {
		return fts.Not{Query: q}, nil
	}
	return q, nil
}

// values are what the field is compared with: several for $in and $nin.
func (c Condition) values() ([]any, error) {
	list, isList := c.Value.([]any)
	several := c.Operator == In || c.Operator == Nin
	switch {
	case isList && !several:
		return nil, c.wrong("a single value; lists are for $in and $nin")
	case len(list) > maxValues:
		return nil, c.wrong("at most 200 values")
	case isList:
		return list, nil
	}
	return []any{c.Value}, nil
}

// wrong is the error that a condition wants something else.
func (c Condition) wrong(wants string) error {
	return fault.New(fault.InvalidRequest, "filter on %s: %s wants %s", c.Field, c.Operator, wants)
}

// text is a value that must be some text.
func (c Condition) text(v any) (string, error) {
	s, ok := v.(string)
	switch {
	case !ok:
		return "", c.wrong("text in quotes")
	case s == "":
		return "", c.wrong("text that is not empty")
	case len(s) > maxText:
		return "", c.wrong("at most 1000 bytes of text")
	}
	return s, nil
}

// unfit is the error that the field has no such operator.
func (c Condition) unfit(has string) error {
	return fault.New(fault.InvalidRequest, "filter on %s: it has no %q; its operators are %s", c.Field, c.Operator, has)
}
