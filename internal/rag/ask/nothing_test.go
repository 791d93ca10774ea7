package ask_test

import (
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/rag/ask"
)

// Of several projects a question about "this" means none; the answer says what to do.
func TestAskAboutNoProject(t *testing.T) {
	c := corpus{}
	resp, err := ask.New(c, c, c).Ask(t.Context(), ask.Request{Query: "what is this?"})
	if err != nil {
		t.Fatal(err)
	}
	const want = "does not say about which one; ask with repo_filter"
	if a := resp.Items[0]; !strings.Contains(a.Answer, want) || a.OutOfScope || resp.Meta.Message == nil ||
		!strings.Contains(*resp.Meta.Message, want) {
		t.Errorf("answer = %+v, message %v; want %q in both", a, resp.Meta.Message, want)
	}
}

// One that has nothing was named all the same.
func TestAskAboutAnEmptyProject(t *testing.T) {
	c := corpus{}
	resp, err := ask.New(c, c, c).Ask(t.Context(), ask.Request{Query: "what is this?", RepoFilter: "o/r"})
	if err != nil {
		t.Fatal(err)
	}
	if a := resp.Items[0]; strings.Contains(a.Answer, "does not say about which one") || len(a.Citations) > 0 {
		t.Errorf("answer = %+v; it was said which one", a)
	}
}
