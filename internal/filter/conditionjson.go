package filter

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
)

// wireCondition is the JSON of a condition. The value of $and, $or and $not is a
// list of conditions.
type wireCondition struct {
	Field    Field           `json:"field,omitempty"`
	Operator Operator        `json:"operator"`
	Value    json.RawMessage `json:"value"`
}

// MarshalJSON writes {"field", "operator", "value"}; $and, $or and $not have no
// field, and their value is the list of their parts.
func (c Condition) MarshalJSON() ([]byte, error) {
	value, err := json.Marshal(c.Value)
	if joins(c.Operator) {
		value, err = json.Marshal(c.Parts)
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(wireCondition{c.Field, c.Operator, value})
}

func joins(o Operator) bool { return o == And || o == Or || o == Not }

// UnmarshalJSON reads what MarshalJSON writes, and the form that vector databases
// and models know: {"tags": {"$in": ["a"]}}, {"title": "x"}, {"$or": [...]}.
// Errors are fault.InvalidRequest.
func (c *Condition) UnmarshalJSON(data []byte) error {
	return c.read(data, maxDepth+1)
}

func (c *Condition) read(data []byte, depth int) error {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(data, &keys); err != nil || keys == nil {
		return fault.New(fault.InvalidRequest,
			"a filter is an object such as {\"field\":\"tags\",\"operator\":\"$in\",\"value\":[\"idea\"]}")
	}
	if depth == 0 {
		return fault.New(fault.InvalidRequest, "filters are nested more than %d deep", maxDepth)
	}
	if _, ok := keys["operator"]; !ok {
		return c.readShort(keys, depth)
	}
	for name := range keys {
		if name != "field" && name != "operator" && name != "value" {
			return fault.New(fault.InvalidRequest, "unknown field %.60q of a filter; the fields are field, operator, value",
				name)
		}
	}
	var w wireCondition
	if err := json.Unmarshal(data, &w); err != nil {
		return fault.New(fault.InvalidRequest, "field and operator of a filter are texts")
	}
	return c.fill(w, depth)
}

// fill takes over the parts of a condition.
func (c *Condition) fill(w wireCondition, depth int) error {
	if !slices.Contains(Operators(), w.Operator) {
		return fault.New(fault.InvalidRequest, "filter on %.60q: there is no operator %.60q; the operators are %s", w.Field,
			w.Operator, names(Operators()))
	}
	*c = Condition{Field: w.Field, Operator: w.Operator}
	if !joins(c.Operator) {
		if len(w.Value) == 0 {
			return c.wrong("a value")
		}
		return json.Unmarshal(w.Value, &c.Value)
	}
	var parts []json.RawMessage
	if json.Unmarshal(w.Value, &parts) != nil {
		parts = []json.RawMessage{w.Value} // of $not, mostly
	}
	if len(parts) > maxLeaves {
		return fault.New(fault.InvalidRequest, "there are more than %d filters", maxLeaves)
	}
	c.Parts = make([]Condition, len(parts))
	for i, part := range parts {
		if err := c.Parts[i].read(part, depth-1); err != nil {
			return err
		}
	}
	return nil
}

// readShort reads a condition whose keys are fields or operators: all must hold.
func (c *Condition) readShort(keys map[string]json.RawMessage, depth int) error {
	var all []Condition
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		parts, err := shortParts(name, keys[name], depth)
		if err != nil {
			return err
		}
		all = append(all, parts...)
	}
	switch len(all) {
	case 0:
		return fault.New(fault.InvalidRequest, "a filter has a field, an operator and a value")
	case 1:
		*c = all[0]
	default:
		*c = Condition{Operator: And, Parts: all}
	}
	return nil
}

// shortParts are the conditions of one key.
func shortParts(name string, value json.RawMessage, depth int) ([]Condition, error) {
	var c Condition
	if strings.HasPrefix(name, "$") {
		err := c.fill(wireCondition{"", Operator(name), value}, depth)
		return []Condition{c}, err
	}
	var operators map[string]json.RawMessage
	if json.Unmarshal(value, &operators) != nil || operators == nil { // {"field": value}
		err := c.fill(wireCondition{Field(name), Eq, value}, depth)
		return []Condition{c}, err
	}
	var all []Condition
	for _, operator := range Operators() {
		if v, ok := operators[string(operator)]; ok {
			if err := c.fill(wireCondition{Field(name), operator, v}, depth); err != nil {
				return nil, err
			}
			all = append(all, c)
		}
	}
	if len(all) != len(operators) || len(all) == 0 {
		return nil, fault.New(fault.InvalidRequest, "filter on %.60q: an operator is unknown; the operators are %s", name,
			names(Operators()))
	}
	return all, nil
}

func names[S ~string](list []S) string {
	all := make([]string, len(list))
	for i, s := range list {
		all[i] = string(s)
	}
	return strings.Join(all, ", ")
}
