package searchsim

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// kinds are the keys that tell what kind of query an object is, in the order in
// which the server asks for them.
var kinds = []string{
	"match", "match_phrase", "terms", "fuzziness", "term", "must", "should", "must_not", "filter", "conjuncts",
	"disjuncts", "query",
	"min", "max", "start", "end", "prefix", "regexp", "wildcard", "match_all", "match_none", "ids", "bool", "top_left",
	"distance",
	"polygon_points", "geometry", "cidr",
}

var errUnknownQuery = errors.New("unknown query type") // the server's words

// parseQuery reads a query. As on the server, none and an empty one match
// nothing.
func parseQuery(raw json.RawMessage) (clause, error) {
	var keys map[string]json.RawMessage
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &keys); err != nil {
			return nil, err
		}
	}
	if len(keys) == 0 {
		return &noneClause{}, nil
	}
	for _, kind := range kinds {
		if _, ok := keys[kind]; ok {
			return parseKind(kind, raw)
		}
	}
	return nil, errUnknownQuery
}

func parseKind(kind string, raw json.RawMessage) (clause, error) {
	switch kind {
	case "match":
		return parseMatch(raw)
	case "term":
		return parseTerm(raw)
	case "conjuncts":
		return parseConjuncts(raw)
	case "disjuncts":
		return parseDisjuncts(raw)
	case "must", "must_not":
		return parseBool(raw)
	case "min", "max":
		return parseRange(raw)
	case "regexp":
		return parseRegexp(raw)
	case "match_all":
		return decode(raw, &allClause{})
	case "match_none":
		return decode(raw, &noneClause{})
	case "ids":
		return decode(raw, &idsClause{})
	}
	return nil, fmt.Errorf("searchsim does not implement the query kind %q", kind)
}

// decode reads a query without parts; keys that it does not have are refused.
func decode[C clause](raw json.RawMessage, c C) (clause, error) { return c, strict(raw, c) }

// strict decodes one JSON value and refuses unknown keys of objects.
func strict(raw json.RawMessage, v any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more than one JSON value")
	}
	return nil
}

func parseTerm(raw json.RawMessage) (clause, error) {
	c := &termClause{}
	if err := strict(raw, c); err != nil {
		return nil, err
	}
	return c, hasField(c.Field)
}

func parseMatch(raw json.RawMessage) (clause, error) {
	c := &matchClause{}
	if err := strict(raw, c); err != nil {
		return nil, err
	}
	if !slices.Contains([]string{"", "or", "and"}, c.Operator) {
		return nil, fmt.Errorf("cannot unmarshal match operator '%s' from JSON", c.Operator)
	}
	return c, hasField(c.Field)
}

func parseRegexp(raw json.RawMessage) (clause, error) {
	c := &regexpClause{}
	if err := strict(raw, c); err != nil {
		return nil, err
	}
	return c, hasField(c.Field)
}

// parseRange reads a range of terms. A range of numbers is another kind, which
// is refused by the types of the bounds.
func parseRange(raw json.RawMessage) (clause, error) {
	c := &rangeClause{}
	if err := strict(raw, c); err != nil {
		return nil, err
	}
	if c.Min == "" && c.Max == "" {
		return nil, errors.New("term range query must specify min or max")
	}
	return c, hasField(c.Field)
}

func hasField(name string) error {
	if name == "" {
		return errors.New("searchsim does not implement queries without a field")
	}
	return nil
}

func parseConjuncts(raw json.RawMessage) (clause, error) {
	c := &conjunctsClause{}
	if err := strict(raw, c); err != nil {
		return nil, err
	}
	var err error
	c.parts, err = parseAll(c.Conjuncts)
	return c, err
}

func parseDisjuncts(raw json.RawMessage) (clause, error) {
	c := &disjunctsClause{}
	if err := strict(raw, c); err != nil {
		return nil, err
	}
	if int(c.Min) > len(c.Disjuncts) {
		return nil, errors.New("disjunction query has fewer than the minimum number of clauses to satisfy")
	}
	var err error
	c.parts, err = parseAll(c.Disjuncts)
	return c, err
}

// parseBool reads a query of clauses that must match and of some that must not.
// As on the server, without the first all documents match but those of the second.
func parseBool(raw json.RawMessage) (clause, error) {
	c := &boolClause{must: &allClause{}}
	err := strict(raw, c)
	if err == nil && c.Must != nil {
		c.must, err = parseKind("conjuncts", c.Must)
	}
	if err == nil && c.MustNot != nil {
		c.mustNot, err = parseKind("disjuncts", c.MustNot)
	}
	return c, err
}

func parseAll(raws []json.RawMessage) ([]clause, error) {
	clauses := make([]clause, len(raws))
	for i, raw := range raws {
		var err error
		if clauses[i], err = parseQuery(raw); err != nil {
			return nil, err
		}
	}
	return clauses, nil
}
