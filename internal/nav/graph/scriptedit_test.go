//go:build cgo

package graph_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
)

var anyWord = regexp.MustCompile(`[A-Za-z_]\w+`)

// scriptSources are files of TypeScript and JavaScript of examples of package resolve.
func scriptSources(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{
		"whole/app.js": "function a() {}\nfunction b() {}\nmodule.exports = a\n",
		"whole/use.js": "const proto = require('./app');\nexports.one = () => proto;\nproto.x();\nproto();\n",
	}
	for _, name := range []string{"declaration_merging", "parameters_inferred", "same_name", "exports_assigned"} {
		ar, err := txtar.ParseFile(filepath.Join("..", "resolve", "testdata", "idioms", "typescript", name+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range ar.Files {
			if ext := filepath.Ext(f.Name); ext == ".ts" || ext == ".js" {
				texts[name+"/"+f.Name] = strings.ReplaceAll(string(f.Data), "'kit'", "'./kit'")
			}
		}
	}
	return texts
}

// editScript takes a line away, adds one, or writes another word of the file in one.
func editScript(r *rand.Rand, texts map[string]string) {
	p := slices.Sorted(maps.Keys(texts))[r.IntN(len(texts))]
	lines := strings.Split(texts[p], "\n")
	i := r.IntN(len(lines))
	switch r.IntN(5) {
	case 0:
		lines = slices.Delete(lines, i, i+1)
	case 1:
		lines = slices.Insert(lines, i, "")
	default:
		if all := anyWord.FindAllStringIndex(lines[i], -1); len(all) > 0 {
			pool := anyWord.FindAllString(texts[p], -1)
			at := all[r.IntN(len(all))]
			lines[i] = lines[i][:at[0]] + pool[r.IntN(len(pool))] + lines[i][at[1]:]
		}
	}
	texts[p] = strings.Join(lines, "\n")
}

// As TestOverlayIsARebuild, with files of TypeScript and JavaScript.
func TestEditedScriptIsARebuild(t *testing.T) {
	before := scriptSources(t)
	old := grammarGraph(t, before, nil)
	if old.Stats().Edges < 60 {
		t.Fatalf("%d edges", old.Stats().Edges)
	}
	for seed := range uint64(200) {
		if testing.Short() && seed > 8 {
			break
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 9))
			after := maps.Clone(before)
			for range 1 + seed%3 {
				editScript(r, after)
			}
			for p, text := range after {
				if _, err := (grammars{}).Facts(t.Context(), p, languageOf(p), text); err != nil {
					return // mostly errors of syntax: it is not read so
				}
			}
			got := overlay.Lay(old, overlayOf(t, grammars{}, before, after), goResolver)
			checkAll(t, overlay.Lay(grammarGraph(t, after, nil), overlay.Changes{}, goResolver), got)
			if t.Failed() {
				for p := range after {
					if after[p] != before[p] {
						t.Logf("%s is\n%s", p, after[p])
					}
				}
			}
		})
	}
}
