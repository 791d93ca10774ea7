package resolve_test

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/golang"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/nav/resolve/languages"
)

// goWorld reads the files of an archive.
func goWorld(t *testing.T, a *txtar.Archive) *resolve.Memory {
	t.Helper()
	var files []facts.File
	for _, f := range a.Files {
		file, err := goReader(f.Name)(f.Name, string(f.Data))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return resolve.NewMemory(files)
}

// goReader reads files of Go and their likes; nil of another one.
func goReader(name string) func(name, text string) (facts.File, error) {
	switch {
	case path.Base(name) == "go.mod":
		return golang.ExtractModule
	case path.Base(name) == "go.work":
		return golang.ExtractWorkspace
	case path.Ext(name) == ".go":
		return golang.Extract
	}
	return nil
}

func archives(t *testing.T) map[string]*txtar.Archive {
	t.Helper()
	names, err := filepath.Glob("testdata/go/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	out := map[string]*txtar.Archive{}
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimSuffix(filepath.Base(name), ".txtar")] = a
	}
	return out
}

// mark is a name and, in the comment after it, what it stands for: qualified
// names, with their files where that matters; "ext" is outside, "-" nothing.
var mark = regexp.MustCompile(`(\w+)/\*=([^*]*)\*/`)

func TestGoReferences(t *testing.T) {
	for name, a := range archives(t) {
		t.Run(name, func(t *testing.T) {
			w := goWorld(t, a)
			r := resolve.New(w, languages.All())
			for _, f := range a.Files {
				for n, line := range strings.Split(string(f.Data), "\n") {
					for _, m := range mark.FindAllStringSubmatchIndex(line, -1) {
						want := line[m[4]:m[5]]
						got := meaning(w, r, f.Name, [2]int{n + 1, m[2] + 1})
						if !strings.Contains(want, ":") {
							got = withPath.ReplaceAllString(got, "")
						}
						if diff := cmp.Diff(want, got); diff != "" {
							t.Errorf("%s:%d %s: (-want +got)\n%s", f.Name, n+1, line[m[2]:m[3]], diff)
						}
					}
				}
			}
		})
	}
}

var withPath = regexp.MustCompile(`[\w./-]+:`)

// meaning is what the reference at a line and column stands for, as path:name.
func meaning(w *resolve.Memory, r *resolve.Resolver, name string, at [2]int) string {
	id, _ := w.ByPath(name)
	for i, ref := range w.File(id).Refs {
		if ref.Line != at[0] || ref.Column != at[1] {
			continue
		}
		res := r.Ref(id, i)
		var out []string
		for _, target := range res.Targets {
			out = append(out, w.File(target.File).Path+":"+w.File(target.File).Symbols[target.Index].Qualified)
		}
		switch {
		case len(out) > 0:
			return strings.Join(out, ",")
		case res.External:
			return "ext"
		}
		return "-"
	}
	return "ext" // known when it was read, or local
}

// TestRefsEqualsRef resolves all references at once and one by one, in both
// orders, with new and with used resolvers.
func TestRefsEqualsRef(t *testing.T) {
	for name, a := range archives(t) {
		t.Run(name, func(t *testing.T) {
			w := goWorld(t, a)
			used := resolve.New(w, languages.All())
			for f := range w.Len() {
				id := resolve.FileID(f)
				all := resolve.New(w, languages.All()).Refs(id)
				for i := range slices.Backward(all) {
					if diff := cmp.Diff(all[i], used.Ref(id, i)); diff != "" {
						t.Errorf("%s %v: %s", w.File(id).Path, w.File(id).Refs[i], diff)
					}
					if diff := cmp.Diff(all[i], resolve.New(w, languages.All()).Ref(id, i)); diff != "" {
						t.Errorf("%s %v: %s", w.File(id).Path, w.File(id).Refs[i], diff)
					}
				}
			}
		})
	}
}

// TestConcurrentRefs asks one resolver from several goroutines.
func TestConcurrentRefs(t *testing.T) {
	for name, a := range archives(t) {
		w := goWorld(t, a)
		want := make([][]resolve.Resolution, w.Len())
		for f := range want {
			want[f] = resolve.New(w, languages.All()).Refs(resolve.FileID(f))
		}
		r := resolve.New(w, languages.All())
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				for f := range want {
					if diff := cmp.Diff(want[f], r.Refs(resolve.FileID(f))); diff != "" {
						t.Errorf("%s %s: %s", name, w.File(resolve.FileID(f)).Path, diff)
					}
				}
			})
		}
		group.Wait()
	}
}

const bases = `
-- go.mod --
module example.com/m
-- a.go --
package m

import "io"

type Doer interface{ Do(x Arg) error }
type Both interface {
	Doer
	io.Closer
}
type Arg struct{}
type T struct{}
func (*T) Do(Arg) error { return nil }
func (T) Close() error { return nil }
type Embeds struct{ *T }
type Wrong struct{}
func (Wrong) Do(x *Arg) error { return nil }
type Near struct{}
func (Near) do(Arg) error { return nil }
type File struct{ io.Closer; T }
-- b/b.go --
package b

import alias "example.com/m"

type Far struct{}
func (Far) Do(alias.Arg) (err error) { return nil }
`

func TestGoBases(t *testing.T) {
	w := goWorld(t, txtar.Parse([]byte(bases)))
	r := resolve.New(w, languages.All())
	got := map[string][]string{}
	for _, f := range []string{"a.go", "b/b.go"} {
		id, _ := w.ByPath(f)
		for i, s := range w.File(id).Symbols {
			at := resolve.SymbolID{File: id, Index: int32(i)}
			for _, b := range r.Bases(at) {
				got[s.Qualified] = append(got[s.Qualified],
					fmt.Sprint(b.Kind, " ", w.File(b.Targets[0].File).Symbols[b.Targets[0].Index].Qualified))
			}
			for _, m := range r.Overrides(at) {
				got[s.Qualified] = append(got[s.Qualified], "of "+w.File(m.File).Symbols[m.Index].Qualified)
			}
		}
	}
	want := map[string][]string{
		"Both":   {"embeds Doer", "implements Doer"},
		"T":      {"implements Doer", "implements Both"},
		"T.Do":   {"of Doer.Do"},
		"Embeds": {"embeds T", "implements Doer", "implements Both"},
		"File":   {"embeds T", "implements Doer"}, // Close is ambiguous
		"Far":    {"implements Doer"},
		"Far.Do": {"of Doer.Do"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
