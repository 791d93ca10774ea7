package ask_test

import (
	"context"
	"testing"

	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// values is a corpus of which a search for constants and fields finds one.
type values struct {
	corpus
	value models.Document
}

func (v values) Search(ctx context.Context, req search.Request) (search.Response, error) {
	resp, err := v.corpus.Search(ctx, req)
	if req.Where != nil {
		resp.Items = []models.SearchResult{{
			DocumentID: v.value.ID, DocType: v.value.Type, RepoID: v.value.RepoID, FilePath: &v.value.FilePath,
			SymbolName: &v.value.SymbolName,
		}}
	}
	return resp, err
}

// Who asks for a default or a limit is answered by the constant that is named so.
func TestAskForALimit(t *testing.T) {
	const name = "CLIENT_READ_TIMEOUT"
	v := values{corpus: files(3), value: doc(models.TypeSymbol, "limits.go", name, "const "+name+" = 5", 1)}
	v.value.SymbolName, v.value.Kind = name, "const"
	v.hidden, v.files["limits.go"] = []models.Document{v.value}, v.value.Content
	for question, want := range map[string]string{
		"What is the default read timeout of the client?":                  "limits.go",
		"how long may the client read":                                     "limits.go",
		"which shell runs what a client may read, and what is the default": "a/long/path/of/file0.go", // mostly else
		"how long is the timeout":                                          "a/long/path/of/file0.go", // of what
		"which option limits what the client may read":                     "a/long/path/of/file0.go",
		"how does the client read until its timeout":                       "a/long/path/of/file0.go",
	} {
		resp, err := ask.New(v, v, v).Ask(t.Context(), ask.Request{Query: question})
		if err != nil {
			t.Fatal(err)
		}
		if got := resp.Items[0].Citations[0].FilePath; got != want {
			t.Errorf("%s: begins with %s, want %s", question, got, want)
		}
	}
}
