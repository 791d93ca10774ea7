package ask_test

import (
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A question that follows an answer is about what that answer was about; who uses
// it, and which tests do, the graph says.
func TestAskFollowUps(t *testing.T) {
	c := files(3)
	for i := range c.docs {
		c.docs[i].SymbolName = c.docs[i].QualifiedName
	}
	user, tests := doc(models.TypeSymbol, "user.go", "User", "func User() { Frob() }", 1),
		doc(models.TypeSymbol, "frob_test.go", "TestFrob", "func TestFrob() { Frob() }", 1)
	tests.Test = true
	c.hidden = []models.Document{user, tests}
	c.files["user.go"], c.files["frob_test.go"] = "func User() { Frob() }", "func TestFrob() { Frob() }"
	near := ask.Near{
		Users: []models.Definition{
			{FilePath: "user.go", Qualified: "User"},
			{FilePath: "frob_test.go", Qualified: "TestFrob"},
		}, Total: 2,
		Used: []models.Definition{{FilePath: "a/long/path/of/file1.go", Qualified: "Frob"}},
	}
	first := []ask.Message{
		{Role: "user", Content: "how does it frobnicate the widgets"},
		{Role: "assistant", Content: "Extractive answer, without a language model: `Frob` in o/r `a/long/path/of/file0.go` " +
			"fits best [1]. Then `Frob2` in `x.go` [2].\n\n[1] `a/long/path/of/file0.go:1-32` `Frob`\n"},
	}
	second := []ask.Message{
		first[0], first[1],
		{Role: "user", Content: "and who calls it?"},
		{Role: "assistant", Content: "Extractive answer, without a language model: `Frob` in o/r `a/long/path/of/file0.go` " +
			"is used by `User` [1].\n"},
	}
	model := func(question, answer string) []ask.Message {
		return []ask.Message{{Role: "user", Content: question}, {Role: "assistant", Content: answer}}
	}
	of := "`Frob` in o/r `a/long/path/of/file0.go` "
	for _, test := range []struct {
		query   string
		history []ask.Message
		says    string // the answer
		asks    string // the search
	}{
		{"and who calls it?", first, of + "is used by `User` [1], `TestFrob` [2].", ""},
		{"Where is it used?", first, of + "is used by `User` [1], `TestFrob` [2].", ""},
		{"where is that tested?", first, of + "is tested by `TestFrob` [1].", ""},
		{"which tests cover it?", second, of + "is tested by `TestFrob` [1].", ""},
		{"what does it call?", first, of + "uses `Frob` [1].", ""},
		{"what about errors?", first, "", "how does it frobnicate the widgets\nwhat about errors? Frob"},
		{"and what about errors?", second, "", "how does it frobnicate the widgets\nand what about errors? Frob"},
		{
			"how is the configuration file parsed and validated?", first, "",
			"how is the configuration file parsed and validated?",
		},
		{"who calls parseConfig?", first, "", "who calls parseConfig?"},
		{"and who calls it?", nil, "", "and who calls it?"},
		{"and who calls it?", model("What does Frob do?", "It frobs the box [1]."), of + "is used by `User` [1]", ""},
		{"show its tests", model("What does Frob do?", "It returns `ErrFull` [1]."), of + "is tested by `TestFrob` [1].", ""},
		{"its tests", model("what widgets are there?", "There is `pkg.Frob` [1]."), of + "is tested by `TestFrob` [1].", ""},
		{
			"show its tests", model("how are widgets made?", "By hand [1]."), "",
			"how are widgets made?\nshow its tests",
		},
	} {
		svc := ask.New(c, c, c)
		svc.Follow(graph{of: "Frob", near: near})
		resp, err := svc.Ask(t.Context(), ask.Request{Query: test.query, History: test.history})
		if err != nil {
			t.Fatal(err)
		}
		a := resp.Items[0]
		if !strings.Contains(a.Answer, test.says) || test.asks != "" &&
			(len(a.Steps) == 0 || !strings.HasSuffix(a.Steps[0].Detail, ": "+test.asks)) {
			t.Errorf("%s: steps %+v; want %q and a search for %q:\n%s", test.query, a.Steps, test.says, test.asks, a.Answer)
		}
	}
}

// A word that is written like any other is a name only where it is nearly all there is.
func TestAskNames(t *testing.T) {
	c := files(1)
	c.docs = c.docs[:1]
	c.docs[0].SymbolName, c.docs[0].QualifiedName = "widgets", "widgets"
	c.docs[0].ID = models.SymbolID(c.docs[0].RepoID, c.docs[0].FilePath, "widgets", 1)
	user := doc(models.TypeSymbol, "user.go", "User", "func User() { Frob() }", 1)
	c.hidden, c.files["user.go"] = []models.Document{user}, "func User() { Frob() }"
	near := ask.Near{Users: []models.Definition{{FilePath: "user.go", Qualified: "User"}}, Total: 1}
	for query, says := range map[string]string{
		"who uses widgets?": "is used by `User` [1].",
		"Where are default widgets such as boxes and lids used?": "fits best [1]",
		"where are widgets of a User-Agent added to the request": "fits best [1]",
		"where is the widgets user":                              "fits best [1]",
	} {
		svc := ask.New(c, c, c)
		svc.Follow(graph{of: "widgets", near: near})
		resp, err := svc.Ask(t.Context(), ask.Request{Query: query})
		if err != nil {
			t.Fatal(err)
		}
		if got := resp.Items[0].Answer; !strings.Contains(got, says) {
			t.Errorf("%s: want %q:\n%s", query, says, got)
		}
	}
}
