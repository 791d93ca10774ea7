package ask_test

import (
	"fmt"
	"slices"
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

// What is almost as like the question as the best of the first file is cited behind it;
// lines are cited once.
func TestAskCitesWhatIsClose(t *testing.T) {
	c := files(3)
	c.falls = 0.9
	line := "\tfrobnicate(widgets, with, many, arguments)"
	name := c.docs[0].FilePath
	c.docs = append(c.docs,
		doc(models.TypeSymbol, name, "Inner", line, 2), doc(models.TypeSymbol, name, "Behind", line, 35))
	c.files[name] += line + "\n"
	resp, err := ask.New(c, c, c).Ask(t.Context(), ask.Request{Query: "frobnicate the widgets of it all"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, citation := range resp.Items[0].Citations {
		got = append(got, fmt.Sprintf("%s:%d", citation.FilePath, citation.StartLine))
	}
	want := []string{
		"a/long/path/of/file0.go:1", "a/long/path/of/file0.go:34", "a/long/path/of/file1.go:1", "a/long/path/of/file2.go:1",
	}
	if !slices.Equal(got, want) || strings.Contains(resp.Items[0].Answer, "left out") {
		t.Errorf("cited %v, want %v:\n%s", got, want, resp.Items[0].Answer)
	}
}
