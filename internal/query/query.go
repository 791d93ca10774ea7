// Package query is the query language: words, "exact phrase", /regular
// expression/, repo: file: lang: sym: kind: tag: case:yes, -not, or, and
// parentheses.
//
// Words say what to look for, and rank. Everything else selects: what stands side
// by side must all hold, "or" binds less than that. Beside an "or" and behind a
// "-" words select too. Before a field or an expression "not" is a "-".
//
// A text in which nothing is an operator is one of words, whatever else is in it:
// of names before a colon only those above are fields; quotes, slashes, dashes
// and parentheses mean something only where a word begins. See [Parse].
package query

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
)

// A Query is what a text asks for.
type Query struct {
	Root  Node   // nil where there are only words
	Case  bool   // case:yes: phrases, expressions and symbols in the case that is given
	Words string // to rank by: the words, phrases and names of symbols that are wanted
}

// A Node is a part of a query: And, Or, Not, or a leaf.
type Node interface{ isNode() }

// And is what all of its parts select. It has two or more.
type And []Node

// Or is what any of its parts selects. It has two or more.
type Or []Node

// Not is what its part does not select.
type Not struct{ Node Node }

// A Word is to be among the words of a document.
type Word struct {
	Text string
	At   int
}

// A Phrase is whole words and what is between them. White space stands for any.
type Phrase struct {
	Text string
	At   int
}

// A Regexp is an RE2 expression, which can be compiled.
type Regexp struct {
	Expr string
	At   int
}

// A Field is a field with a value, which is not empty. What it means is for its
// reader to say, and Mistake where it has no meaning. At is the place of a leaf:
// the number of its first character, from 1.
type Field struct {
	Name  string // one of the Field constants
	Value string
	At    int
}

func (And) isNode()    {}
func (Or) isNode()     {}
func (Not) isNode()    {}
func (Word) isNode()   {}
func (Phrase) isNode() {}
func (Regexp) isNode() {}
func (Field) isNode()  {}

// The fields.
const (
	FieldRepo   = "repo" // repository id or glob
	FieldFile   = "file" // folder, file or glob
	FieldLang   = "lang" // language
	FieldSymbol = "sym"  // name, qualified name or glob of a symbol
	FieldKind   = "kind" // kind of symbol
	FieldTag    = "tag"  // of documents

	fieldCase = "case"
)

var fields = map[string]bool{
	FieldRepo: true, FieldFile: true, FieldLang: true, FieldSymbol: true, FieldKind: true, FieldTag: true, fieldCase: true,
}

// A Mistake is what is wrong with a query and where.
type Mistake struct {
	At      int // number of the character, from 1
	Problem string
}

func (m *Mistake) Error() string { return fmt.Sprintf("at character %d: %s", m.At, m.Problem) }

// NewMistake is a fault.InvalidRequest that tells a mistake, which is its cause.
func NewMistake(at int, format string, args ...any) *fault.Error {
	m := &Mistake{at, fmt.Sprintf(format, args...)}
	return fault.Wrap(fault.InvalidRequest, m, "query: %v", m)
}

// Within is an error about a field's value with the field's place, if there is a
// field and the error is one that users can mend.
func (f Field) Within(err error) error {
	code := fault.CodeOf(err)
	if err == nil || f.Name == "" || code == fault.Internal {
		return err
	}
	return fault.Wrap(code, &Mistake{f.At, fault.MessageOf(err)}, "query: at character %d (%s:%s): %s", f.At, f.Name,
		f.Value, fault.MessageOf(err))
}

// Plain is a query of words, whatever operators the text has.
func Plain(text string) Query { return Query{Words: text} }

// Has reports whether a node that ok accepts is anywhere below n.
func Has(n Node, ok func(Node) bool) bool {
	if n == nil {
		return false
	}
	if ok(n) {
		return true
	}
	var parts []Node
	switch n := n.(type) {
	case And:
		parts = n
	case Or:
		parts = n
	case Not:
		parts = []Node{n.Node}
	}
	return slices.ContainsFunc(parts, func(part Node) bool { return Has(part, ok) })
}

// words are those of the leaves that are wanted, in order.
func words(n Node) string {
	var list []string
	var walk func(Node)
	walk = func(n Node) {
		switch n := n.(type) {
		case And:
			for _, part := range n {
				walk(part)
			}
		case Or:
			for _, part := range n {
				walk(part)
			}
		case Word:
			list = append(list, n.Text)
		case Phrase:
			list = append(list, n.Text)
		case Field:
			if n.Name == FieldSymbol && !strings.ContainsAny(n.Value, "*?[{") {
				list = append(list, n.Value)
			}
		}
	}
	walk(n)
	return strings.Join(list, " ")
}
