//go:build cgo

package treesitter

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	sitter "github.com/smacker/go-tree-sitter"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/repo/filekind"
	"github.com/ragnav/ragnav/internal/treesitter/query"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

var engineTree = flag.String("tree", "", "folder of files in which TestEngine compares, too")

// TestEngine compares what queries find with what tree-sitter's own engine finds,
// in the golden files of all languages and in a folder.
func TestEngine(t *testing.T) {
	if testing.Short() {
		t.Skip("tree-sitter takes ten seconds to make its own queries ready")
	}
	e := engines{t: t, theirs: make(map[string]*sitter.Query)}
	goldens, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(goldens) == 0 {
		t.Fatalf("%d golden files: %v", len(goldens), err)
	}
	for _, name := range goldens {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		language, _, _ := strings.Cut(strings.TrimSpace(string(ar.Comment)), ",")
		e.compare(name, language, string(ar.Files[0].Data))
	}
	if tree := *engineTree; tree != "" {
		err := filepath.WalkDir(tree, func(name string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			text, err := os.ReadFile(name)
			if err == nil && len(text) < 1<<20 {
				e.compare(name, filekind.Of(name, text).Language, string(text))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d files, %d matches", e.files, e.matches)
}

type engines struct {
	t              *testing.T
	theirs         map[string]*sitter.Query
	files, matches int
}

func (e *engines) compare(name, language, text string) {
	e.t.Helper()
	p := New()
	lang := p.languages[strings.ToLower(language)]
	if lang == nil || text == "" || Guard(text) != "" { // tree-sitter matches nothing in an empty file
		return
	}
	p.parser.SetLanguage(lang.grammar())
	tree, err := p.parser.ParseCtx(context.Background(), nil, []byte(text))
	if err != nil {
		e.t.Fatal(err)
	}
	defer tree.Close()
	for _, want := range []parse.Want{parse.WantSymbols, parse.WantReferences} {
		source := e.read("queries/" + lang.query + ".scm")
		if want == parse.WantSymbols {
			source, _, _ = strings.Cut(source, referenceMark)
		}
		c, err := lang.compiled[want]()
		if err != nil {
			e.t.Fatal(err)
		}
		e.same(name, asked{lang, source, c.query, c.looked}, text, tree.RootNode())
	}
	if lang.bindings != nil {
		source := e.read("queries/bindings/" + lang.query + ".scm")
		q, err := lang.bindings()
		if err != nil {
			e.t.Fatal(err)
		}
		e.same(name, asked{lang, source, q, lookedAt(nil, vocabulary(lang))}, text, tree.RootNode())
	}
	e.files++
}

// asked is a query of a language: as it is written, and ready.
type asked struct {
	lang   *language
	source string
	query  *query.Query
	looked looked
}

func (e *engines) read(name string) string {
	b, err := queries.ReadFile(name)
	if err != nil {
		e.t.Fatal(err)
	}
	return string(b)
}

func (e *engines) same(name string, a asked, text string, root *sitter.Node) {
	e.t.Helper()
	ours, theirs := e.ours(a, text, root), e.others(a, text, root)
	e.matches += len(ours)
	if !slices.Equal(ours, theirs) {
		e.t.Errorf("%s, %s:\nonly ours   %v\nonly theirs %v", name, a.lang.query,
			lacking(ours, theirs), lacking(theirs, ours))
	}
}

// lacking are the first of those that others have not.
func lacking(all, others []string) []string {
	all = slices.DeleteFunc(slices.Clone(all), func(s string) bool { return slices.Contains(others, s) })
	return all[:min(len(all), 5)]
}

// ours are the matches of a query in a tree, each once, in order.
func (e *engines) ours(a asked, text string, root *sitter.Node) []string {
	var all []string
	err := flatten(root, vocabulary(a.lang).Fields, a.looked, func(nodes []binder.Node) {
		a.query.Each(text, nodes, func(pattern int, captures []query.Capture) {
			m := fmt.Sprint(pattern)
			for _, x := range captures {
				m += fmt.Sprint(" ", a.query.Captures[x.Index], " ", nodes[x.Node].Start, "-", nodes[x.Node].End)
			}
			if len(captures) > 0 {
				all = append(all, m)
			}
		})
	})
	if err != nil {
		e.t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// others are those that tree-sitter finds.
func (e *engines) others(a asked, text string, root *sitter.Node) []string {
	key := a.lang.names[0] + a.source // two languages may share a query
	q := e.theirs[key]
	if q == nil {
		var err error
		if q, err = sitter.NewQuery([]byte(a.source), a.lang.grammar()); err != nil {
			e.t.Fatal(err)
		}
		e.theirs[key] = q
	}
	cursor := sitter.NewQueryCursor()
	defer cursor.Close()
	cursor.Exec(q, root)
	var all []string
	for {
		match, ok := cursor.NextMatch()
		if !ok {
			slices.Sort(all)
			return all
		}
		match = cursor.FilterPredicates(match, []byte(text))
		m := fmt.Sprint(match.PatternIndex)
		for _, x := range match.Captures {
			m += fmt.Sprint(" ", q.CaptureNameForId(x.Index), " ", x.Node.StartByte(), "-", x.Node.EndByte())
		}
		if len(match.Captures) > 0 {
			all = append(all, m)
		}
	}
}
