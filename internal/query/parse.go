package query

import (
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// maxRegexpSteps is the largest cost of a regular expression, as pattern.Steps
// counts it.
const maxRegexpSteps = 1000

// Parse understands a text. A mistake is a fault.InvalidRequest that says where
// it is, with a *Mistake as its cause.
//
// Without an operator, a text is taken as words as it is: parentheses and "or"
// are then words, too, and so is a dash before a word that stands alone. So is a text of
// several lines: it was copied, and quotes in code and in stack traces are no operators.
func Parse(text string) (Query, error) {
	if strings.Contains(strings.TrimSpace(text), "\n") {
		return Plain(text), nil
	}
	l := lexer{text: text}
	if l.run(); l.broken != nil {
		return Query{}, l.broken
	}
	if !l.operators && !l.excludes() {
		return Plain(text), nil
	}
	if l.valueless > 0 {
		return Query{}, NewMistake(l.valueless, "the field has no value; write it behind the colon, or quote the field")
	}
	p := parser{tokens: l.tokens, end: l.at()}
	if len(p.tokens) == 0 { // case:yes alone
		return Query{Case: l.caseYes}, nil
	}
	root, err := p.or()
	if err != nil {
		return Query{}, err
	}
	if t, ok := p.peek(); ok { // only this stops p.or
		return Query{}, NewMistake(t.at, "the parenthesis closes none; take it out, or quote it")
	}
	return Query{Root: root, Case: l.caseYes, Words: words(root)}, nil
}

// excludes reports whether words are wanted and others are not: "parse -json".
// A text of nothing but such dashes is one of flags: "-Wall".
func (l *lexer) excludes() bool {
	not, wanted := false, false
	for i, t := range l.tokens {
		switch {
		case t.mark == "-":
			not = true
		case t.leaf != nil && (i == 0 || l.tokens[i-1].mark != "-"):
			wanted = true
		}
	}
	return not && wanted
}

// A parser makes a tree of tokens.
type parser struct {
	tokens []token
	i      int
	end    int // place behind the text
}

func (p *parser) peek() (token, bool) {
	if p.i == len(p.tokens) {
		return token{at: p.end}, false
	}
	return p.tokens[p.i], true
}

// or reads parts with "or" between them.
func (p *parser) or() (Node, error) {
	var parts Or
	for {
		part, err := p.and()
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
		if t, _ := p.peek(); t.mark != "or" {
			break
		}
		p.i++
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	return parts, nil
}

// and reads parts side by side, one at least.
func (p *parser) and() (Node, error) {
	var parts And
	for {
		t, ok := p.peek()
		if !ok || t.mark == "or" || t.mark == ")" {
			if len(parts) == 0 {
				return nil, p.missing(t)
			}
			break
		}
		part, err := p.not()
		if err != nil {
			return nil, err
		}
		parts = append(parts, Parts(part)...)
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	return parts, nil
}

// missing is the mistake that nothing stands before a token.
func (p *parser) missing(t token) error {
	if p.i > 0 && p.tokens[p.i-1].mark == "or" {
		return NewMistake(p.tokens[p.i-1].at, "nothing stands behind \"or\"; quote it if it is a word")
	}
	switch t.mark {
	case "or":
		return NewMistake(t.at, "nothing stands before \"or\"; quote it if it is a word")
	case ")":
		if p.i > 0 && p.tokens[p.i-1].mark == "(" {
			return NewMistake(t.at, "there is nothing in the parentheses")
		}
		return NewMistake(t.at, "the parenthesis closes none; take it out, or quote it")
	}
	return NewMistake(max(t.at-1, 1), "the query ends too early")
}

func (p *parser) not() (Node, error) {
	t, ok := p.peek()
	if !ok || t.mark == "or" || t.mark == ")" { // behind a dash
		return nil, NewMistake(p.tokens[p.i-1].at, "nothing stands behind the dash; leave it out, or quote it")
	}
	p.i++
	switch t.mark {
	case "-":
		part, err := p.not()
		return Not{part}, err
	case "(":
		return p.group(t)
	}
	if r, ok := t.leaf.(Regexp); ok {
		return r, r.check()
	}
	return t.leaf, nil
}

func (p *parser) group(open token) (Node, error) {
	if _, more := p.peek(); !more {
		return nil, NewMistake(open.at, "the parenthesis is not closed; close it, or quote it")
	}
	part, err := p.or()
	if err != nil {
		return nil, err
	}
	if t, _ := p.peek(); t.mark != ")" {
		return nil, NewMistake(open.at, "the parenthesis is not closed; close it, or quote it")
	}
	p.i++
	return part, nil
}

func (r Regexp) check() error {
	re, err := syntax.Parse(r.Expr, syntax.Perl)
	if err != nil {
		return NewMistake(r.At, "/%s/ is not a regular expression: %s", r.Expr, pattern.Mistake(err))
	}
	if n := pattern.Steps(re); n > maxRegexpSteps {
		return NewMistake(r.At,
			"the regular expression takes %d steps a character, the limit is %d; write fewer or smaller repetitions", n,
			maxRegexpSteps)
	}
	return nil
}

// Parts are what must all hold: the parts of an And, or the node itself.
func Parts(n Node) []Node {
	switch n := n.(type) {
	case nil:
		return nil
	case And:
		return slices.Clone(n)
	}
	return []Node{n}
}
