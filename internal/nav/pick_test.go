//go:build cgo

package nav_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// bindings has names that are bound in several places, of one thing each, and a
// name of several things.
const bindings = `
-- app.py --
class Job:
    state = None

    def start(self):
        self.state = 1
        self.left = 3

    def done(self):
        self.left = 0
        return self.left

class Other:
    def start(self):
        self.left = 7

    def done(self, job: Job):
        job.start()
        job.left = 2
        return self.start()
-- use.py --
from app import Job, Other

def go(job: Job, other: Other):
    job.left, other.left
    job.start()
`

// A definition is also picked by a line that binds it again, and by one that
// uses it if that is in no definition of the name.
func TestPickedByBinding(t *testing.T) {
	svc := serviceOf(t, bindings)
	check := func(t *testing.T) {
		for _, test := range []struct {
			what, symbol, file string
			line               int
			want               string
		}{
			{"where it is declared", "left", "app.py", 6, "app.py:Job.left"},
			{"where it is assigned again", "left", "app.py", 9, "app.py:Job.left"},
			{"where another one is", "left", "app.py", 14, "app.py:Other.left"},
			{"where it is assigned from elsewhere", "left", "app.py", 18, "app.py:Job.left"},
			{"where a field of the class is assigned", "state", "app.py", 5, "app.py:Job.state"},
			{"where it is read, in no definition", "left", "app.py", 10, "app.py:Job.left"},
			{"where it is called, in another file", "start", "use.py", 5, "app.py:Job.start"},
			{"inside of it", "start", "app.py", 5, "app.py:Job.start"},
			{"where nothing of the name is", "left", "app.py", 1, ""},
			{"in a file without the line", "left", "use.py", 400, ""},
		} {
			t.Run(test.what, func(t *testing.T) {
				res, err := svc.WhereUsed(t.Context(),
					nav.WhereUsedRequest{RepoID: "o/a", Symbol: test.symbol, File: test.file, Line: &test.line})
				if test.want == "" {
					if fault.CodeOf(err) != fault.SymbolNotFound {
						t.Errorf("%+v, %v, want SYMBOL_NOT_FOUND", res.Definitions, err)
					}
					return
				}
				if err != nil || len(res.Definitions) != 1 || res.Definitions[0].ID != test.want {
					t.Errorf("%+v, %v, want %s", res.Definitions, err, test.want)
				}
			})
		}
	}
	t.Run("live", check)
	if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
		t.Fatal(err)
	}
	t.Run("graph", check)
}

// What is picked by another binding has the same uses as picked by the first.
func TestUsesOfPicked(t *testing.T) {
	svc := serviceOf(t, bindings)
	used := func(line int) []string {
		res, err := svc.WhereUsed(t.Context(),
			nav.WhereUsedRequest{RepoID: "o/a", Symbol: "left", File: "app.py", Line: &line})
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, i := range res.Items {
			all = append(all, i.FilePath+":"+strconv.Itoa(i.Line)+" "+i.Edge)
		}
		return all
	}
	want := []string{"app.py:9 writes", "app.py:10 reads", "app.py:18 writes", "use.py:4 reads"}
	for _, line := range []int{6, 9, 10, 18} {
		if diff := cmp.Diff(want, used(line)); diff != "" {
			t.Errorf("picked by line %d (-want +got):\n%s", line, diff)
		}
	}
}

// Of a name with many definitions a reply lists some: those that its items are of, and
// the first of the others.
func TestManyDefinitions(t *testing.T) {
	all := folders{"a/many": t.TempDir(), "b/one": t.TempDir()}
	for i := range 150 {
		put(t, all["a/many"], fmt.Sprintf("f%03d.go", i),
			fmt.Sprintf("package many\n\ntype T%03d struct{}\n\nfunc (T%03d) Name() {}\n", i, i))
	}
	put(t, all["a/many"], "use.go", "package many\n\nfunc use() { T149{}.Name() }\n")
	put(t, all["b/one"], "one.go", "package one\n\nfunc Name() {}\n")
	svc := builtOf(t, all)
	for _, test := range []struct {
		repo models.RepoID
		last string
		said []string
	}{
		{"a/many", "f149.go:T149.Name", []string{"the name has 150 definitions (", "100 of 150 definitions are listed"}},
		{"*", "a/many:f149.go:T149.Name", []string{
			"the name has 151 definitions in 2 repositories (a/many:f000.go:5", "100 of 151 definitions are listed",
		}},
	} {
		r, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: test.repo, Symbol: "Name"})
		if err != nil || len(r.Items) != 1 || len(r.Definitions) != 100 {
			t.Fatalf("%s: %d items, %d definitions, %v", test.repo, len(r.Items), len(r.Definitions), err)
		}
		if id := r.Definitions[99].ID; id != test.last || r.Items[0].Definition != id {
			t.Errorf("%s: the last definition is %s, the item is of %s, want %s", test.repo, id, r.Items[0].Definition,
				test.last)
		}
		for _, said := range test.said {
			if strings.Count(*r.Meta.Message, said) != 1 {
				t.Errorf("%s: %q does not say %q once", test.repo, *r.Meta.Message, said)
			}
		}
	}
}

// What a reply says of a name with several definitions picks each of them.
func TestPickAmongRepositories(t *testing.T) {
	svc, _ := unionOf(t, modules, true)
	for id, want := range map[models.RepoID]string{
		"o/base": "",
		"*": "(o/base:log/log.go:7, p/other:log/log.go:7); " +
			"pick one by its file, behind the repository as here, and line",
	} {
		resp, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: id, Symbol: "New"})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if m := resp.Meta.Message; m != nil {
			got = *m
		}
		if (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("of %s: %q, want %q", id, got, want)
		}
	}
	resp, err := svc.WhereUsed(t.Context(),
		nav.WhereUsedRequest{RepoID: "*", Symbol: "New", File: "o/base:log/log.go", Line: new(7)})
	if err != nil {
		t.Fatal(err)
	}
	if d := resp.Definitions; len(d) != 1 || d[0].RepoID != "o/base" || len(resp.Items) != 3 {
		t.Errorf("definitions %+v, %d uses, want that of o/base with 3 uses", d, len(resp.Items))
	}
}
