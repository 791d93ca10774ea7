package precise_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/golang"
	"github.com/ragnav/ragnav/internal/nav/precise"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/nav/resolve/languages"
)

// module has an interface, an embedded type, a generic one, tests, a file that
// no system builds, one with an error, and a local type that facts cannot see.
var module = map[string]string{
	"go.mod": "module example.com/m\n\ngo 1.24\n",
	"lib/lib.go": "package lib\n\ntype Runner interface{ Run() int }\n\ntype Base struct{ N int }\n\n" +
		"func (b Base) Run() int { return b.N }\n\ntype List[T any] struct{ Items []T }\n\n" +
		"func (l *List[T]) Add(x T) { l.Items = append(l.Items, x) }\n",
	"main.go": "package main\n\nimport (\n\t\"strings\"\n\n\t\"example.com/m/lib\"\n)\n\ntype job struct{ lib.Base }\n\n" +
		"func main() {\n\tvar r lib.Runner = job{}\n\tj := job{}\n\tl := &lib.List[job]{}\n\tl.Add(j)\n" +
		"\t_ = r.Run() + j.Run() + j.N + l.Items[0].N\n\t_ = strings.ToUpper(\"x\")\n}\n",
	"main_test.go": "package main\n\nimport \"testing\"\n\nfunc TestRun(t *testing.T) { _ = job{}.Run() }\n",
	"local.go": "package main\n\nimport \"sync\"\n\nfunc local() {\n" +
		"\tm := sync.OnceValue(func() *job { return &job{} })\n\t_ = m().Run()\n\ttype own struct{ Only int }\n" +
		"\tf := func(o ...own) int { return o[0].Only }\n\t_ = f()\n}\n",
	"other.go": "//go:build never\n\npackage main\n\nfunc other() { _ = job{}.Run() }\n",
	"broken/bad.go": "package broken\n\nimport \"example.com/m/lib\"\n\nfunc bad() int {\n\tvar s string = 1\n" +
		"\treturn lib.Base{}.Run() + missing(s)\n}\n",
	"broken/gone.go": "package broken\n\nimport \"example.com/gone\"\n\nfunc use() int { gone.Do(); return bad() }\n",
}

func needGo(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("NOT TESTED: precise graphs need the go command, which is not here")
	}
}

