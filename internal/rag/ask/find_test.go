package ask_test

import (
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A page is not filled with what is far less like the question than the best: after
// the first three places nothing below likeShare of its score is cited.
func TestAskFillsNoPage(t *testing.T) {
	c := files(5)
	c.scores = map[string]float64{
		"a/long/path/of/file0.go": 10, "a/long/path/of/file1.go": 2, "a/long/path/of/file2.go": 2,
		"a/long/path/of/file3.go": 2, "a/long/path/of/file4.go": 4,
	}
	c.cosine = map[models.DocType]float64{models.TypeSymbol: 1, models.TypeDocument: 0.5}
	c.docs = append(c.docs, doc(models.TypeDocument, "CHANGES.md", "", "Nothing of that.", 1))
	c.files["CHANGES.md"] = "Nothing of that."
	resp, err := ask.New(c, c, c).Ask(t.Context(), ask.Request{Query: "how does it frobnicate the widgets"})
	if err != nil {
		t.Fatal(err)
	}
	var cited string
	for _, citation := range resp.Items[0].Citations {
		cited += citation.FilePath[max(len(citation.FilePath)-4, 0):len(citation.FilePath)-3] + " "
	}
	if cited != "0 4 1 " {
		t.Errorf("cited %s, want 0 4 1: what fills a page", cited)
	}
}

// Of generated files only those are cited that are among the first.
func TestAskCitesWhatPeopleWrote(t *testing.T) {
	c := files(6)
	for i := range c.docs {
		p := c.docs[i].FilePath
		c.docs[i].Generated = strings.HasSuffix(p, "file1.go") || strings.HasSuffix(p, "file4.go")
	}
	resp, err := ask.New(c, c, c).Ask(t.Context(), ask.Request{Query: "how does it frobnicate the widgets"})
	if err != nil {
		t.Fatal(err)
	}
	var cited []string
	for _, citation := range resp.Items[0].Citations {
		cited = append(cited, strings.TrimPrefix(citation.FilePath, "a/long/path/of/"))
	}
	if got := strings.Join(cited, " "); got != "file0.go file1.go file2.go file3.go file5.go" {
		t.Errorf("cited %s, want all but file4.go", got)
	}
}
