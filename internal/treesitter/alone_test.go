//go:build cgo

package treesitter_test

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/treesitter"
)

var alone = flag.String("alone", "", "`file` to write what a Parser alone finds to, see TestAlone")

// A Parser alone finds in each file what any finds, whatever it has read before:
// small files, one with large lists of nodes, and small ones again. It must have
// a process of its own.
func TestAlone(t *testing.T) {
	if *alone != "" {
		if err := os.WriteFile(*alone, readAll(t, treesitter.NewAlone()), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	out := filepath.Join(t.TempDir(), "found")
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestAlone$", "-alone="+out) //nolint:gosec // itself
	if said, err := child.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(readAll(t, treesitter.New())), string(got)); diff != "" {
		t.Errorf("found (-want +got):\n%.2000s", diff)
	}
}

// readAll is all that a Parser finds in the golden files.
func readAll(t *testing.T, p *treesitter.Parser) []byte {
	t.Helper()
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) < 10 {
		t.Fatalf("%d golden files, %v", len(names), err)
	}
	type found struct {
		File    string
		Outline parse.Outline
		Facts   facts.File
		Locals  []facts.Local
		Errors  []string
	}
	var all []found
	for _, times := range []int{1, 100, 1} {
		large := map[string]bool{"Python": true, "TypeScript": true, "Ruby": true}
		for _, name := range names {
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			language, _, _ := strings.Cut(strings.Fields(string(ar.Comment))[0], ",")
			if times > 1 && !large[language] {
				continue
			}
			large[language] = false // one file of each will do
			text := strings.Repeat(string(ar.Files[0].Data), times)
			f := parse.File{Path: ar.Files[0].Name, Language: language, Text: text}
			one := found{File: f.Path}
			note := func(err error) {
				if err != nil {
					one.Errors = append(one.Errors, err.Error())
				}
			}
			one.Outline, err = p.Outline(f, parse.WantReferences)
			note(err)
			one.Facts, err = p.Facts(f)
			note(err)
			one.Locals, err = p.Locals(f)
			note(err)
			all = append(all, one)
		}
	}
	b, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return b
}
