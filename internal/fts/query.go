package fts

import "encoding/json"

// A Query selects and scores documents. The set of queries is closed: it is
// what Couchbase Search and the embedded store both execute.
//
// Every query has a Boost. A nil Boost means 1; a boost of 0 makes a query a
// pure filter: it selects and adds nothing to the score. What a Term, Regexp,
// TermRange or IDs query scores with another boost is up to the engine (the
// embedded store gives each hit the boost itself), so use them as filters.
type Query interface{ isQuery() }

// Term matches documents that have exactly that term in a keyword field. The
// term is not analysed: its case counts.
type Term struct {
	Field string   `json:"field"`
	Term  string   `json:"term"`
	Boost *float64 `json:"boost,omitempty"`
}

// Match matches documents that have any of the words of Match in a text field,
// scored by BM25. The words go through the field's analyser.
type Match struct {
	Field    string   `json:"field"`
	Match    string   `json:"match"`
	Operator string   `json:"operator,omitempty"` // "or" (default) or "and"
	Boost    *float64 `json:"boost,omitempty"`
}

// Regexp matches documents with a term in a keyword field that matches the
// whole of an RE2 expression without anchors.
type Regexp struct {
	Field  string   `json:"field"`
	Regexp string   `json:"regexp"`
	Boost  *float64 `json:"boost,omitempty"`
}

// TermRange matches documents with a term in [Min, Max) of a keyword field by
// byte order; an empty bound is open. Dates are stored as RFC 3339 in UTC, so
// their byte order is their time order.
type TermRange struct {
	Field string   `json:"field"`
	Min   string   `json:"min,omitempty"`
	Max   string   `json:"max,omitempty"`
	Boost *float64 `json:"boost,omitempty"`
}

// IDs matches documents by id.
type IDs struct {
	IDs   []string `json:"ids"`
	Boost *float64 `json:"boost,omitempty"`
}

// Conjunction matches what all of its parts match; scores add up.
type Conjunction struct {
	Conjuncts []Query  `json:"conjuncts"`
	Boost     *float64 `json:"boost,omitempty"`
}

// Disjunction matches what at least Min (0 means 1) of its parts match; the
// scores of the parts that match add up.
type Disjunction struct {
	Disjuncts []Query  `json:"disjuncts"`
	Min       int      `json:"min,omitempty"`
	Boost     *float64 `json:"boost,omitempty"`
}

// Not matches the documents that its query does not, those without the field
// among them. It adds nothing to the score.
type Not struct{ Query Query }

// MatchAll matches every document with score 1.
type MatchAll struct{}

// MatchNone matches nothing.
type MatchNone struct{}

func (Term) isQuery()        {}
func (Match) isQuery()       {}
func (Regexp) isQuery()      {}
func (TermRange) isQuery()   {}
func (IDs) isQuery()         {}
func (Conjunction) isQuery() {}
func (Disjunction) isQuery() {}
func (Not) isQuery()         {}
func (MatchAll) isQuery()    {}
func (MatchNone) isQuery()   {}

// MarshalJSON writes the bounds with the flags that make [Min, Max) of them.
func (q TermRange) MarshalJSON() ([]byte, error) {
	type bounds TermRange
	return json.Marshal(struct {
		bounds
		InclusiveMin bool `json:"inclusive_min"`
		InclusiveMax bool `json:"inclusive_max"`
	}{bounds(q), true, false})
}

// MarshalJSON writes an empty list as [], which the engines take, not as null.
func (q IDs) MarshalJSON() ([]byte, error) {
	type ids IDs
	q.IDs = orEmpty(q.IDs)
	return json.Marshal(ids(q))
}

// MarshalJSON writes an empty list as [], which the engines take, not as null.
func (q Conjunction) MarshalJSON() ([]byte, error) {
	type conjunction Conjunction
	q.Conjuncts = orEmpty(q.Conjuncts)
	return json.Marshal(conjunction(q))
}

// MarshalJSON writes an empty list as [], which the engines take, not as null.
func (q Disjunction) MarshalJSON() ([]byte, error) {
	type disjunction Disjunction
	q.Disjuncts = orEmpty(q.Disjuncts)
	return json.Marshal(disjunction(q))
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// MarshalJSON writes what must not match beside all, which must.
func (q Not) MarshalJSON() ([]byte, error) {
	all := map[string]any{"match_all": struct{}{}, "boost": 0}
	return json.Marshal(map[string]any{
		"must":     map[string]any{"conjuncts": []any{all}},
		"must_not": map[string]any{"disjuncts": []Query{q.Query}},
	})
}

// MarshalJSON writes {"match_all":{}}.
func (MatchAll) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{"match_all": struct{}{}})
}

// MarshalJSON writes {"match_none":{}}.
func (MatchNone) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{"match_none": struct{}{}})
}

// Zero is the boost of a filter.
func Zero() *float64 { return new(float64) }

// Filter is the conjunction of terms that select without scoring. Pairs of an
// empty value are left out.
func Filter(field, term string) Query { return Term{Field: field, Term: term, Boost: Zero()} }
