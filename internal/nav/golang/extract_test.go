package golang_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/golang"
)

const source = `//go:build linux && cgo

package p

import (
	"io"
	m "example.com/go-m/v2"
)

const (
	A Kind = iota
	B
	_
	C, D = "c", 1
)

type Kind int
type List[E m.Bound] struct {
	*io.PipeReader
	Head, last *E
	anon []struct{ in m.T }
}
type I interface {
	io.Reader
	Do(ctx m.Context, names ...string) (List[int], error)
}
type Alias = map[string]*m.T

func New(a, b int) (*List[Kind], error) { return nil, nil }

func (l *List[T]) Last() (x T) { return *l.last }

var x, y = New(1, 2)
var f = func() m.T { return m.T{} }
`

func texts(exprs []facts.Expr) string {
	all := make([]string, len(exprs))
	for i, e := range exprs {
		all[i] = e.String()
	}
	return strings.Join(all, " ")
}

func TestSymbols(t *testing.T) {
	f, err := golang.Extract("p/a.go", source)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, s := range f.Symbols {
		line := fmt.Sprintf("%d %s %s", i, s.Kind, s.Qualified)
		for _, field := range []struct{ name, text string }{
			{"owner", s.Owner.String()},
			{"type", s.Type.String()},
			{"under", s.Under.String()},
			{"params", strings.Join(s.Params, " ")},
			{"bounds", texts(s.Bounds)},
			{"results", texts(s.Results)},
		} {
			if field.text != "" {
				line += " " + field.name + "=" + field.text
			}
		}
		if s.Parent >= 0 {
			line += fmt.Sprint(" in ", s.Parent)
		}
		if s.Kind == "method" {
			line += " " + s.Shape
		}
		for _, b := range s.Bases {
			line += fmt.Sprint(" ", b.Kind, " ", b.Of)
		}
		got = append(got, line)
	}
	want := []string{
		"0 const A type=Kind{}",
		"1 const B type=Kind{}",
		"2 const C type=~ext",
		"3 const D type=~ext",
		"4 type Kind under=~ext",
		"5 struct List params=E bounds=m.Bound embeds io.PipeReader",
		"6 field List.PipeReader type=io.PipeReader{} in 5",
		"7 field List.Head type=E{} in 5",
		"8 field List.last type=E{} in 5",
		"9 field List.anon type=~list<@9>{} in 5",
		"10 field List.anon.in type=m.T{} in 9",
		"11 interface I embeds io.Reader",
		`12 method I.Do results=List<~ext> ~ext in 11 ("example.com/go-m/v2".Context,...string)("".List[int],error)`,
		"13 type Alias type=~map<~ext;m.T>",
		"14 func New results=List<Kind> ~ext",
		"15 method List.Last owner=List<T> params=T results=T ()($0)",
		"16 var x type=New()",
		"17 var y type=New(1)",
		"18 var f type=~func<m.T>{}",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if f.Package != "p" || f.Build != "linux && cgo" {
		t.Error(f.Package, f.Build)
	}
	imports := []facts.Import{
		{Path: "io", In: -1, Line: 6, Column: 2},
		{Path: "example.com/go-m/v2", Local: "m", In: -1, Line: 7, Column: 4},
	}
	if diff := cmp.Diff(imports, f.Imports); diff != "" {
		t.Error(diff)
	}
}

func TestReferences(t *testing.T) {
	const text = `package p

import "fmt"

func (c *Client) Do(n int) {
	c.count++
	c.opts.Name = fmt.Sprint(n, limit)
	_ = &c.log
	for _, r := range c.rows() {
		r.Close()
	}
	var s interface{ S() } = Opts{Name: "x", 2: {}}
	s.S()
	max(1, Opts(c.opts).size())
	unknown.x[0].y(func() { c.f(n) })
}
`
	f, err := golang.Extract("a.go", text)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range f.Refs {
		of := r.Of.String()
		if r.Bare {
			of += " bare"
		}
		got = append(got, strings.TrimSpace(fmt.Sprintf("%d:%d %s %s %s", r.Line, r.Column, r.Kind, r.Name, of)))
	}
	want := []string{
		"5:10 uses_type Client  bare",
		"6:4 writes count Client{}",
		"7:4 reads opts Client{}", "7:9 writes Name Client{}.opts", "7:20 calls Sprint fmt", "7:30 reads limit  bare",
		"8:9 reads log Client{}",
		"9:22 calls rows Client{}",
		"10:5 calls Close Client{}.rows()[]",
		"12:27 uses_type Opts  bare", "12:32 writes Name Opts{} bare",
		"14:2 calls max  bare", "14:9 calls Opts  bare", "14:16 reads opts Client{}", "14:22 calls size Opts(=Client{}.opts)",
		"15:2 reads unknown  bare", "15:10 reads x unknown", "15:15 calls y unknown.x[]", "15:28 calls f Client{}",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestModule(t *testing.T) {
	const text = `module "example.com/m" // comment

go 1.26

replace example.com/a => ./a

replace (
	example.com/b v1.2.3 => ../b
	example.com/c => example.com/fork/c v1.0.0 // not a folder
)
`
	got, err := golang.ExtractModule("x/go.mod", text)
	want := facts.File{Path: "x/go.mod", Language: "Go Module", Package: "example.com/m", Imports: []facts.Import{
		{Path: "example.com/a", Name: "replace", Local: "./a", In: -1, Line: 5, Column: 1},
		{Path: "example.com/b", Name: "replace", Local: "../b", In: -1, Line: 8, Column: 1},
	}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if _, err := golang.ExtractModule("go.mod", "go 1.26\n"); err == nil {
		t.Error("no error without a module path")
	}
}

func TestWorkspace(t *testing.T) {
	const text = `go 1.26

use ./a // comment
use (
	.
	"./b"
)
replace example.com/a v1.2.3 => ../a
replace example.com/c => example.com/fork/c v1.0.0
`
	got, err := golang.ExtractWorkspace("x/go.work", text)
	want := facts.File{Path: "x/go.work", Language: "Go Workspace", Imports: []facts.Import{
		{Name: "use", Local: "./a", In: -1, Line: 3, Column: 1},
		{Name: "use", Local: ".", In: -1, Line: 5, Column: 1},
		{Name: "use", Local: "./b", In: -1, Line: 6, Column: 1},
		{Path: "example.com/a", Name: "replace", Local: "../a", In: -1, Line: 8, Column: 1},
		{Path: "example.com/c", Name: "replace", In: -1, Line: 9, Column: 1},
	}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func TestHostile(t *testing.T) {
	for name, text := range map[string]string{
		"brackets": "package p\nvar x = " + strings.Repeat("(", 100000),
		"sum":      "package p\nvar x = 1" + strings.Repeat(" + f", 100000),
		"chain":    "package p\nvar x = a" + strings.Repeat(".b", 20000),
		"calls":    "package p\nvar x = a" + strings.Repeat(".b()", 20000),
		"else":     "package p\nfunc f() { if a {}" + strings.Repeat(" else if b {}", 20000) + "}",
		"types": "package p\nfunc f() { var x " + strings.Repeat("[]", 1900) + "struct{ a int }; x" +
			strings.Repeat("[0]", 1900) + ".a() }",
		"self": "package p\nfunc f() { type T interface{ T.x; T }; type U []U; var u U; u[0][0].x(); type V struct{ a " +
			"[unsafe.Sizeof(V{}.a)]int }; V{}.a() }",
		"nothing": "",
	} {
		t.Run(name, func(t *testing.T) {
			f, err := golang.Extract("a.go", text)
			if err == nil {
				inside(t, text, f)
			}
		})
	}
}

// inside checks that facts are of the text.
func inside(t *testing.T, text string, f facts.File) {
	t.Helper()
	lines := strings.Split(text, "\n")
	is := func(line, column int, name string) {
		t.Helper()
		if line < 1 || line > len(lines) || column < 1 || column > len(lines[line-1]) ||
			!strings.HasPrefix(lines[line-1][column-1:], name) {
			t.Fatalf("%q is not at %d:%d", name, line, column)
		}
	}
	for i, s := range f.Symbols {
		is(s.Line, s.Column, s.Name)
		if s.StartLine < 1 || s.StartLine > s.Line || s.EndLine < s.StartLine || s.EndLine > len(lines) || s.Parent >= i {
			t.Fatalf("%+v of %d lines", s, len(lines))
		}
	}
	for _, r := range f.Refs {
		is(r.Line, r.Column, r.Name)
		if r.In >= len(f.Symbols) || r.Of.Size() > facts.MaxExpr {
			t.Fatalf("%+v", r)
		}
	}
}

func FuzzExtract(f *testing.F) {
	f.Add(source)
	names, _ := filepath.Glob("*.go")
	for _, name := range names {
		if b, err := os.ReadFile(name); err == nil {
			f.Add(string(b))
		}
	}
	archives, _ := filepath.Glob("../resolve/testdata/go/*.txtar")
	for _, name := range archives {
		if b, err := os.ReadFile(name); err == nil {
			_, text, _ := strings.Cut(string(b), "a.go --\n")
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if file, err := golang.Extract("a.go", text); err == nil {
			inside(t, text, file)
		}
	})
}

// A file without anything is read: it has nothing.
func TestEmpty(t *testing.T) {
	for _, text := range []string{"", "\n\t \n"} {
		f, err := golang.Extract("a.go", text)
		if diff := cmp.Diff(facts.File{Path: "a.go", Language: "Go"}, f); err != nil || diff != "" {
			t.Errorf("%q: %v %s", text, err, diff)
		}
	}
	if _, err := golang.Extract("a.go", "var x"); err == nil {
		t.Error("a file without a package is read")
	}
}
