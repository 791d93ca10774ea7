package cbtest

import (
	"encoding/json"
	"slices"
	"strings"
)

// A selection is a parsed SELECT.
type selection struct {
	count   bool         // COUNT(*)
	version bool         // ds_version()
	raw     bool         // values instead of objects
	all     bool         // every field
	columns []projection // otherwise
	from    keyspace
	alias   string
	where   *expr
	order   []ordering
	limit   *expr
}

type projection struct {
	expr
	name string
}

type ordering struct {
	expr
	descending bool
}

// selectRowsOf parses and runs a SELECT over one keyspace.
func selectRowsOf(d *data, p *parser) ([]json.RawMessage, *queryError) {
	s, err := p.selection()
	if err != nil {
		return nil, err
	}
	if s.version {
		return s.single("ds_version", d.node.opts.Version), nil
	}
	rows, err := scan(d, p, s)
	if err != nil {
		return nil, err
	}
	if s.where != nil {
		rows = slices.DeleteFunc(rows, func(r *row) bool { return !isTrue(*s.where, r) })
	}
	if s.count {
		return s.single("count", len(rows)), nil
	}
	s.sort(rows)
	if s.limit != nil {
		n, err := s.limit.number()
		if err != nil {
			return nil, err
		}
		rows = rows[:max(0, min(n, len(rows)))]
	}
	out := make([]json.RawMessage, 0, len(rows))
	for _, r := range rows {
		if v := s.project(r); v != nil {
			out = append(out, v)
		}
	}
	return out, nil
}

// scan returns all documents of the keyspace, if an index allows that.
func scan(d *data, p *parser, s selection) ([]*row, *queryError) {
	if s.from.namespace == "system" {
		return indexRows(d.buckets, s.from)
	}
	b, c, err := resolve(d, s.from)
	if err != nil {
		return nil, err
	}
	// The server counts a whole collection from its statistics; from the release
	// after 8.0 only when no consistency is asked for.
	scans := d.node.version.scansToCount() && p.request.Consistency != "" && p.request.Consistency != "not_bounded"
	if counts := s.count && s.where == nil && !scans; !counts && !b.usableIndex(c, p.compared, p.either) {
		return nil, noIndex(s.from)
	}
	d.expire(b)
	rows := make([]*row, 0, len(c.docs))
	for key, doc := range c.docs {
		rows = append(rows, &row{key: key, doc: doc})
	}
	return rows, nil
}

// sort orders rows as asked for, then by key, as an index does.
func (s selection) sort(rows []*row) {
	slices.SortFunc(rows, func(a, b *row) int {
		for _, o := range s.order {
			c := collate(o.value(a), o.value(b))
			if o.descending {
				c = -c
			}
			if c != 0 {
				return c
			}
		}
		return strings.Compare(a.key, b.key)
	})
}

// single is the only row of a SELECT of one value.
func (s selection) single(name string, v any) []json.RawMessage {
	if !s.raw {
		v = map[string]any{name: v}
	}
	b, _ := json.Marshal(v) // a string or a number
	return []json.RawMessage{b}
}

// project makes a result of r; nil for a raw value that is missing.
func (s selection) project(r *row) json.RawMessage {
	switch {
	case s.all && s.raw:
		return r.doc.value
	case s.all:
		b, _ := json.Marshal(map[string]json.RawMessage{s.alias: r.doc.value}) // valid JSON
		return b
	case s.raw:
		v, _ := s.columns[0].json(r)
		return v
	}
	object := map[string]json.RawMessage{}
	for _, c := range s.columns {
		if v, ok := c.json(r); ok {
			object[c.name] = v
		}
	}
	b, _ := json.Marshal(object) // valid JSON
	return b
}

// json is the value as the document has it, digit by digit.
func (c projection) json(r *row) (json.RawMessage, bool) {
	if c.field != "" {
		return r.rawField(c.field)
	}
	b, err := json.Marshal(c.value(r))
	return b, err == nil
}

// selection parses all after the parser's position as a SELECT.
func (p *parser) selection() (s selection, err *queryError) {
	if err = p.expect("SELECT"); err != nil {
		return s, err
	}
	s.raw = p.accept("RAW")
	if err = p.columns(&s); err != nil {
		return s, err
	}
	if s.version {
		return s, p.end()
	}
	if err = p.expect("FROM"); err != nil {
		return s, err
	}
	if s.from, err = p.keyspace(); err != nil {
		return s, err
	}
	s.alias = s.from.collection
	if p.accept("AS") || p.peek().kind == tokenName || p.word() != "" && !p.is("WHERE") && !p.is("ORDER") &&
		!p.is("LIMIT") {
		if s.alias, err = p.name(); err != nil {
			return s, err
		}
	}
	return s, p.clauses(&s)
}

func (p *parser) columns(s *selection) *queryError {
	switch {
	case p.accept("COUNT", "(", "*", ")"):
		s.count = true
		return nil
	case p.accept("ds_version", "(", ")"):
		s.version = true
		return nil
	case p.accept("*"):
		s.all = true
		return nil
	case p.pos+2 < len(p.tokens) && p.tokens[p.pos+1].text == "." && p.tokens[p.pos+2].text == "*":
		p.pos += 3
		s.all, s.raw = true, true // "alias.*" is the document itself
		return nil
	}
	for {
		e, err := p.operand()
		if err != nil {
			return err
		}
		c := projection{e, e.field}
		if c.name == "" {
			c.name = "id"
		}
		if p.accept("AS") {
			if c.name, err = p.name(); err != nil {
				return err
			}
		}
		s.columns = append(s.columns, c)
		if s.raw || !p.accept(",") {
			return nil
		}
	}
}

// clauses parses WHERE, ORDER BY and LIMIT.
func (p *parser) clauses(s *selection) *queryError {
	if p.accept("WHERE") {
		e, err := p.condition()
		if err != nil {
			return err
		}
		s.where = &e
	}
	if p.accept("ORDER", "BY") {
		for more := true; more; more = p.accept(",") {
			e, err := p.operand()
			if err != nil {
				return err
			}
			o := ordering{expr: e, descending: p.accept("DESC")}
			p.accept("ASC")
			s.order = append(s.order, o)
		}
	}
	if p.accept("LIMIT") {
		e, err := p.operand()
		if err != nil {
			return err
		}
		s.limit = &e
	}
	return p.end()
}