func writeAll(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		full := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func worldOf(t *testing.T, files map[string]string) *resolve.Memory {
	t.Helper()
	var all []facts.File
	for name, text := range files {
		extract := golang.Extract
		if path.Base(name) == "go.mod" {
			extract = golang.ExtractModule
		}
		f, err := extract(name, text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	return resolve.NewMemory(all)
}

// edges are what the references of a world stand for: use to declaration.
func edges(w *resolve.Memory, refs func(resolve.FileID) []resolve.Resolution) map[string]string {
	out := map[string]string{}
	for f := range w.Len() {
		file := w.File(resolve.FileID(f))
		for i, res := range refs(resolve.FileID(f)) {
			ref := file.Refs[i]
			use := fmt.Sprintf("%s:%d:%d %s", file.Path, ref.Line, ref.Column, ref.Name)
			for _, s := range res.Targets {
				out[use] += w.File(s.File).Path + ":" + w.File(s.File).Symbols[s.Index].Qualified + " "
			}
			out[use] = strings.TrimSpace(out[use])
			if res.External {
				out[use] = "outside"
			}
		}
	}
	return out
}

func both(t *testing.T, files map[string]string) (checked, read map[string]string) {
	t.Helper()
	needGo(t)
	root := writeAll(t, files)
	uses, err := precise.Load(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	w := worldOf(t, files)
	inner := resolve.New(w, languages.All())
	outer := uses.Resolver(w, inner)
	for f := range w.Len() {
		for i, want := range outer.Refs(resolve.FileID(f)) {
			if diff := cmp.Diff(want, outer.Ref(resolve.FileID(f), i)); diff != "" {
				t.Errorf("one reference alone (-want +got):\n%s", diff)
			}
		}
	}
	return edges(w, outer.Refs), edges(w, inner.Refs)
}

func TestPreciseEdges(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long")
	}
	checked, read := both(t, module)
	want := map[string]string{
		"main.go:12:12 Runner":    "lib/lib.go:Runner",
		"main.go:14:12 List":      "lib/lib.go:List",
		"main.go:15:4 Add":        "lib/lib.go:List.Add",
		"main.go:16:8 Run":        "lib/lib.go:Runner.Run",
		"main.go:16:18 Run":       "lib/lib.go:Base.Run",
		"main.go:16:28 N":         "lib/lib.go:Base.N",
		"main.go:16:43 N":         "lib/lib.go:Base.N",
		"main.go:17:14 ToUpper":   "outside",
		"main_test.go:5:40 Run":   "lib/lib.go:Base.Run",
		"local.go:7:10 Run":       "lib/lib.go:Base.Run",
		"other.go:5:26 Run":       "lib/lib.go:Base.Run", // by its text
		"broken/bad.go:7:20 Run":  "lib/lib.go:Base.Run",
		"broken/gone.go:5:36 bad": "broken/bad.go:bad",
	}
	got := map[string]string{}
	for use := range want {
		got[use] = checked[use]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("edges (-want +got):\n%s", diff)
	}
	for use, by := range read {
		if by != "" && checked[use] != by {
			t.Errorf("%s: by type checker %q, by text %q", use, checked[use], by)
		}
	}
}

// Values through generic functions of the standard library.
func TestPreciseKnowsMore(t *testing.T) {
	files := map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n",
		"a.go": "package m\n\nimport (\n\t\"unique\"\n\t\"weak\"\n)\n\ntype T struct{ Name string }\n\n" +
			"type U struct{ Name string }\n\n" +
			"func f() {\n\t_ = unique.Make(T{}).Value().Name\n\t_ = weak.Make(&T{}).Value().Name\n}\n",
	}
	checked, _ := both(t, files)
	for _, use := range []string{"a.go:13:31 Name", "a.go:14:30 Name"} {
		if checked[use] != "a.go:T.Name" {
			t.Errorf("%s: got %q", use, checked[use])
		}
	}
}

// A guesser takes every reference for the first symbol of the first file, by guess.
type guesser struct{ *resolve.Resolver }

func (g guesser) Refs(f resolve.FileID) []resolve.Resolution {
	list := g.Resolver.Refs(f)
	for i := range list {
		list[i] = resolve.Resolution{Targets: []resolve.SymbolID{{}}, Tier: resolve.TierD, Confidence: 0.5}
	}
	return list
}

// A guess that the type checker contradicts is no edge, one that it confirms is sure.
func TestPreciseAgainstGuesses(t *testing.T) {
	needGo(t)
	files := map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n",
		"a.go": "package m\n\nimport \"unique\"\n\ntype V struct{ Only int }\n\nvar _ V\n\nfunc f() {\n" +
			"\ttype own struct{ Only int }\n\t_ = unique.Make(own{}).Value().Only\n}\n",
	}
	uses, err := precise.Load(t.Context(), writeAll(t, files))
	if err != nil {
		t.Fatal(err)
	}
	w := worldOf(t, files)
	got := edges(w, uses.Resolver(w, guesser{resolve.New(w, languages.All())}).Refs)
	maps.DeleteFunc(got, func(use, _ string) bool { return strings.HasSuffix(use, " int") })
	want := map[string]string{
		"a.go:7:7 V": "a.go:V", "a.go:11:13 Make": "outside", "a.go:11:25 Value": "outside",
		"a.go:11:33 Only": "",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("edges (-want +got):\n%s", diff)
	}
}

// Variants for other systems stay, and a file of another system stays as its
// text says.
func TestPreciseKeepsOtherSystems(t *testing.T) {
	files := map[string]string{
		"go.mod":     "module example.com/m\n\ngo 1.24\n",
		"a.go":       "package m\n\nfunc f() { open() }\n",
		"x_win.go":   "//go:build windows\n\npackage m\n\nfunc open() { shut() }\n",
		"x_other.go": "//go:build !windows\n\npackage m\n\nfunc open() { shut() }\n",
		"shut.go":    "package m\n\nfunc shut() {}\n",
	}
	checked, read := both(t, files)
	if diff := cmp.Diff(read, checked); diff != "" {
		t.Errorf("edges by text and by type checker (-text +checker):\n%s", diff)
	}
	if got := checked["a.go:3:12 open"]; got != "x_other.go:open x_win.go:open" {
		t.Errorf("variants: %q", got)
	}
}

// Modules of one repository see each other; none is written to.
func TestPreciseModules(t *testing.T) {
	files := map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n",
		"a.go":   "package m\n\nfunc A() {}\n",
		"tool/go.mod": "module example.com/m/tool\n\ngo 1.24\n\nrequire example.com/m v0.0.0\n\n" +
			"replace example.com/m => ../\n",
		"tool/main.go": "package main\n\nimport \"example.com/m\"\n\nfunc main() { m.A() }\n",
		"bad/go.mod":   "nonsense\n",
	}
	needGo(t)
	root := writeAll(t, files)
	uses, err := precise.Load(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"bad/go.mod"}, uses.NotLoaded()); diff != "" {
		t.Errorf("not loaded (-want +got):\n%s", diff)
	}
	delete(files, "bad/go.mod")
	w := worldOf(t, files)
	got := edges(w, uses.Resolver(w, resolve.New(w, nil)).Refs) // no language: nothing is known by text
	if got["tool/main.go:5:17 A"] != "a.go:A" {
		t.Errorf("a use in another module: %v", got)
	}
	var left []string
	if err := filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(root, name)
			left = append(left, filepath.ToSlash(rel))
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if want := []string{"a.go", "bad/go.mod", "go.mod", "tool/go.mod", "tool/main.go"}; !slices.Equal(want, left) {
		t.Errorf("files after loading: %v, want %v", left, want)
	}
}

