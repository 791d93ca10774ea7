package ask_test

import (
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// What a fork has in common with another repository, or a copy of a file with it, is
// quoted once, what differs beside it, with the repository that has it.
func TestAskQuotesCopiesOnce(t *testing.T) {
	same, changed := "func A() {\n\treturn\n}", "func B() {\n\tpanic(1)\n}"
	c := corpus{files: map[string]string{"a.go": same, "b.go": changed}}
	for _, id := range []models.RepoID{"o/r", "o/fork"} {
		for _, path := range []string{"a.go", "b.go"} {
			if path == "b.go" && id == "o/r" {
				continue
			}
			d := doc(models.TypeSymbol, path, strings.ToUpper(path[:1]), c.files[path], 1)
			d.RepoID, d.ID = id, models.SymbolID(id, path, d.QualifiedName, 1)
			c.docs = append(c.docs, d)
		}
	}
	again := doc(models.TypeSymbol, "copy/a.go", "A", same, 1)
	c.docs, c.files["copy/a.go"] = append(c.docs, again), same
	resp, err := ask.New(c, c, c).Ask(t.Context(), ask.Request{Query: "what do A and B do"})
	if err != nil {
		t.Fatal(err)
	}
	a := resp.Items[0]
	if len(a.Citations) != 2 || strings.Count(a.Answer, "func A()") != 1 || strings.Count(a.Answer, "func B()") != 1 {
		t.Errorf("answer with %d citations, want 2:\n%s", len(a.Citations), a.Answer)
	}
	if first, then := a.Citations[0].RepoID, a.Citations[1].RepoID; first != then &&
		!strings.Contains(a.Answer, "in "+string(then)+" `") {
		t.Errorf("the answer doesn't say that the second place is of %s:\n%s", then, a.Answer)
	}
}
