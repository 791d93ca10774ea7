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
	if lang == nil || Guard(text) != "" {
		return
	}
	p.parser.SetLanguage(lang.grammar())
	tree, err := p.parser.ParseCtx(context.Background(), nil, []byte(text))
	if err != nil {
		e.t.Fatal(err)
	}
	defer tree.Close()
	for _, want := range []parse.Want{parse.WantSymbols, parse.WantReferences} {
		ours := e.ours(lang, want, tree.RootNode())
		theirs := e.others(lang, want, tree.RootNode())
		e.matches += len(ours)
		if !slices.Equal(ours, theirs) {
			e.t.Errorf("%s, %s, %d:\nonly ours   %v\nonly theirs %v", name, language, want,
				lacking(ours, theirs), lacking(theirs, ours))
		}
	}
	e.files++
}

// lacking are the first of those that others have not.
func lacking(all, others []string) []string {
	all = slices.DeleteFunc(slices.Clone(all), func(s string) bool { return slices.Contains(others, s) })
	return all[:min(len(all), 5)]
}

// ours are the matches of a query in a tree, each once, in order.
func (e *engines) ours(lang *language, want parse.Want, root *sitter.Node) []string {
	c, err := lang.compiled[want]()
	if err != nil {
		e.t.Fatal(err)
	}
	var all []string
	err = flatten(root, c.grammar.Fields, c.looked, func(nodes []binder.Node) {
		c.query.Each(nodes, func(pattern int, captures []query.Capture) {
			m := fmt.Sprint(pattern)
			for _, x := range captures {
				m += fmt.Sprint(" ", c.query.Captures[x.Index], " ", nodes[x.Node].Start, "-", nodes[x.Node].End)
			}
			all = append(all, m)
		})
	})
	if err != nil {
		e.t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// others are those that tree-sitter finds.
func (e *engines) others(lang *language, want parse.Want, root *sitter.Node) []string {
	key := fmt.Sprint(lang.names, want)
	q := e.theirs[key]
	if q == nil {
		source, err := queries.ReadFile("queries/" + lang.query + ".scm")
		if err != nil {
			e.t.Fatal(err)
		}
		if want == parse.WantSymbols {
			before, _, _ := strings.Cut(string(source), referenceMark)
			source = []byte(before)
		}
		if q, err = sitter.NewQuery(source, lang.grammar()); err != nil {
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
		m := fmt.Sprint(match.PatternIndex)
		for _, x := range match.Captures {
			m += fmt.Sprint(" ", q.CaptureNameForId(x.Index), " ", x.Node.StartByte(), "-", x.Node.EndByte())
		}
		if len(match.Captures) > 0 {
			all = append(all, m)
		}
	}
}
