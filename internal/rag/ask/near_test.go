package ask_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// graph is a Graph that knows the neighbours of one symbol.
type graph struct {
	of   string
	near ask.Near
	err  error
}

func (g graph) Near(_ context.Context, symbol models.Header, _ int) (ask.Near, bool, error) {
	return g.near, symbol.SymbolName == g.of && symbol.FilePath == "a/long/path/of/file0.go", g.err
}

func TestAskFollowsTheGraph(t *testing.T) {
	near := ask.Near{
		Users: []models.Definition{
			{FilePath: "user.go", Qualified: "User"},
			{FilePath: "other/user.go", Qualified: "User"}, // a name is said once
			{FilePath: "a/long/path/of/file1.go", Qualified: "Frob"},
		},
		Total: 5, Used: []models.Definition{
			{FilePath: "a/long/path/of/file11.go", Qualified: "Frob"},
			{FilePath: "gone.go", Qualified: "Gone"},
		},
	}
	for _, test := range []struct {
		name  string
		graph graph
		says  string
		cites bool
	}{
		{
			"neighbours",
			graph{of: "Frob", near: near},
			"It is used by `User`, `Frob` and 3 more; it uses `Frob`, `Gone`.",
			true,
		},
		{"none", graph{of: "Frob"}, "fits best [1]. Then", false},
		{"another symbol", graph{of: "Other", near: near}, "fits best [1]. Then", false},
		{"a graph that fails", graph{of: "Frob", near: near, err: errors.New("damaged")}, "fits best [1]. Then", false},
	} {
		c := files(14)
		user := doc(models.TypeSymbol, "user.go", "User", "func User() { frobnicate(widgets) }", 1)
		c.hidden, c.files["user.go"] = []models.Document{user}, "func User() { frobnicate(widgets) }"
		for i := range c.docs {
			c.docs[i].SymbolName = c.docs[i].QualifiedName
		}
		svc := ask.New(c, c, c)
		svc.Follow(test.graph)
		resp, err := svc.Ask(t.Context(), ask.Request{Query: "how does it frobnicate the widgets"})
		if err != nil {
			t.Fatal(err)
		}
		a := resp.Items[0]
		cites := 0
		for _, citation := range a.Citations {
			if citation.FilePath == "user.go" || citation.FilePath == "a/long/path/of/file11.go" {
				cites++
			}
		}
		if !strings.Contains(a.Answer, test.says) || cites != map[bool]int{true: 2}[test.cites] || len(a.Citations) != 10 {
			t.Errorf("%s: %d neighbours among %d citations; want %q in\n%s", test.name, cites, len(a.Citations), test.says,
				a.Answer)
		}
	}
}

// What only stands beside something, and has no word of the question, is not cited.
func TestAskCitesNoNeighbourThatSaysNothing(t *testing.T) {
	c := files(6)
	user := doc(models.TypeSymbol, "user.go", "User", "func User() { other() }", 1)
	c.hidden, c.files["user.go"] = []models.Document{user}, "func User() { other() }"
	for i := range c.docs {
		c.docs[i].SymbolName = c.docs[i].QualifiedName
	}
	svc := ask.New(c, c, c)
	users := []models.Definition{{FilePath: "user.go", Qualified: "User"}}
	svc.Follow(graph{of: "Frob", near: ask.Near{Users: users, Total: 1}})
	resp, err := svc.Ask(t.Context(), ask.Request{Query: "how does it frobnicate the widgets"})
	if err != nil {
		t.Fatal(err)
	}
	if a := resp.Items[0]; len(a.Citations) != 6 || !strings.Contains(a.Answer, "used by `User`") {
		t.Errorf("%d citations, want the 6 files and no user.go:\n%s", len(a.Citations), a.Answer)
	}
}
