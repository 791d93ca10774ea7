package facts_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

var a, b = facts.Name("A"), facts.Name("b").Member("c")

// Each form is written by its constructor as the comment of the package says,
// and Node takes it apart again.
func TestForms(t *testing.T) {
	for _, test := range []struct {
		text  string
		made  facts.Expr
		op    facts.Op
		of    facts.Expr
		name  string
		n     int
		parts []facts.Expr
	}{
		{text: "A", made: a, op: facts.OpName, name: "A"},
		{text: "^12", made: facts.SymbolAt(12), op: facts.OpSymbolAt, n: 12},
		{text: "@12", made: facts.TypeAt(12), op: facts.OpTypeAt, n: 12},
		{text: "#3", made: facts.ModuleAt(3), op: facts.OpModuleAt, n: 3},
		{text: "A.x", made: a.Member("x"), op: facts.OpMember, of: a, name: "x"},
		{text: "A.[x]", made: a.Member("[x]"), op: facts.OpKeyed, of: a, name: "[x]"},
		{text: "A.~x", made: a.Member("~x"), op: facts.OpMember, of: a, name: "~x"},
		{text: "A()", made: a.Call(0), op: facts.OpCall, of: a},
		{text: "A(1)", made: a.Call(1), op: facts.OpTaken, of: a, n: 1},
		{text: "A(0)", made: a.Taken(0), op: facts.OpTaken, of: a},
		{
			text: "A(=A;b.c(=A))", made: a.CallWith(0, a, b.CallWith(0, a)), op: facts.OpCallWith, of: a,
			parts: []facts.Expr{a, b.CallWith(0, a)},
		},
		{text: "A(2=A)", made: a.CallWith(2, a), op: facts.OpCallWith, of: a, n: 2, parts: []facts.Expr{a}},
		{text: "A(:2)", made: a.Param(2), op: facts.OpParam, of: a, n: 2},
		{
			text: "A(:1=?;A;b.c)", made: facts.ParamWith(a, 1, facts.Unknown, a, b), op: facts.OpParamWith, of: a, n: 1,
			parts: []facts.Expr{facts.Unknown, a, b},
		},
		{text: "A(:__init__)", made: a.Fields(), op: facts.OpFields, of: a},
		{text: "A{}", made: a.Value(), op: facts.OpValue, of: a},
		{text: "A[]", made: a.Elem(), op: facts.OpElem, of: a},
		{text: "A[k]", made: a.Key(), op: facts.OpKey, of: a},
		{text: "A!", made: a.Super(), op: facts.OpSuper, of: a},
		{
			text: "A<b.c;~list<A>>", made: a.Generic(b, facts.List(a)), op: facts.OpGeneric, of: a,
			parts: []facts.Expr{b, facts.List(a)},
		},
		{text: "...A", made: facts.Rest(a), op: facts.OpRest, of: a},
		{text: "~list<A>", made: facts.List(a), op: facts.OpList, parts: []facts.Expr{a}},
		{text: "~map<A;b.c>", made: facts.Map(a, b), op: facts.OpMap, parts: []facts.Expr{a, b}},
		{text: "~func<>", made: facts.Func(), op: facts.OpFunc},
		{text: "~func<A;~args<b.c>>", made: facts.FuncWith(a, b), op: facts.OpFunc, parts: []facts.Expr{a, facts.Args(b)}},
		{text: "~tuple<A;b.c>", made: facts.Tuple(a, b), op: facts.OpTuple, parts: []facts.Expr{a, b}},
		{text: "~union<A;b.c>", made: facts.Union(a, b), op: facts.OpUnion, parts: []facts.Expr{a, b}},
		{
			text: "~cond<A;~tuple<>;b.c;~ext>", made: facts.Cond(a, facts.Tuple(), b, facts.External), op: facts.OpCond,
			parts: []facts.Expr{a, facts.Tuple(), b, facts.External},
		},
		{text: "~mapped<A>", made: facts.Mapped(a), op: facts.OpMapped, parts: []facts.Expr{a}},
		{
			text: "~mapped<A;~func>", made: facts.MappedFunc(a), op: facts.OpMapped,
			parts: []facts.Expr{a, facts.Parse("~func")},
		},
		{text: "~of<A>", made: facts.TypeOf(a), op: facts.OpTypeOf, parts: []facts.Expr{a}},
		{text: "~class<A>", made: facts.Class(a), op: facts.OpClass, parts: []facts.Expr{a}},
		{text: "~ext", made: facts.External, op: facts.OpExternal},
		{text: "?", made: facts.Unknown},
		{text: "…", made: facts.TooLong},
		{text: "", made: facts.Nothing},
	} {
		n := test.made.Node()
		if test.made.String() != test.text || facts.Parse(test.text) != test.made {
			t.Errorf("%s was made as %s", test.text, test.made)
		}
		if n.Op != test.op || n.Of != test.of || n.Name != test.name || n.N != test.n ||
			!cmp.Equal(test.parts, n.Parts(), cmp.Comparer(func(a, b facts.Expr) bool { return a == b })) {
			t.Errorf("%s is taken apart as %+v, %v", test.text, n, n.Parts())
		}
	}
}

