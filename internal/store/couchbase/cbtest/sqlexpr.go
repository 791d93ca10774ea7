package cbtest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// missing is the value of a field that is not there. Other values are nil,
// bool, float64, string, or json.RawMessage for arrays and objects.
type missing struct{}

// A row is a document under a query.
type row struct {
	key string
	doc *document
	raw map[string]json.RawMessage // of doc.value, once asked for
}

// An expr computes a value of a row; field is set when it is just a field.
type expr struct {
	field string
	value func(*row) any
}

// field returns the value of a field of the top level.
func (r *row) field(name string) any {
	if v, ok := r.doc.scalars()[name]; ok {
		return v
	}
	raw, ok := r.rawField(name)
	if !ok {
		return missing{}
	}
	return decode(raw)
}

func (r *row) rawField(name string) (json.RawMessage, bool) {
	if r.raw == nil && r.doc.json {
		_ = json.Unmarshal(r.doc.value, &r.raw) // not an object: no fields
	}
	raw, ok := r.raw[name]
	return raw, ok
}

// decode turns JSON into a value as expr has it.
func decode(raw []byte) any {
	raw = bytes.TrimSpace(raw)
	if len(raw) > 0 && (raw[0] == '{' || raw[0] == '[') {
		return json.RawMessage(raw)
	}
	var v any
	_ = json.Unmarshal(raw, &v) // comes from valid JSON
	return v
}

// condition parses OR, AND, NOT, parentheses and comparisons.
func (p *parser) condition() (expr, *queryError) {
	left, err := p.conjunction()
	for err == nil && p.accept("OR") {
		p.either = true
		var right expr
		a := left
		right, err = p.conjunction()
		left = expr{value: func(r *row) any { return isTrue(a, r) || isTrue(right, r) }}
	}
	return left, err
}

func (p *parser) conjunction() (expr, *queryError) {
	left, err := p.comparison()
	for err == nil && p.accept("AND") {
		var right expr
		a := left
		right, err = p.comparison()
		left = expr{value: func(r *row) any { return isTrue(a, r) && isTrue(right, r) }}
	}
	return left, err
}

func isTrue(e expr, r *row) bool { return e.value(r) == true }

func (p *parser) comparison() (expr, *queryError) {
	if p.accept("(") {
		inner, err := p.condition()
		if err != nil {
			return inner, err
		}
		return inner, p.expect(")")
	}
	left, err := p.operand()
	if err != nil {
		return left, err
	}
	if p.accept("IS", "MISSING") {
		return expr{value: func(r *row) any { return left.value(r) == missing{} }}, nil
	}
	operator := p.peek()
	if !slices.Contains(operators, operator.text) || operator.kind != tokenSign {
		return left, p.syntaxError()
	}
	p.next()
	right, err := p.operand()
	if left.field != "" {
		p.compared = append(p.compared, left.field)
	}
	return expr{value: func(r *row) any { return compare(operator.text, left.value(r), right.value(r)) }}, err
}

// operators are those of comparisons.
var operators = []string{"=", "==", "!=", "<>", "<", "<=", ">", ">="}

// compare is true only for two strings, numbers or booleans that the operator
// holds for. Strings are compared byte by byte.
func compare(operator string, a, b any) bool {
	if rank(a) != rank(b) || rank(a) < rank(false) || rank(a) > rank("") {
		return false
	}
	c := collate(a, b)
	switch operator {
	case "=", "==":
		return c == 0
	case "!=", "<>":
		return c != 0
	case "<":
		return c < 0
	case "<=":
		return c <= 0
	case ">":
		return c > 0
	}
	return c >= 0
}

// rank is the order of the types of SQL++.
func rank(v any) int {
	switch v.(type) {
	case missing:
		return 0
	case nil:
		return 1
	case bool:
		return 2
	case float64:
		return 3
	case string:
		return 4
	}
	return 5
}

// collate is the order in which ORDER BY puts values.
func collate(a, b any) int {
	if c := cmp.Compare(rank(a), rank(b)); c != 0 {
		return c
	}
	switch a := a.(type) {
	case bool:
		b := b.(bool)
		switch {
		case a == b:
			return 0
		case b:
			return -1
		}
		return 1
	case float64:
		return cmp.Compare(a, b.(float64))
	case string:
		return strings.Compare(a, b.(string))
	}
	return 0
}

// operand parses a field, META(alias).id, a parameter or a constant.
func (p *parser) operand() (expr, *queryError) {
	switch t := p.peek(); {
	case t.kind == tokenParam:
		v, ok := p.request.params[t.text]
		if !ok {
			return expr{}, &queryError{
				5010, "Error evaluating filter - cause: No value for named parameter: $" + t.text,
				http.StatusOK,
			}
		}
		p.next()
		return constant(v), nil
	case t.kind == tokenString:
		return constant(p.next().text), nil
	case t.kind == tokenNumber:
		f, _ := strconv.ParseFloat(p.next().text, 64) // the token is a number
		return constant(f), nil
	case p.accept("TRUE"):
		return constant(true), nil
	case p.accept("FALSE"):
		return constant(false), nil
	case p.is("META", "("):
		return p.meta()
	}
	return p.path()
}

func constant(v any) expr { return expr{value: func(*row) any { return v }} }

func (p *parser) meta() (expr, *queryError) {
	p.accept("META", "(")
	if !p.is(")") {
		if _, err := p.name(); err != nil {
			return expr{}, err
		}
	}
	return expr{value: func(r *row) any { return r.key }}, p.expect(")", ".", "id")
}

// path parses "field" or "alias.field". Deeper paths are not known.
func (p *parser) path() (expr, *queryError) {
	name, err := p.name()
	if err == nil && p.accept(".") {
		name, err = p.name()
	}
	return expr{field: name, value: func(r *row) any { return r.field(name) }}, err
}

// number evaluates an expression without a row, for LIMIT.
func (e expr) number() (int, *queryError) {
	f, ok := e.value(&row{doc: &document{}}).(float64)
	if !ok || f != float64(int(f)) {
		return 0, &queryError{5310, fmt.Sprintf("Invalid LIMIT value %v", e.value(&row{doc: &document{}})), http.StatusOK}
	}
	return int(f), nil
}
