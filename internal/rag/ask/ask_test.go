package ask_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// corpus is a searcher, a library and a tree of files at once.
type corpus struct {
	docs  []models.Document
	files map[string]string // as they are now

	warnings []models.Warning // of each reading
}

func (corpus) Hold(ctx context.Context, _ string) (context.Context, func(), error) {
	return ctx, func() {}, nil
}

func (c corpus) Search(_ context.Context, req search.Request) (search.Response, error) {
	var items []models.SearchResult
	for _, d := range c.docs {
		if d.Type == req.Level.DocType() {
			items = append(items, models.SearchResult{DocumentID: d.ID, StartLine: new(d.StartLine)})
		}
	}
	return search.Response{Result: models.OKResult(items)}, nil
}

func (c corpus) Documents(_ context.Context, ids []models.DocumentID) ([]models.Document, error) {
	var out []models.Document
	for _, id := range ids {
		for _, d := range c.docs {
			if d.ID == id {
				out = append(out, d)
			}
		}
	}
	return out, nil
}

func (c corpus) Lines(_ context.Context, _ models.RepoID, path string, start, end int) (string, []models.Warning, error) {
	text, ok := c.files[path]
	if !ok {
		return "", nil, fault.New(fault.PathNotFound, "no file %s", path)
	}
	lines := strings.Split(text, "\n")
	return strings.Join(lines[start-1:min(end, len(lines))], "\n"), c.warnings, nil
}

func doc(t models.DocType, path, name, text string, start int) models.Document {
	return models.Document{
		Header: models.Header{
			ID: models.SymbolID("o/r", path, name, 1), Type: t, RepoID: "o/r", FilePath: path, QualifiedName: name, Language: "Go",
			StartLine: start, EndLine: start + strings.Count(text, "\n"),
		},
		ContentHash: models.HashText(text),
	}
}

func TestAskExtractive(t *testing.T) {
	run := "func Run() {\n\tretry()\n}"
	c := corpus{
		docs: []models.Document{
			doc(models.TypeSymbol, "a.go", "Run", run, 2),
			doc(models.TypeSymbol, "gone.go", "Gone", "func Gone() {}", 1),
			doc(models.TypeSymbol, "changed.go", "Old", "func Old() {}", 1),
		},
		files: map[string]string{"a.go": "package a\n" + run, "changed.go": "func New() {}"},
	}
	resp, err := ask.New(c, c, c).Ask(t.Context(), ask.Request{Query: "how does it retry"})
	if err != nil {
		t.Fatal(err)
	}
	a := resp.Items[0]
	want := []models.Citation{{N: 1, RepoID: "o/r", FilePath: "a.go", StartLine: 2, EndLine: 4, Verified: true}}
	if diff := cmp.Diff(want, a.Citations); diff != "" {
		t.Errorf("citations (-want +got):\n%s", diff)
	}
	if !strings.Contains(a.Answer, run) || !strings.Contains(a.Answer, "[1]") || !strings.HasPrefix(a.Answer, "Extractive answer") {
		t.Errorf("answer does not quote the span with its mark and label:\n%s", a.Answer)
	}
	if len(a.Gaps) != 2 {
		t.Errorf("gaps = %q, want one for the removed and one for the changed file", a.Gaps)
	}
	if a.OutOfScope {
		t.Error("out_of_scope = true for a question with an answer")
	}
}

