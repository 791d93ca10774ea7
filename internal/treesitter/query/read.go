package query

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A reader reads a query.
type reader struct {
	source  string
	at      int
	grammar Grammar
	query   *Query
	kinds   map[Kind]uint16
}

func (r *reader) patterns() error {
	for r.space(); r.at < len(r.source); r.space() {
		s, err := r.pattern()
		if err != nil {
			return err
		}
		r.query.patterns = append(r.query.patterns, s)
	}
	return nil
}

// pattern reads a node, or several siblings in parentheses.
func (r *reader) pattern() (*step, error) {
	if from := r.at; r.take('(') {
		if r.space(); strings.IndexByte(`(["`, r.peek()) >= 0 {
			return r.group()
		}
		r.at = from
	}
	s, err := r.step()
	if err != nil {
		return nil, err
	}
	return s, r.once(s)
}

// group reads siblings up to the ")" behind them.
func (r *reader) group() (*step, error) {
	all := &step{kind: anyKind}
	if err := r.children(all); err != nil {
		return nil, err
	}
	first := all.children[0]
	if all.children = all.children[1:]; first.least != 1 || first.many || first.field != 0 || first.adjoins {
		return nil, errors.New("the first of several siblings is there once, anywhere")
	}
	if len(all.children) > 0 || all.closed {
		first.siblings = all
	}
	return first.step, nil
}

// once reads what is behind a node that can't be there more often, or not.
func (r *reader) once(s *step) error {
	it, err := r.behind(s)
	if err == nil && (it.least != 1 || it.many) {
		err = errors.New("it can only be there once")
	}
	return err
}

// space skips white space and comments.
func (r *reader) space() {
	for r.at < len(r.source) {
		switch r.source[r.at] {
		case ';':
			line, _, _ := strings.Cut(r.source[r.at:], "\n")
			r.at += len(line)
		case ' ', '\t', '\r', '\n':
			r.at++
		default:
			return
		}
	}
}

// peek is the next byte, or 0.
func (r *reader) peek() byte {
	if r.at < len(r.source) {
		return r.source[r.at]
	}
	return 0
}

// take skips a byte, if it is the next.
func (r *reader) take(c byte) bool {
	if r.peek() != c {
		return false
	}
	r.at++
	return true
}

// step reads what stands for a node, without what is behind it.
func (r *reader) step() (*step, error) {
	switch c := r.peek(); {
	case r.take('('):
		return r.node()
	case r.take('['):
		return r.options()
	case c == '"':
		return r.text()
	case r.word() == "_":
		return &step{kind: anyKind}, nil
	}
	return nil, errors.New("a node is missing")
}

// word reads a name, which may be empty.
func (r *reader) word() string {
	from := r.at
	for r.at < len(r.source) && isWord(r.source[r.at]) {
		r.at++
	}
	return r.source[from:r.at]
}

func isWord(c byte) bool {
	return c == '_' || c == '-' || c == '.' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// node reads what is behind a "(".
func (r *reader) node() (*step, error) {
	s := &step{}
	switch name := r.word(); name {
	case "":
		return nil, errors.New("the kind of a node is missing; there are no groups")
	case "_":
		s.kind = namedKind
	case "ERROR":
		s.kind = errorKind
	default:
		kind, known := r.kinds[Kind{Name: name, Named: true, Shown: true}]
		if !known {
			return nil, fmt.Errorf("no node of a tree is a %s", name)
		}
		s.kind = kind
	}
	return s, r.children(s)
}

// children reads what is in a node up to its ")".
func (r *reader) children(s *step) error {
	for adjoins := false; ; {
		r.space()
		switch {
		case r.take(')'):
			s.closed = adjoins
			return nil
		case r.take('.'):
			adjoins = true
		case strings.HasPrefix(r.source[r.at:], "(#"):
			if err := r.test(); err != nil {
				return err
			}
		case r.take('!'):
			field, err := r.field(r.word())
			if err != nil {
				return err
			}
			s.without = append(s.without, field)
		default:
			it, err := r.child()
			if err != nil {
				return err
			}
			it.adjoins = adjoins
			s.children, adjoins = append(s.children, it), false
			s.catches = s.catches || it.catches
		}
	}
}

var match = regexp.MustCompile(`^\(#match\? @([\w.]+) "([^"\\]*)"\)`)

// test reads a predicate of the pattern that is being read.
func (r *reader) test() error {
	parts := match.FindStringSubmatch(r.source[r.at:])
	if parts == nil {
		return errors.New(`of predicates there is (#match? @name "expression")`)
	}
	text, err := regexp.Compile(parts[2])
	if err != nil {
		return fmt.Errorf("a predicate: %w", err)
	}
	r.at += len(parts[0])
	pattern := len(r.query.patterns)
	r.query.tests[pattern] = append(r.query.tests[pattern], test{r.capture(parts[1]), text})
	return nil
}

// child reads a node with its field, if it has one.
func (r *reader) child() (item, error) {
	var field uint16
	from := r.at
	if name := r.word(); name != "" && r.take(':') {
		var err error
		if field, err = r.field(name); err != nil {
			return item{}, err
		}
		r.space()
	} else {
		r.at = from
	}
	s, err := r.step()
	if err != nil {
		return item{}, err
	}
	s.field = field
	return r.behind(s)
}

func (r *reader) field(name string) (uint16, error) {
	if i := slices.Index(r.grammar.Fields, name); i > 0 {
		return uint16(i), nil //nolint:gosec // a grammar has some fifty
	}
	return 0, fmt.Errorf("there is no field %q", name)
}

// options reads what is behind a "[".
func (r *reader) options() (*step, error) {
	s := &step{}
	for {
		r.space()
		if r.take(']') {
			return s, nil
		}
		o, err := r.step()
		if err != nil {
			return nil, err
		}
		if err := r.once(o); err != nil {
			return nil, err
		}
		s.options = append(s.options, o)
		s.catches = s.catches || o.catches
	}
}

// text reads a node that is what it is called.
func (r *reader) text() (*step, error) {
	name, _, ok := strings.Cut(r.source[r.at+1:], `"`)
	if !ok || strings.Contains(name, `\`) {
		return nil, errors.New("a text does not end, or has a backslash")
	}
	r.at += len(name) + 2
	kind, known := r.kinds[Kind{Name: name, Shown: true}]
	if !known {
		return nil, fmt.Errorf("no node of a tree is %q", name)
	}
	return &step{kind: kind}, nil
}

// behind reads how often a node is there and what it is captured as.
func (r *reader) behind(s *step) (item, error) {
	it := item{step: s, least: 1}
	for {
		r.space()
		switch {
		case r.take('?'):
			it.least = 0
		case r.take('*'):
			it.least, it.many = 0, true
		case r.take('+'):
			it.many = true
		case r.take('@'):
			s.captures, s.catches = append(s.captures, r.capture(r.word())), true
		case s.catches && (it.least != 1 || it.many):
			return it, errors.New("what captures is there once")
		default:
			return it, nil
		}
	}
}

// capture is the number of a capture.
func (r *reader) capture(name string) int {
	if i := slices.Index(r.query.Captures, name); i >= 0 {
		return i
	}
	r.query.Captures = append(r.query.Captures, name)
	return len(r.query.Captures) - 1
}
