package searchsim

import "encoding/json"

// A clause is one query of the tree that a request has. The server knows more
// kinds; those are refused.
type clause interface{ boost() *float64 }

type (
	termClause struct {
		Term  string   `json:"term"`
		Field string   `json:"field"`
		Boost *float64 `json:"boost"`
	}
	matchClause struct {
		Match    string   `json:"match"`
		Field    string   `json:"field"`
		Analyzer string   `json:"analyzer"`
		Operator string   `json:"operator"`
		Boost    *float64 `json:"boost"`
	}
	regexpClause struct {
		Regexp string   `json:"regexp"`
		Field  string   `json:"field"`
		Boost  *float64 `json:"boost"`
	}
	rangeClause struct {
		Min          string   `json:"min"`
		Max          string   `json:"max"`
		InclusiveMin *bool    `json:"inclusive_min"`
		InclusiveMax *bool    `json:"inclusive_max"`
		Field        string   `json:"field"`
		Boost        *float64 `json:"boost"`
	}
	idsClause struct {
		IDs   []string `json:"ids"`
		Boost *float64 `json:"boost"`
	}
	conjunctsClause struct {
		Conjuncts []json.RawMessage `json:"conjuncts"`
		Boost     *float64          `json:"boost"`

		parts []clause
	}
	disjunctsClause struct {
		Disjuncts []json.RawMessage `json:"disjuncts"`
		Min       float64           `json:"min"`
		Boost     *float64          `json:"boost"`

		parts []clause
	}
	// boolClause finds what its must finds and its must_not does not. The server
	// also takes should and filter.
	boolClause struct {
		Must    json.RawMessage `json:"must"`
		MustNot json.RawMessage `json:"must_not"`
		Boost   *float64        `json:"boost"`

		must, mustNot clause
	}
	allClause struct {
		All   json.RawMessage `json:"match_all"`
		Boost *float64        `json:"boost"`
	}
	noneClause struct {
		None  json.RawMessage `json:"match_none"`
		Boost *float64        `json:"boost"`
	}
)

func (c *termClause) boost() *float64      { return c.Boost }
func (c *matchClause) boost() *float64     { return c.Boost }
func (c *regexpClause) boost() *float64    { return c.Boost }
func (c *rangeClause) boost() *float64     { return c.Boost }
func (c *idsClause) boost() *float64       { return c.Boost }
func (c *conjunctsClause) boost() *float64 { return c.Boost }
func (c *disjunctsClause) boost() *float64 { return c.Boost }
func (c *boolClause) boost() *float64      { return c.Boost }
func (c *allClause) boost() *float64       { return c.Boost }
func (c *noneClause) boost() *float64      { return c.Boost }

func boostOf(c clause) float64 {
	if b := c.boost(); b != nil {
		return *b
	}
	return 1
}
