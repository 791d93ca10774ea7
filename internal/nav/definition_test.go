package nav_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/golang"
)

func goLocals(_ context.Context, path, language, text string) ([]facts.Local, error) {
	if language != golang.Language {
		return nil, nil
	}
	return golang.Locals(path, text)
}

const shop = `package shop

import (
	"fmt"
	str "strings"
	"example.com/shop/price"
)

// A Basket has goods.
type Basket struct {
	goods []Good // what is in it
	price.Sum
}

// Good is one.
type Good interface {
	// Price is in cents.
	Price() int
}

// Add puts a good into the basket.
func (b *Basket) Add(g Good) (n int) {
	n = len(b.goods)
	b.goods = append(b.goods, g)
	for i, one := range b.goods {
		fmt.Println(i, one.Price())
		n += price.Of(one.Price())
	}
	var again struct{ left int }
	again.left = n
	return again.left + b.Total()
}

var _ = str.ToUpper
`

// shopping is a module with shop, and a service that follows it.
func shopping(t *testing.T) (string, *nav.Service) {
	t.Helper()
	root := t.TempDir()
	put(t, root, "go.mod", "module example.com/shop\n")
	put(t, root, "shop.go", shop)
	put(t, root, "price/price.go",
		"// Package price sums.\npackage price\n\n// Sum is a sum.\ntype Sum int\n\n// Total is all.\n"+
			"func (s Sum) Total() int { return int(s) }\n\nfunc Of(cents int) int { return cents }\n")
	put(t, root, "notes.txt", "nothing here\n")
	return root, nav.New(gateway.Config{Repos: folder(root), Extract: goOnly{}, Locals: goLocals})
}

// spotOf is the line and column of the n-th occurrence of a text, from 1.
func spotOf(t *testing.T, text, word string, n int) (line, column int) {
	t.Helper()
	at := 0
	for ; n > 0; n-- {
		i := strings.Index(text[at:], word)
		if i < 0 {
			t.Fatalf("no %q", word)
		}
		at += i + 1
	}
	before := text[:at-1]
	return strings.Count(before, "\n") + 1, at - 1 - strings.LastIndexByte(before, '\n')
}

