package search

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search/intent"
)

func TestLongestRun(t *testing.T) {
	for _, test := range []struct {
		name, query, text string
		want              int
	}{
		{"all of it, over lines of a comment", "reads the next frame", "// Read reads the\n// next *Frame*", 4},
		{"a part", "reads the next frame", "the next one reads the last", 2},
		{"a word more in between", "reads the next frame", "reads all the next frame", 3},
		{"one that begins again", "the a the b", "the a the a the b", 4},
		{"a word twice in a row", "read read write", "read read read write", 3},
		{"nothing", "reads the next frame", "write(x)", 0},
		{"no text", "reads", "", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := quotationOf(test.query).in(test.text); got != test.want {
				t.Errorf("%d words of %q follow one another in %q, want %d", got, test.query, test.text, test.want)
			}
		})
	}
}

func asks(text string) goal { return goal{Intent: intent.Of(text)} }

// TestQuoted: what has a text word for word stands before what has its words only, as far
// as the index knows, and is looked for among the best by words.
func TestQuoted(t *testing.T) {
	read := files{
		"error.go":  "func load() error {\n\treturn errors.New(\"cannot load the key of a peer\")\n}\n",
		"half.go":   "// cannot load the key\nfunc keys(peer string) {}\n",
		"option.go": "flag.Bool(\"load-peer\")\nmux(\"/load/{key}/peer\", T(\"load.peer_key\"))\n",
		"name.go":   "func other() {} // no peerKeyOfMine, but peerKey\n",
		"longer.go": "// keys: a peerKeyOfMine, my_peerKey\nfunc peer(key string) {}\n",
		"words.go":  "// the peer cannot be without a key of its own to load\nfunc peer() {}\n",
	}
	for _, c := range []struct {
		name, query string
		weight      float64 // of all words of the query
		want        string
	}{
		{"a text", "cannot load the key of a peer", 10, "error.go 1.00, half.go 0.14"},
		{
			"a text with values", "ERR 12:30:01 cannot load the key of a peer: /srv/7.pem, 10.0.0.9:22", 10,
			"error.go 0.33, half.go 0.08",
		},
		{"in another order", "peer of a key cannot load", 10, ""},
		{"too few words", "load the key", 10, ""},
		{"an option", "where is --load-peer read", 10, "option.go 1.00"},
		{"a key, and none in a long text", "load.peer_key", 10, "option.go 1.00"},
		{"a name that nothing declares", "peerKey", 10, "name.go 1.00"},
		{"a word", "peer", 10, ""},
		{"documents that lack words", "cannot load the key of a peer", 30, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPool(4)
			for i, path := range []string{"error.go", "half.go", "words.go", "gone.go", "option.go", "name.go", "longer.go"} {
				h := &models.Header{ID: models.DocumentID(path), FilePath: path, StartLine: 1, EndLine: 2}
				p.all = append(p.all, &candidate{Header: h, bm25: 9 - 0.1*float64(i)})
			}
			s := New(nil, nil, nil)
			s.Read(read)
			if err := s.lines.quoted(t.Context(), asks(c.query), found{words: wording{weight: c.weight}}, p); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, of := range p.all {
				if of.quoted > 0 {
					got = append(got, fmt.Sprintf("%s %.2f", of.FilePath, of.quoted))
				}
			}
			if diff := cmp.Diff(c.want, strings.Join(got, ", ")); diff != "" {
				t.Error(diff)
			}
		})
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	p := newPool(1)
	p.all = append(p.all, &candidate{Header: &models.Header{FilePath: "error.go", StartLine: 1, EndLine: 2}, bm25: 9})
	s := New(nil, nil, nil)
	s.Read(read)
	if err := s.lines.quoted(over, asks("cannot load the key"), found{words: wording{weight: 10}}, p); err == nil {
		t.Error("no error of a request that is over")
	}
}