// The revision is the same for the same module, and another one when a package
// gets an error.
func TestPreciseRevision(t *testing.T) {
	needGo(t)
	revision := func(files map[string]string) string {
		uses, err := precise.Load(t.Context(), writeAll(t, files))
		if err != nil {
			t.Fatal(err)
		}
		return uses.Revision()
	}
	files := map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "a.go": "package m\n\nfunc A() {}\n"}
	before := revision(files)
	if again := revision(files); again != before {
		t.Errorf("revision %s, then %s", before, again)
	}
	files["a.go"] = "package m\n\nfunc A() { x() }\n"
	if with := revision(files); with == before {
		t.Errorf("revision %s with and without an error", with)
	}
}

func TestPreciseNeeds(t *testing.T) {
	load := func(t *testing.T, files map[string]string, says string) {
		t.Helper()
		_, err := precise.Load(t.Context(), writeAll(t, files))
		if fault.CodeOf(err) != fault.InvalidRequest || !strings.Contains(fault.MessageOf(err), says) ||
			!strings.Contains(fault.MessageOf(err), "without precise") {
			t.Errorf("got %v, want an InvalidRequest about %q that says what works", err, says)
		}
	}
	t.Run("a module", func(t *testing.T) { needGo(t); load(t, nil, "go.mod") })
	t.Run("one that loads",
		func(t *testing.T) { needGo(t); load(t, map[string]string{"go.mod": "nonsense\n"}, "no Go module") })
	t.Run("Go files", func(t *testing.T) {
		needGo(t)
		load(t, map[string]string{"go.mod": "module example.com/m\n"}, "no Go files")
	})
	t.Run("the go command", func(t *testing.T) {
		t.Setenv("PATH", "")
		load(t, module, "go command")
	})
	t.Run("time", func(t *testing.T) {
		needGo(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := precise.Load(ctx, writeAll(t, module)); fault.CodeOf(err) != fault.Canceled {
			t.Errorf("cancelled: %v", err)
		}
	})
}
