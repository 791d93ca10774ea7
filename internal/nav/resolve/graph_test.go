//go:build cgo

package resolve_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ragnav/ragnav/internal/golden"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/project"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/nav/resolve/languages"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/repo/filekind"
	"github.com/ragnav/ragnav/internal/treesitter"
)

// TestGraph resolves the references of the files of each archive and compares
// with its last file, "want": a line for each reference that is not of the
// language's library, with what it stands for.
func TestGraph(t *testing.T) {
	golden.Each(t, "testdata/graph/*.txtar", func(t *testing.T, file string) {
		golden.Archive(t, file, func(ar *txtar.Archive) string {
			got := render(t, extracted(t, ar.Files))
			if again := render(t, extracted(t, ar.Files)); again != got {
				t.Errorf("not the same again:\n%s", cmp.Diff(got, again))
			}
			return got
		})
	})
}

func extracted(t *testing.T, sources []txtar.File) *resolve.Memory {
	parser := treesitter.New()
	var files []facts.File
	for _, s := range sources {
		if f, ok := project.Facts(s.Name, string(s.Data)); ok {
			files = append(files, f)
			continue
		}
		if read := goReader(s.Name); read != nil {
			f, err := read(s.Name, string(s.Data))
			if err != nil {
				t.Fatalf("%s: %v", s.Name, err)
			}
			files = append(files, f)
			continue
		}
		language := filekind.Dialect(s.Name, filekind.Language(s.Name), string(s.Data))
		f, err := parser.Facts(parse.File{Path: s.Name, Language: language, Text: string(s.Data)})
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		files = append(files, f)
	}
	return resolve.NewMemory(files)
}

func render(t *testing.T, w *resolve.Memory) string {
	r := resolve.New(w, languages.All())
	var b bytes.Buffer
	for f := range w.Len() {
		file := w.File(resolve.FileID(f))
		checkFacts(t, file)
		for i, ref := range file.Refs {
			res := r.Ref(resolve.FileID(f), i)
			if res.External {
				continue
			}
			kind := ref.Kind
			if res.Construction {
				kind = facts.Call
			}
			if res.Constant {
				kind = facts.Read
			}
			fmt.Fprintf(&b, "%s:%d:%d %s %s", file.Path, ref.Line, ref.Column, kind, ref.Name)
			if len(res.Targets) == 0 {
				fmt.Fprintf(&b, " ?\n")
				continue
			}
			fmt.Fprintf(&b, " %c", res.Tier)
			for _, target := range res.Targets {
				to := w.File(target.File)
				s := to.Symbols[target.Index]
				fmt.Fprintf(&b, " %s:%d %s", to.Path, s.Line, s.Qualified)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// checkFacts reports facts that break the promises of their types.
func checkFacts(t *testing.T, f *facts.File) {
	t.Helper()
	for i, s := range f.Symbols {
		if s.Parent >= i || s.Parent < -1 || s.Line < 1 || s.Column < 1 || s.Name == "" || s.EndLine < s.StartLine {
			t.Errorf("%s: bad symbol %d: %+v", f.Path, i, s)
		}
	}
	last := facts.Ref{}
	for _, r := range f.Refs {
		if r.In >= len(f.Symbols) || r.Line < last.Line || r.Line == last.Line && r.Column < last.Column || r == last ||
			r.Of.Size() > facts.MaxExpr || r.Is > len(f.Symbols) {
			t.Errorf("%s: bad reference %+v after %+v", f.Path, r, last)
		}
		last = r
	}
}
