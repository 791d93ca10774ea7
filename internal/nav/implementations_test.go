package nav_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/gateway"
)

const zoo = `package zoo

type Animal interface{ Name() string }

type Loud interface {
	Animal
	Roar()
}

type Cat struct{}

func (Cat) Name() string { return "cat" }

type Lion struct{ Cat }

func (*Lion) Roar() {}

type Stone struct{}

func Call(a Animal) string { return a.Name() + a.Name() }

func Visit() string { return Call(Cat{}) + Cat{}.Name() }
`

const zooTest = `package zoo

import "testing"

type fake struct{}

func (fake) Name() string { return "" }

func TestCall(t *testing.T) {
	Call(fake{})
	var f func() string = Cat{}.Name
	f()
}
`

func zooService(t *testing.T) *nav.Service {
	t.Helper()
	root := t.TempDir()
	put(t, root, "go.mod", "module example.com/zoo\n")
	put(t, root, "zoo.go", zoo)
	put(t, root, "a_test.go", zooTest)
	return nav.New(gateway.Config{Repos: folder(root), Extract: goOnly{}})
}

func TestImplementations(t *testing.T) {
	svc := zooService(t)
	for _, test := range []struct{ symbol, direction, want, says string }{
		{"Animal", "", "fake test 1 implements, Loud 1 extends, Cat 1 implements, Lion 1 implements", ""},
		{"Loud", "down", "Lion 1 implements", ""},
		{"Lion", "up", "Animal 1 implements, Loud 1 implements, Cat 1 extends", ""},
		{"Cat", "", "Lion 1 extends", ""},
		{"Animal.Name", "down", "fake.Name test 1 implements, Cat.Name 1 implements", ""},
		{"Cat.Name", "up", "Animal.Name 1 implements", ""},
		{"Stone", "up", "", "it implements, extends and overrides nothing in the repository"},
		{"Stone", "down", "", "nothing implements, extends or overrides it"},
	} {
		r, err := svc.Implementations(t.Context(),
			nav.ImplementationsRequest{RepoID: "o/a", Symbol: test.symbol, Direction: test.direction})
		if err != nil {
			t.Errorf("%s: %v", test.symbol, err)
			continue
		}
		var got []string
		for _, item := range r.Items {
			name := item.Symbol
			if item.Test {
				name += " test"
			}
			got = append(got, fmt.Sprintf("%s %d %s", name, item.Depth, item.Edge))
		}
		if diff := cmp.Diff(test.want, strings.Join(got, ", ")); diff != "" ||
			!strings.HasSuffix(*r.Meta.Message, test.says) {
			t.Errorf("%s %s: %s (-want +got):\n%s", test.symbol, test.direction, *r.Meta.Message, diff)
		}
	}
	if _, err := svc.Implementations(t.Context(), nav.ImplementationsRequest{RepoID: "o/a"}); fault.CodeOf(err) !=
		fault.InvalidRequest {
		t.Errorf("of nothing: %v", err)
	}
}

// Uses in tests come behind the others, and only the kinds that are asked for.
func TestEdgesAndTests(t *testing.T) {
	svc := zooService(t)
	for _, test := range []struct {
		edges []string
		want  string
		tests int
	}{
		{nil, "zoo.go:22 calls, a_test.go:11 reads test", 1},
		{[]string{"calls"}, "zoo.go:22 calls", 0},
		{[]string{"reads", "writes"}, "a_test.go:11 reads test", 1},
	} {
		for limit := 1; limit <= 2; limit++ {
			var got []string
			req := nav.WhereUsedRequest{RepoID: "o/a", Symbol: "Cat.Name", Edges: test.edges, Limit: &limit}
			for {
				r, err := svc.WhereUsed(t.Context(), req)
				if err != nil {
					t.Fatal(err)
				}
				for _, item := range r.Items {
					text := fmt.Sprintf("%s:%d %s", item.FilePath, item.Line, item.Edge)
					if item.Test {
						text += " test"
					}
					got = append(got, text)
				}
				if r.Definitions[0].Tests != test.tests {
					t.Errorf("%v: %d tests, want %d", test.edges, r.Definitions[0].Tests, test.tests)
				}
				if req.Cursor = r.Meta.NextCursor; req.Cursor == "" {
					break
				}
			}
			if diff := cmp.Diff(test.want, strings.Join(got, ", ")); diff != "" {
				t.Errorf("%v, %d a page (-want +got):\n%s", test.edges, limit, diff)
			}
		}
	}
}

// A call hierarchy has all places of a step. Calls through interfaces are
// followed when implements is among the edges.
func TestCalls(t *testing.T) {
	svc := zooService(t)
	for _, test := range []struct {
		symbol, direction string
		edges             []string
		want              string
	}{
		{"Animal.Name", "callers", []string{"calls"}, "Call 1 20:39 20:50, TestCall 2, Visit 2"},
		{"Cat.Name", "callers", []string{"calls"}, "Visit 1"},
		{"Cat.Name", "callers", []string{"calls", "implements"}, "Animal.Name 1, Visit 1, Call 2 20:39 20:50, TestCall 3"},
		{"Visit", "callees", []string{"calls"}, "Call 1, Cat.Name 1, Animal.Name 2 20:39 20:50"},
	} {
		r, err := svc.Lineage(t.Context(),
			nav.LineageRequest{RepoID: "o/a", Symbol: test.symbol, Direction: test.direction, Edges: test.edges})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, item := range r.Items {
			text := fmt.Sprintf("%s %d", item.Symbol, item.Depth)
			for _, s := range item.Sites {
				text += fmt.Sprintf(" %d:%d", s.Line, s.Column)
			}
			got = append(got, text)
		}
		if diff := cmp.Diff(test.want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%s of %s (-want +got):\n%s", test.direction, test.symbol, diff)
		}
	}
}

// What reaches a method only by way of an interface is not silently left out where
// the edges that are asked for do not lead there.
func TestEdgesThatEndAtInterfaces(t *testing.T) {
	svc := zooService(t)
	for edges, want := range map[string]string{
		"calls": "nothing that reaches it by calls was found; with implements among the edges interfaces are " +
			"followed",
		"reads,implements": "nothing that reaches it by reads, implements was found",
	} {
		r, err := svc.Lineage(t.Context(), nav.LineageRequest{
			RepoID: "o/a", Symbol: "Stone", Direction: "upstream", Edges: strings.Split(edges, ","),
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := *r.Meta.Message; !strings.HasSuffix(got, want) {
			t.Errorf("by %s: %q, want %q", edges, got, want)
		}
	}
}