func TestDefinition(t *testing.T) {
	root, svc := shopping(t)
	tests := []struct {
		what, word string
		nth        int
		want       string // place kind symbol | signature | doc
		says       string
	}{
		{"a method", "Total()", 1, "price/price.go:8:14 method Sum.Total | func (s Sum) Total() int | Total is all.", ""},
		{"a method of an interface", "Price())", 1, "shop.go:18:2 method Good.Price | Price() int | Price is in cents.", ""},
		{"a type", "Good)", 1, "shop.go:16:6 interface Good | type Good interface | Good is one.", ""},
		{"a field", "goods)", 1, "shop.go:11:2 field Basket.goods | goods []Good // what is in it | ", ""},
		{"the end of a name", ".goods)", 1, "shop.go:22:7 parameter b | b *Basket | ", ""},
		{
			"a declaration", "Add(g", 1,
			"shop.go:22:18 method Basket.Add | func (b *Basket) Add(g Good) (n int) | Add puts a good into the basket.", "",
		},
		{"a parameter", "g)", 1, "shop.go:22:22 parameter g | g Good | ", ""},
		{"a result", "n +=", 1, "shop.go:22:31 parameter n | n int | ", ""},
		{"a variable", "one.Price", 2, "shop.go:25:9 variable one | for i, one := range b.goods { | ", ""},
		{"a variable where it is bound", "one :=", 1, "shop.go:25:9 variable one | for i, one := range b.goods { | ", ""},
		{"a field of a local type", "left + b", 1, "shop.go:29:20 field left | left int | ", ""},
		{
			"a package of the repository", "price.Of", 1, "shop.go:6:2 package price | import \"example.com/shop/price\" | ",
			"",
		},
		{"a package of others", "str.ToUpper", 1, "shop.go:5:2 package str | import str \"strings\" | of strings", ""},
		{
			"a function of others", "ToUpper", 1, "ToUpper of strings",
			"ToUpper is declared outside of the repository, in strings",
		},
		{"an import of the repository", "shop/price\"", 1, "price/price.go:1:1 module example.com/shop/price |  | ", ""},
		{"an import of others", "fmt\"", 1, "fmt of fmt", "fmt is declared outside of the repository, in fmt"},
		{"an embedded type", "Sum\n", 1, "price/price.go:5:6 type Sum | type Sum int | Sum is a sum.", ""},
		{"a keyword", "range b", 1, "", "what range at shop.go:25:16 stands for is not known"},
		{
			"a keyword that begins a line", "for i, one", 1, "",
			"what for at shop.go:25:2 stands for is not known; on that line: goods (column 24)",
		},
		{"no name", "{\n\t\tfmt", 1, "", "no name is at shop.go:25:30; on that line: goods (column 24)"},
	}
	check := func(t *testing.T) {
		t.Helper()
		for _, test := range tests {
			line, column := spotOf(t, shop, test.word, test.nth)
			r, err := svc.Definition(t.Context(),
				nav.DefinitionRequest{RepoID: "o/a", FilePath: "shop.go", Line: line, Column: column})
			if err != nil {
				t.Errorf("%s: %v", test.what, err)
				continue
			}
			var got []string
			for _, d := range r.Items {
				switch {
				case d.FilePath == "":
					got = append(got, d.Symbol+" of "+d.External)
				case d.External != "":
					d.Doc = "of " + d.External
					fallthrough
				default:
					got = append(got, fmt.Sprintf("%s:%d:%d %s %s | %s | %s", d.FilePath, d.Line, d.Column, d.Kind, d.Symbol,
						d.Signature, d.Doc))
				}
			}
			if diff := cmp.Diff(test.want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.what, diff)
			}
			if message := ""; r.Meta.Message != nil {
				if message = *r.Meta.Message; !strings.HasSuffix(message, test.says) || test.says == "" &&
					r.Meta.Source == "RAG_GRAPH" {
					t.Errorf("%s says %q, want %q", test.what, message, test.says)
				}
			}
		}
	}
	t.Run("live", check)
	if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
		t.Fatal(err)
	}
	t.Run("graph", check)
	put(t, root, "price/price.go",
		"// Package price sums.\n\npackage price\n\n// Sum is a sum.\ntype Sum int\n\n// Total is all.\n"+
			"func (s Sum) Total() int { return int(s) }\n\nfunc Of(cents int) int { return cents }\n")
	for i, text := range map[int]string{0: "price/price.go:9:14", 16: "price/price.go:6:6"} {
		_, rest, _ := strings.Cut(tests[i].want, " ")
		tests[i].want = text + " " + rest
	}
	for i := range tests { // the reply says that a file changed
		if tests[i].says == "" {
			tests[i].says = "the answer is of the files as they are now"
		}
	}
	t.Run("edited", check)
}

// What a module declares that is not here is named with its version.
func TestExternalModule(t *testing.T) {
	root := t.TempDir()
	const text = "package a\n\nimport (\n\t\"example.com/x/y/z\"\n\t\"example.com/other\"\n\t\"os\"\n)\n\nvar _ = z.A\n" +
		"var _ = other.B\nvar _ = os.Args\n"
	put(t, root, "go.mod", "module example.com/a\n\nrequire (\n\texample.com/x v0.9.0\n\texample.com/x/y v1.2.3\n"+
		"\texample.com/other v1.0.0\n)\n\nreplace example.com/other => example.com/fork v2.0.0\n")
	put(t, root, "sub/a.go", text)
	svc := nav.New(gateway.Config{Repos: folder(root), Extract: goOnly{}, Locals: goLocals})
	for word, want := range map[string]string{"A\n": "example.com/x/y@v1.2.3", "B\n": "example.com/other", "Args": "os"} {
		line, column := spotOf(t, text, word, 1)
		r, err := svc.Definition(t.Context(),
			nav.DefinitionRequest{RepoID: "o/a", FilePath: "sub/a.go", Line: line, Column: column})
		if err != nil || len(r.Items) != 1 || r.Items[0].External != want {
			t.Errorf("%q: %+v, %v, want %s", word, r.Items, err, want)
		}
	}
}

func TestDefinitionRefuses(t *testing.T) {
	_, svc := shopping(t)
	for _, test := range []struct {
		file         string
		line, column int
		want         fault.Code
	}{
		{"gone.go", 1, 1, fault.PathNotFound},
		{"../shop.go", 1, 1, fault.InvalidPath},
		{"shop.go", 500, 1, fault.LineOutOfRange},
		{"shop.go", 1, 500, fault.InvalidRequest},
	} {
		_, err := svc.Definition(t.Context(),
			nav.DefinitionRequest{RepoID: "o/a", FilePath: test.file, Line: test.line, Column: test.column})
		if fault.CodeOf(err) != test.want {
			t.Errorf("%s:%d:%d: %v, want %s", test.file, test.line, test.column, err, test.want)
		}
	}
	r, err := svc.Definition(t.Context(), nav.DefinitionRequest{RepoID: "o/a", FilePath: "notes.txt", Line: 1, Column: 1})
	if err != nil || len(r.Items) != 0 || !strings.Contains(*r.Meta.Message, "this build follows no") {
		t.Errorf("of a text: %+v, %v", r, err)
	}
}