func TestAskNothingFound(t *testing.T) {
	c := corpus{}
	resp, err := ask.New(c, c, c).Ask(t.Context(), ask.Request{Query: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if a := resp.Items[0]; !a.OutOfScope || len(a.Citations) != 0 || resp.Meta.Message == nil {
		t.Errorf("answer = %+v, message %v; want out of scope with a message", a, resp.Meta.Message)
	}
}

func TestAskLongSpanQuotesBestWindow(t *testing.T) {
	var b strings.Builder
	for i := range 100 {
		fmt.Fprintf(&b, "\tline(%d)\n", i)
	}
	text := strings.Replace(b.String(), "line(70)", "levenshtein(70)", 1)
	text = strings.TrimSuffix(text, "\n")
	c := corpus{docs: []models.Document{doc(models.TypeSymbol, "a.go", "Long", text, 1)}, files: map[string]string{"a.go": text}}
	resp, err := ask.New(c, c, c).Ask(t.Context(), ask.Request{Query: "levenshtein"})
	if err != nil {
		t.Fatal(err)
	}
	got := resp.Items[0].Citations[0]
	if got.StartLine > 71 || got.EndLine < 71 || got.EndLine-got.StartLine != 29 {
		t.Errorf("citation %d-%d, want 30 lines around line 71", got.StartLine, got.EndLine)
	}
}

func TestAskBudget(t *testing.T) {
	c := corpus{docs: []models.Document{doc(models.TypeSymbol, "a.go", "A", "x", 1)}, files: map[string]string{"a.go": "x"}}
	resp, err := ask.New(c, c, c).Ask(t.Context(), ask.Request{Query: "x", Budget: &ask.Budget{MaxSteps: new(1)}})
	if err != nil {
		t.Fatal(err)
	}
	a := resp.Items[0]
	if len(a.Steps) != 1 || len(a.Gaps) == 0 || len(a.Citations) != 0 {
		t.Errorf("steps %v, gaps %q, citations %v; want one step and the gaps told", a.Steps, a.Gaps, a.Citations)
	}
}

func TestAskMasksCredentials(t *testing.T) {
	key := "AKIA" + "QWERTYUIOPASDFGH"
	text := "const deployKey = \"" + key + "\""
	c := corpus{docs: []models.Document{doc(models.TypeSymbol, "a.go", "deployKey", text, 1)}, files: map[string]string{"a.go": text}}
	resp, err := ask.New(c, c, c).Ask(t.Context(), ask.Request{Query: "deploy key"})
	if err != nil {
		t.Fatal(err)
	}
	if a := resp.Items[0]; len(a.Citations) != 1 || strings.Contains(a.Answer, key) || !strings.Contains(a.Answer, "***") {
		t.Errorf("answer = %s, citations %v; want the span quoted with its credential masked", a.Answer, a.Citations)
	}
}

// What there is to say about several spans of a repository is said once.
func TestAskTellsWhereLinesAreFrom(t *testing.T) {
	c := corpus{
		docs:     []models.Document{doc(models.TypeSymbol, "a.go", "A", "retry a", 1), doc(models.TypeSymbol, "b.go", "B", "retry b", 1)},
		files:    map[string]string{"a.go": "retry a", "b.go": "retry b"},
		warnings: []models.Warning{{Code: "STORED_CONTENT", Message: "o/r is read from the index"}},
	}
	resp, err := ask.New(c, c, c).Ask(t.Context(), ask.Request{Query: "retry"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(c.warnings, resp.Meta.Warnings); diff != "" || len(resp.Items[0].Citations) != 2 {
		t.Errorf("%d citations, warnings (-want +got):\n%s", len(resp.Items[0].Citations), diff)
	}
}

func TestAskLeavesOutWhatOnlyLooksNear(t *testing.T) {
	text := "func Carrots() {}"
	c := corpus{docs: []models.Document{doc(models.TypeSymbol, "a.go", "Carrots", text, 1)}, files: map[string]string{"a.go": text}}
	resp, err := ask.New(c, c, c).Ask(t.Context(), ask.Request{Query: "what is the weather in Paris"})
	if err != nil {
		t.Fatal(err)
	}
	if a := resp.Items[0]; len(a.Citations) != 0 || !a.OutOfScope || resp.Meta.Message == nil {
		t.Errorf("citations %v, out of scope %v; want none and true", a.Citations, a.OutOfScope)
	}
}
