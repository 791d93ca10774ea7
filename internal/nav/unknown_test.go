//go:build cgo

package nav_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav"
)

// walkers has calls of a method that many things have, on what is not known, and
// a method that nothing may use.
const walkers = `
-- a.py --
class A:
    def get(self): pass
    def rest(self): pass
class B:
    def get(self): pass
-- use.py --
def use(x, y):
    x.get()
    y.get()
    return "rest"
-- use.ts --
export function use(x) { x.rest(); }
-- lonely.py --
def lonely(): pass
def templated(): pass
-- README.md --
lonely is lonely.
-- page.html --
<p>{{ templated() }}</p>
-- table.c --
#define SERVICE(name) { #name, service_##name }
struct service { const char *name; void (*run)(void); } all[] = { SERVICE(pop) };
int old(void) { return OLD; }
int checked(1, 2) print(const char *);
-- pop.c --
void service_pop(void) {}
-- old.h --
#define OLD 1
#define checked(a, b) __attribute__((format(printf, a, b)))
-- tests/use.py --
def check(z):
    z.get()
-- params.rb --
class Params
  def require(key) = key
end
-- asked.rb --
require "set"
require_relative "params"
def asked(params) = params.require(:id)
`

// TestNoUse: that nothing uses a symbol is not said when it is not known.
func TestNoUse(t *testing.T) {
	svc := serviceOf(t, walkers)
	if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		req  nav.WhereUsedRequest
		want string
	}{
		{
			nav.WhereUsedRequest{Symbol: "A.get"},
			"it is defined, and no use of it was found; of 3 places with its name it is not known what is meant there, the " +
				"first one tests/use.py:2",
		},
		{nav.WhereUsedRequest{Symbol: "Params.require"}, ""}, // what Ruby itself has may not be it
		{
			nav.WhereUsedRequest{Symbol: "A.get", PathFilter: "./use.py"},
			"it is defined, and no use of it was found; of 2 places with its name it is not known what is meant there, the " +
				"first one use.py:2",
		},
		{
			nav.WhereUsedRequest{Symbol: "A.get", Only: "tests"},
			"it is defined, and no use of it was found; of 1 place with its name it is not known what is meant there, the " +
				"first one tests/use.py:2",
		},
		{nav.WhereUsedRequest{Symbol: "A.get", PathFilter: "a.py"}, "it is defined, and not used in these files"},
		{
			nav.WhereUsedRequest{Symbol: "A.rest"},
			"it is defined, and no use of it was found; its name is on 1 more line, in comments, strings or what nothing was " +
				"read from, the first one use.py:4 (include_text lists them)",
		},
		{
			nav.WhereUsedRequest{Symbol: "templated"},
			"it is defined, and no use of it was found; its name is on 1 more line, in comments, strings or what nothing was " +
				"read from, the first one page.html:1 (include_text lists them)",
		},
		{nav.WhereUsedRequest{Symbol: "lonely"}, "it is defined, and not used anywhere in the repository"},
		{
			nav.WhereUsedRequest{Symbol: "service_pop"},
			"it is defined, and no use of it was found; a macro pastes names together, and may use it so: service_##name " +
				"(table.c:1)",
		},
		{
			nav.WhereUsedRequest{Symbol: "OLD"},
			"it is defined, and no use of it was found; of 1 place with its name it is not known what is meant there, the " +
				"first one table.c:3",
		},
		{
			nav.WhereUsedRequest{Symbol: "checked"},
			"it is defined, and no use of it was found; its name is on 1 more line, in comments, strings or what nothing was " +
				"read from, the first one table.c:4 (include_text lists them)",
		},
	} {
		c.req.RepoID = "o/a"
		r, err := svc.WhereUsed(t.Context(), c.req)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, message(r)); diff != "" {
			t.Errorf("%+v (-want +got)\n%s", c.req, diff)
		}
	}
}

// TestUnfollowed: a name without a definition is looked for in the files whose names
// are not followed.
func TestUnfollowed(t *testing.T) {
	svc := serviceOf(t, `
-- a.py --
def a(): pass
-- vault.f90 --
subroutine drain()
end subroutine
call drain()
-- main.pas --
uses vault;
begin vault.drain(); end.
-- notes.md --
drain, and undrained
-- abi.json --
{"name": "drain", "of": "drainsOnly"}
`)
	ctx := t.Context()
	if _, err := svc.Build(ctx, nav.BuildRequest{RepoID: "o/a"}); err != nil {
		t.Fatal(err)
	}
	for symbol, want := range map[string]string{
		"drain": `no definition of "drain" was found; ` + "`nav search` finds text of any kind; 3 lines have the name in what " +
			"this build does not follow, the first one in Pascal at main.pas:2; search by level symbol finds what is declared",
		"drainsOnly": `no definition of "drainsOnly" was found; ` + "`nav search` finds text of any kind",
		"drains":     `no definition of "drains" was found; ` + "`nav search` finds text of any kind",
	} {
		_, err := svc.WhereUsed(ctx, nav.WhereUsedRequest{RepoID: "o/a", Symbol: symbol})
		if diff := cmp.Diff(want, fault.MessageOf(err)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", symbol, diff)
		}
	}
	at, err := svc.Definition(ctx, nav.DefinitionRequest{RepoID: "o/a", FilePath: "vault.f90", Line: 3, Column: 6})
	if err != nil {
		t.Fatal(err)
	}
	want := "what stands in vault.f90 is not known: this build follows no Fortran Free Form"
	if m := at.Meta.Message; m == nil || *m != want {
		t.Errorf("message %v, want %q", m, want)
	}
}

func TestNothingReaches(t *testing.T) {
	svc := serviceOf(t, walkers)
	for only, want := range map[string]string{
		"tests": "no test that reaches it", "code": "nothing outside of tests that reaches it", "": "nothing that reaches it",
	} {
		r, err := svc.Lineage(t.Context(),
			nav.LineageRequest{RepoID: "o/a", Symbol: "A.rest", Direction: "upstream", Only: only})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff("a live scan: there is no graph; `ragnav nav build-graph -r o/a` makes answers faster; "+
			want+" was found", *r.Meta.Message); diff != "" {
			t.Errorf("%q (-want +got)\n%s", only, diff)
		}
	}
}

// TestMoreUnknown: uses that were found are not said to be all where others may be.
func TestMoreUnknown(t *testing.T) {
	svc := serviceOf(t, `
-- a.py --
class A:
    def get(self): pass
class B:
    def get(self): pass
class C:
    def get(self): pass
class D:
    def get(self): pass
A().get()
B().get()
-- use.py --
def use(x, y):
    x.get()
    y.get()
`)
	for filter, want := range map[string]string{
		"": "of 2 more places with its name it is not known what is meant there, the first one use.py:2", "a.py": "",
	} {
		r, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: "A.get", PathFilter: filter})
		if err != nil {
			t.Fatal(err)
		}
		got := message(r)
		if !strings.HasSuffix(got, want) || want == "" && strings.Contains(got, "known") || len(r.Items) != 1 {
			t.Errorf("path filter %q: %d uses, %q; want 1, %q", filter, len(r.Items), got, want)
		}
	}
}