// What names nothing, as it is in a comment or a string, is said to be there.
func TestDefinitionOfNoCode(t *testing.T) {
	root := t.TempDir()
	const text = "package a\n\n// Run grüßt alle.\nfunc Run() string { return \"Run now\" }\n"
	put(t, root, "a.go", text)
	svc := nav.New(gateway.Config{Repos: folder(root), Extract: goOnly{}, Locals: goLocals})
	for _, c := range []struct {
		word string
		nth  int
		want string
	}{
		{"Run", 1, "Run at a.go:3:4 is in a comment"},
		{"alle", 1, "alle at a.go:3:16 is in a comment"},
		{"now", 1, "now at a.go:4:33 is in a string"},
		{"package", 1, "what package at a.go:1:1 stands for is not known"},
	} {
		line, column := spotOf(t, text, c.word, c.nth)
		r, err := svc.Definition(t.Context(),
			nav.DefinitionRequest{RepoID: "o/a", FilePath: "a.go", Line: line, Column: column})
		if err != nil || len(r.Items) > 0 || !strings.Contains(*r.Meta.Message, c.want) {
			t.Errorf("%+v, %v, want %s", r, err, c.want)
		}
	}
	_, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", File: "a.go", Line: new(3), Column: new(4)})
	if fault.CodeOf(err) != fault.SymbolNotFound || !strings.Contains(err.Error(), "is in a comment") {
		t.Errorf("where-used: %v", err)
	}
	_, err = svc.Definition(t.Context(), nav.DefinitionRequest{RepoID: "o/a", FilePath: "a.go", Line: 9, Column: 1})
	if err == nil || !strings.Contains(err.Error(), "a.go has 4 lines") {
		t.Error(err)
	}
}

// Uses and lineage are asked for by a place, of locals too.
func TestAskedByPlace(t *testing.T) {
	_, svc := shopping(t)
	line, column := spotOf(t, shop, "Total()", 1)
	r, err := svc.WhereUsed(t.Context(),
		nav.WhereUsedRequest{RepoID: "o/a", File: "shop.go", Line: &line, Column: &column})
	if err != nil || len(r.Items) != 1 || r.Items[0].Line != line || r.Symbol != "Total" ||
		r.Definitions[0].Signature != "func (s Sum) Total() int" {
		t.Errorf("%+v, %v", r, err)
	}
	l, err := svc.Lineage(t.Context(),
		nav.LineageRequest{RepoID: "o/a", File: "shop.go", Line: &line, Column: &column, Direction: "callers"})
	if err != nil || len(l.Items) != 1 || l.Items[0].Symbol != "Basket.Add" {
		t.Errorf("%+v, %v", l, err)
	}
	line, column = spotOf(t, shop, "one.Price", 1)
	if r, err = svc.WhereUsed(t.Context(),
		nav.WhereUsedRequest{RepoID: "o/a", File: "shop.go", Line: &line, Column: &column}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, item := range r.Items {
		got = append(got, fmt.Sprintf("%d:%d %s", item.Line, item.Column, item.Edge))
	}
	if diff := cmp.Diff([]string{"26:18 reads", "27:17 reads"}, got); diff != "" || *r.Definitions[0].Uses != 2 {
		t.Errorf("%+v (-want +got):\n%s", r.Definitions, diff)
	}
	_, err = svc.Lineage(t.Context(),
		nav.LineageRequest{RepoID: "o/a", File: "shop.go", Line: &line, Column: &column, Direction: "callers"})
	if fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("lineage of a local: %v", err)
	}
	for _, req := range []nav.WhereUsedRequest{
		{RepoID: "o/a"},
		{RepoID: "o/a", Symbol: "Add", Column: &column},
		{RepoID: "o/a", File: "shop.go", Line: &line},
	} {
		if _, err := svc.WhereUsed(t.Context(), req); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("%+v: %v", req, err)
		}
	}
}
