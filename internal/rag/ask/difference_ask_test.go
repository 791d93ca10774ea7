package ask_test

import (
	"context"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// names is a corpus of which a lone word finds the symbol of that name first.
type names struct{ corpus }

func (n names) Search(ctx context.Context, req search.Request) (search.Response, error) {
	for _, d := range n.hidden {
		if d.SymbolName == req.Query {
			n.docs = append([]models.Document{d}, n.docs...)
			break
		}
	}
	return n.corpus.Search(ctx, req)
}

// Of two things that are asked of how they differ both are told.
func TestAskForADifference(t *testing.T) {
	n := names{files(3)}
	for i, name := range []string{"Peek", "Get"} {
		d := doc(models.TypeSymbol, name+".go", name, "func "+name+"() {}", 1)
		d.SymbolName = name
		if i == 0 {
			d.SummarySource, d.Content = models.SummaryDocstring, "func Peek()\n\nPeek looks."
		}
		n.hidden = append(n.hidden, d)
		n.files[d.FilePath] = "func " + name + "() {}"
	}
	for question, want := range map[string]string{
		"what is the difference between Peek and Get?": "`Peek` is in `Peek.go` [1]: “Peek looks”. " +
			"`Get` is in `Get.go` [2]. Beside",
		"what is the difference between Peek and Set?": "`Frob` in o/r `a/long/path/of/file0.go` fits best [1]",
	} {
		resp, err := ask.New(n, n, n).Ask(t.Context(), ask.Request{Query: question})
		if err != nil {
			t.Fatal(err)
		}
		if a := resp.Items[0].Answer; !strings.HasPrefix(a, "Extractive answer, without a language model: "+want) {
			t.Errorf("%s: %.200q, want %s", question, a, want)
		}
	}
}