// What is made of something that is not known or too long is that, too.
func TestLimits(t *testing.T) {
	long := facts.Name(strings.Repeat("x", facts.MaxExpr))
	for name, test := range map[string]struct{ got, want facts.Expr }{
		"as long as may be": {long, facts.Parse(strings.Repeat("x", facts.MaxExpr))},
		"too long":          {long.Call(0), facts.TooLong},
		"a list of it":      {facts.List(long), facts.TooLong},
		"then":              {long.Call(0).Member("x").Value(), facts.TooLong},
		"unknown":           {facts.Unknown.Elem().Call(0), facts.Unknown},
		"nothing":           {facts.Nothing.Elem(), facts.Unknown},
		"part":              {facts.List(facts.Unknown).Value(), facts.Parse("~list<?>{}")},
	} {
		if test.got != test.want {
			t.Errorf("%s: %s, want %s", name, test.got, test.want)
		}
	}
}

func TestWithoutArguments(t *testing.T) {
	for e, want := range map[string]string{
		"A":                                "A",
		"A<B>":                             "A",
		"#1.A<B<C>;D>":                     "#1.A",
		"~union<A<B>;~list<C<D>>;^4<E>>":   "~union<A;~list<C>;^4>",
		"~of<A<B>{}.c(=d<E>)>":             "~of<A{}.c(=d)>",
		"~func<A<B>;~args<C<~list<D>>;E>>": "~func<A;~args<C;E>>",
	} {
		if diff := cmp.Diff(want, facts.Parse(e).WithoutArguments().String()); diff != "" {
			t.Errorf("%s (-want +got)\n%s", e, diff)
		}
	}
}

func TestNames(t *testing.T) {
	var got []string
	var symbols []int
	facts.Parse("~map<A;^3.b(=c{})>{}[k].~e.d").Names(func(name string) { got = append(got, name) },
		func(i int) { symbols = append(symbols, i) })
	if diff := cmp.Diff([]string{"map", "A", "b", "c", "k", "~e", "d"}, got); diff != "" || len(symbols) != 1 ||
		symbols[0] != 3 {
		t.Errorf("symbols %v (-want +got)\n%s", symbols, diff)
	}
}

// Whatever is at rest, also what is damaged, is taken apart to the end.
func FuzzNode(f *testing.F) {
	for _, text := range []string{
		"A.b(=c;d)", "~cond<A;B>", "(", ")", "~", "^x", "A<B", ">>", ".[", "A.[b]", "...",
		"~of<A>{}", "(:x)", "A(9999999999999999999)",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		next := []facts.Expr{facts.Parse(text)}
		for steps := 0; len(next) > 0; steps++ {
			e := next[0]
			n := e.Node()
			next = next[1:]
			for _, part := range append(n.Parts(), n.Of) {
				if part.Size() >= e.Size() && e.Size() > 0 {
					t.Fatalf("%q has the part %q", e, part)
				}
				if part != facts.Nothing {
					next = append(next, part)
				}
			}
			if steps > 4*len(text)+4 {
				t.Fatalf("%q never ends", text)
			}
		}
	})
}
