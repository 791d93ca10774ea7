package query_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/treesitter/query"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// What package treesitter finds in real trees is compared there with what
// tree-sitter's own engine finds (TestEngine).

// grammar has a name that is also a keyword, one that two kinds have, and a kind
// that no node of a tree is.
var grammar = query.Grammar{
	Kinds: []query.Kind{
		{Name: "end", Shown: true},
		{Name: "file", Named: true, Shown: true},
		{Name: "class", Named: true, Shown: true},
		{Name: "class", Shown: true},
		{Name: "word", Named: true, Shown: true},
		{Name: "body", Named: true, Shown: true},
		{Name: "note", Named: true, Shown: true},
		{Name: "word", Named: true, Shown: true},
		{Name: "_part", Named: true},
	},
	Fields: []string{"", "name", "body"},
}

// tree makes nodes of a text in which each is on a line, below what it is in by a
// tab more: its kind by number, and its field.
func tree(t *testing.T, text string) []binder.Node {
	t.Helper()
	var nodes []binder.Node
	around := []int32{-1}
	for line := range strings.Lines(strings.TrimSpace(text)) {
		depth := strings.Count(line, "\t")
		n := binder.Node{Start: int32(len(nodes)), End: int32(len(nodes)) + 1}
		if _, err := fmt.Sscanf(strings.TrimSpace(line), "%d %d", &n.Kind, &n.Field); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		n.Named = int(n.Kind) >= len(grammar.Kinds) || grammar.Kinds[n.Kind].Named
		around = around[:depth+1]
		n.Parent = around[depth]
		around = append(around, n.Start)
		nodes = append(nodes, n)
		for at := n.Start; at >= 0; at = nodes[at].Parent {
			nodes[at].Next = n.Start + 1
		}
	}
	return nodes
}

// example: a file with a note, a class of two words and a body with two notes, a
// class without body, what could not be parsed with a word in it.
const example = `
1 0
	6 0
	2 0
		3 0
		4 1
		7 0
		5 2
			6 0
			6 0
	2 0
		3 0
		7 1
	65535 0
		4 0
		6 0
`

func TestMatches(t *testing.T) {
	nodes := tree(t, example)
	for source, want := range map[string]string{
		`(note) @n`:                                 "0:n1 0:n7 0:n8 0:n14",
		`(ERROR) @e`:                                "0:e12",
		`(class name: (word) @name) @class`:         "0:class2,name4 0:class9,name11",
		`(class (word) @w)`:                         "0:w4 0:w5 0:w11",
		`(class "class" @key (word) @w)`:            "0:key3,w4 0:key3,w5 0:key10,w11",
		`(class . (word) @w)`:                       "0:w4 0:w11", // keywords are not in between
		`(class (word) @w .)`:                       "0:w11",
		`(class (word) . (word) @w)`:                "0:w5",
		`(class (word) (body) @b)`:                  "0:b6", // once, whichever word it is
		`(class !body) @c`:                          "0:c9",
		`((word) @w (#match? @w "^[elm]$"))`:        "0:w4 0:w11",
		`(class (word) @w (body) (#match? @w "f"))`: "0:w5",
		`(class (word) @v (word) @w (#match? @v "e") (#match? @w "e"))`: "",
		`(class name: (_) @n body: (_) @b)`:                             "0:n4,b6",
		`(file [(class name: _ @n) (note) @m])`:                         "0:m1 0:n4 0:n11",
		`[(body) (word)] @x`:                                            "0:x4 0:x5 0:x6 0:x11 0:x13",
		`(file (_) @any)`:                                               "0:any1 0:any2 0:any9",
		`(class _ @any)`:                                                "0:any3 0:any4 0:any5 0:any6 0:any10 0:any11",
		`(body (note)* . (note) @n .)`:                                  "0:n8",
		`(body . (note)? . (note) @n)`:                                  "0:n7 0:n8",
		`(body (note)+ @n)`:                                             "what captures is there once",
		`(file (note)? (class (body)) @c)`:                              "0:c2",
		`((note) @n . (class) @c)`:                                      "0:n1,c2",
		`((word) @a (note) @b)`:                                         "", // not among what could not be parsed
		`((class) @a (class) @b)`:                                       "0:a2,b9",
		"(note) @n ; notes\n\n(body) @b ; bodies\n":                     "0:n1 1:b6 0:n7 0:n8 0:n14",
		`(class (word) @w @of)`:                                         "0:w4,of4 0:w5,of5 0:w11,of11",

		`(_part) @p`:                   "no node of a tree is a _part",
		`(classes) @p`:                 "no node of a tree is a classes",
		`"word" @p`:                    `no node of a tree is "word"`,
		`(class at: (word))`:           `there is no field "at"`,
		`(_ (word) @w)`:                "it begins with any node",
		`(class (word) @w`:             "a node is missing",
		`(class "class @k)`:            "a text does not end",
		`(class (#eq? @a "b"))`:        "of predicates there is",
		`((word) @w (#match? @w "["))`: "a predicate: ",
		`(class)+ (note) @n`:           "it can only be there once",
	} {
		t.Run(source, func(t *testing.T) {
			q, err := query.Compile(source, grammar)
			if err != nil {
				if want == "" || !strings.Contains(err.Error(), want) {
					t.Errorf("got %v, want %s", err, want)
				}
				return
			}
			var got []string
			q.Each("abcdefghijklmnopq", nodes, func(pattern int, all []query.Capture) {
				var captures []string
				for _, c := range all {
					captures = append(captures, fmt.Sprint(q.Captures[c.Index], c.Node))
				}
				got = append(got, fmt.Sprint(pattern, ":", strings.Join(captures, ",")))
			})
			if s := strings.Join(got, " "); s != want {
				t.Errorf("got %s\nwant %s", s, want)
			}
		})
	}
}

// TestLooksAt leaves out what a query never looks at.
func TestLooksAt(t *testing.T) {
	q, err := query.Compile(`(class "class" name: (_) @n) (body (note) @n)`, grammar)
	if err != nil {
		t.Fatal(err)
	}
	//                     end    file   class  "class" word  body  note  word  _part errors
	wantKeeps := []bool{false, true, true, true, true, true, true, true, true, true}
	wantFields := []bool{false, false, true, false, false, false, false, false, false, false}
	if got := q.Keeps(); !slices.Equal(got, wantKeeps) {
		t.Errorf("keeps %v, want %v", got, wantKeeps)
	}
	if got := q.Fields(); !slices.Equal(got, wantFields) {
		t.Errorf("fields %v, want %v", got, wantFields)
	}
}
