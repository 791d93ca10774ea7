package cbtest

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
)

// A sqlToken is a piece of a statement.
type sqlToken struct {
	kind byte // one of the kinds below
	text string
	at   int // byte offset
}

// The kinds of tokens.
const (
	tokenEnd    byte = 0
	tokenWord   byte = 'w' // a keyword or a name
	tokenName   byte = 'n' // a name in backticks
	tokenString byte = 's'
	tokenNumber byte = '0'
	tokenParam  byte = '$' // without the dollar
	tokenSign   byte = '+' // operators and punctuation
)

// sqlTokens tells the kinds apart: its groups are in the order of tokenKinds.
var sqlTokens = regexp.MustCompile("^(?:" +
	"([A-Za-z_][A-Za-z0-9_]*)|`([^`]+)`|'((?:[^']|'')*)'|\"((?:[^\"\\\\]|\\\\.)*)\"|([0-9]+(?:\\.[0-9]+)?)|" +
	"\\$([A-Za-z0-9_]+)|(==|!=|<>|<=|>=|[=<>(){},.:*;\\[\\]])" +
	")")

var tokenKinds = [...]byte{tokenWord, tokenName, tokenString, tokenString, tokenNumber, tokenParam, tokenSign}

// A parser reads a statement token by token.
type parser struct {
	text    string
	tokens  []sqlToken // the last one is tokenEnd
	pos     int
	request queryRequest

	compared []string // fields that conditions compare
	either   bool     // there is an OR, so that no condition is certain to hold
}

func newParser(text string, q queryRequest) (*parser, *queryError) {
	p := &parser{text: text, request: q}
	for at := 0; ; {
		at += len(text[at:]) - len(strings.TrimLeft(text[at:], " \t\r\n"))
		if at == len(text) {
			p.tokens = append(p.tokens, sqlToken{tokenEnd, "", at})
			return p, nil
		}
		m := sqlTokens.FindStringSubmatchIndex(text[at:])
		if m == nil {
			p.tokens = append(p.tokens, sqlToken{tokenSign, text[at : at+1], at})
			p.pos = len(p.tokens) - 1
			return nil, p.syntaxError()
		}
		p.tokens = append(p.tokens, tokenOf(text[at:], m, at))
		at += m[1]
	}
}

func tokenOf(text string, m []int, at int) sqlToken {
	for g, kind := range tokenKinds {
		if from := m[2+2*g]; from >= 0 {
			return sqlToken{kind, unquote(text[0], text[from:m[3+2*g]]), at}
		}
	}
	return sqlToken{tokenEnd, "", at}
}

// unquote undoes what the quotes of a string stand for.
func unquote(quote byte, s string) string {
	switch quote {
	case '\'':
		return strings.ReplaceAll(s, "''", "'")
	case '"':
		if v, ok := decode([]byte(`"` + s + `"`)).(string); ok {
			return v
		}
	}
	return s
}

func (p *parser) peek() sqlToken { return p.tokens[p.pos] }

func (p *parser) next() sqlToken {
	t := p.tokens[p.pos]
	if t.kind != tokenEnd {
		p.pos++
	}
	return t
}

// word is the text of the next token if it is a keyword or an unquoted name.
func (p *parser) word() string {
	if t := p.peek(); t.kind == tokenWord {
		return t.text
	}
	return ""
}

// is reports whether the next tokens are these keywords or signs.
func (p *parser) is(words ...string) bool {
	for i, w := range words {
		if p.pos+i >= len(p.tokens) {
			return false
		}
		t := p.tokens[p.pos+i]
		if t.kind != tokenWord && t.kind != tokenSign || !strings.EqualFold(t.text, w) {
			return false
		}
	}
	return true
}

// accept skips these keywords or signs if they come next.
func (p *parser) accept(words ...string) bool {
	if !p.is(words...) {
		return false
	}
	p.pos += len(words)
	return true
}

func (p *parser) expect(words ...string) *queryError {
	if !p.accept(words...) {
		return p.syntaxError()
	}
	return nil
}

// name reads a name, quoted or not.
func (p *parser) name() (string, *queryError) {
	if t := p.peek(); t.kind != tokenWord && t.kind != tokenName {
		return "", p.syntaxError()
	}
	return p.next().text, nil
}

// end accepts a semicolon and requires that nothing follows.
func (p *parser) end() *queryError {
	p.accept(";")
	if p.peek().kind != tokenEnd {
		return p.syntaxError()
	}
	return nil
}

func (p *parser) syntaxError() *queryError {
	t := p.peek()
	at := t.text
	if t.kind == tokenEnd {
		at = "end of input"
	}
	before := p.text[:t.at]
	line, column := 1+strings.Count(before, "\n"), t.at-strings.LastIndex(before, "\n")
	return &queryError{
		3000, fmt.Sprintf("syntax error - line %d, column %d, at: %s", line, column, at),
		http.StatusBadRequest,
	}
}

// keyspace parses "[namespace:]bucket.scope.collection", "bucket" for its
// default collection, or a collection's name within the query context.
func (p *parser) keyspace() (k keyspace, err *queryError) {
	k.namespace = "default"
	first, err := p.name()
	if err != nil {
		return k, err
	}
	if p.accept(":") {
		k.namespace = first
		if first, err = p.name(); err != nil {
			return k, err
		}
	}
	if !p.accept(".") {
		return p.inContext(k, first), nil
	}
	k.bucket = first
	if k.scope, err = p.name(); err != nil {
		return k, err
	}
	if err = p.expect("."); err != nil {
		return k, err
	}
	k.collection, err = p.name()
	return k, err
}

// inContext completes a keyspace of one name.
func (p *parser) inContext(k keyspace, name string) keyspace {
	bucket, scope, ok := strings.Cut(strings.TrimPrefix(p.request.Context, "default:"), ".")
	if ok && k.namespace == "default" {
		k.bucket, k.scope, k.collection = strings.Trim(bucket, "`"), strings.Trim(scope, "`"), name
		return k
	}
	k.bucket, k.scope, k.collection = name, "_default", "_default"
	return k
}

// names parses "name, name)".
func (p *parser) names() (names []string, err *queryError) {
	for {
		name, err := p.name()
		if err != nil {
			return nil, err
		}
		names = append(names, name)
		if !p.accept(",") {
			return names, p.expect(")")
		}
	}
}
