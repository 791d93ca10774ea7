package ask_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// corpus is a searcher, a library and a tree of files at once.
type corpus struct {
	docs  []models.Document
	files map[string]string // as they are now

	warnings []models.Warning  // of each reading
	weak     bool              // all results
	hidden   []models.Document // that no search finds
	nearer   models.RepoID     // is more like the question than the others
	unlike   bool              // nearer is only a little
	cosine   map[models.DocType]float64
	absent   []string           // words that nothing has
	scores   map[string]float64 // of files, for those of the cosine
	falls    float64            // what each further symbol of a file has of the score of the one before; 0.5 if less
}

func (c corpus) known(word string) int {
	if slices.Contains(c.absent, strings.Trim(word, "?.,")) {
		return 0
	}
	return 300
}

// gauge finds all words equally common, and all texts as like each other as it says.
type gauge float64

func (gauge) Common(string) float64 { return -1.2 }

func (gauge) Queries(_ context.Context, texts []string) ([][]float32, error) {
	return repeated(len(texts), 1), nil
}

func (g gauge) Documents(_ context.Context, inputs []embed.Input) ([][]float32, error) {
	return repeated(len(inputs), float32(g)), nil
}

func repeated(n int, x float32) [][]float32 {
	all := make([][]float32, n)
	for i := range all {
		all[i] = []float32{x}
	}
	return all
}

func (corpus) Hold(ctx context.Context, _ string) (context.Context, func(), error) {
	return ctx, func() {}, nil
}

func (corpus) Meant(context.Context, string) (models.RepoID, error) { return "", nil }

// Search finds everything of a level; symbols speak for files and folders.
func (c corpus) Search(_ context.Context, req search.Request) (search.Response, error) {
	resp := search.Response{Likeness: map[models.DocumentID]search.Likeness{}}
	for word := range strings.FieldsSeq(req.Query) {
		if len(fts.Analyze(word)) == 0 {
			continue
		}
		resp.Words = append(resp.Words, search.Word{Text: word, In: c.known(word), Of: 1000, Whole: c.known(word)})
	}
	at := map[models.DocumentID]int{}
	for _, d := range c.docs {
		if inside := strings.HasPrefix(string(d.RepoID), req.RepoFilter); !inside {
			continue
		}
		item := models.SearchResult{
			Score: c.cosine[d.Type], DocumentID: d.ID, DocType: d.Type, RepoID: d.RepoID,
			FilePath: &d.FilePath, StartLine: &d.StartLine, Weak: c.weak,
		}
		if score, ok := c.scores[d.FilePath]; ok {
			item.Score = score
		}
		like := search.Likeness{Cosine: c.cosine[d.Type], Words: 0.5}
		if d.RepoID == c.nearer {
			like.Cosine, like.Words, item.Score = 0.9, 2, 3
			if c.unlike {
				like.Cosine, like.Words = 0.4, 0.8
			}
		}
		switch {
		case d.Type == req.Level.DocType():
		case d.Type == models.TypeSymbol && req.Level != models.LevelDoc && req.Level != models.LevelSymbol:
			item.DocumentID, item.DocType, item.StartLine = models.FileID(d.RepoID, d.FilePath), req.Level.DocType(), nil
			item.Content = "summary of " + d.FilePath
			before := resp.Likeness[item.DocumentID].Speakers
			like.Speakers = slices.Concat(before,
				[]search.Speaker{{Header: d.Header, Score: math.Pow(max(c.falls, 0.5), float64(len(before)))}})
		default:
			continue
		}
		resp.Likeness[item.DocumentID] = like
		if _, known := at[item.DocumentID]; !known && len(resp.Items) < *req.Limit {
			at[item.DocumentID] = len(resp.Items)
			resp.Items = append(resp.Items, item)
		}
	}
	slices.SortStableFunc(resp.Items, func(a, b models.SearchResult) int { return cmp.Compare(b.Score, a.Score) })
	resp.Result = models.OKResult(resp.Items)
	return resp, nil
}

func (c corpus) Documents(_ context.Context, ids []models.DocumentID) ([]models.Document, error) {
	var out []models.Document
	for _, id := range ids {
		for _, d := range slices.Concat(c.docs, c.hidden) {
			if d.ID == id {
				out = append(out, d)
			}
		}
	}
	return out, nil
}

func (c corpus) Lines(_ context.Context, _ models.RepoID, path string, start, end int) (string, []models.Warning,
	error,
) {
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
			ID: models.SymbolID("o/r", path, name, 1), Type: t, RepoID: "o/r", FilePath: path, QualifiedName: name,
			Language:  "Go",
			StartLine: start, EndLine: start + strings.Count(text, "\n"),
		},
		Content: text, ContentHash: models.HashText(text),
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
	if diff := gocmp.Diff(want, a.Citations); diff != "" {
		t.Errorf("citations (-want +got):\n%s", diff)
	}
	if !strings.Contains(a.Answer, run) || !strings.Contains(a.Answer, "[1]") ||
		!strings.HasPrefix(a.Answer, "Extractive answer") {
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
	c := corpus{
		docs:  []models.Document{doc(models.TypeSymbol, "a.go", "Long", text, 1)},
		files: map[string]string{"a.go": text},
	}
	resp, err := ask.New(c, c, c).Ask(t.Context(), ask.Request{Query: "levenshtein"})
	if err != nil {
		t.Fatal(err)
	}
	got := resp.Items[0].Citations[0]
	if got.StartLine > 71 || got.EndLine < 71 || got.EndLine-got.StartLine != 39 {
		t.Errorf("citation %d-%d, want 40 lines around line 71", got.StartLine, got.EndLine)
	}
}

// Steps are searches and the reading of lines; the last one is kept for reading.
func TestAskBudget(t *testing.T) {
	for _, test := range []struct {
		steps                 int
		searched, cited, gaps int
	}{
		{1, 0, 0, 2},
		{2, 1, 1, 1},
		{3, 2, 1, 0},
		{50, 2, 1, 0},
	} {
		c := corpus{
			docs:  []models.Document{doc(models.TypeSymbol, "a.go", "A", "x", 1)},
			files: map[string]string{"a.go": "x"},
		}
		resp, err := ask.New(c, c, c).Ask(t.Context(), ask.Request{Query: "x", Budget: &ask.Budget{MaxSteps: &test.steps}})
		if err != nil {
			t.Fatal(err)
		}
		a := resp.Items[0]
		if a.OutOfScope || a.LevelsSearched == nil || a.Steps == nil || len(a.LevelsSearched) != test.searched ||
			len(a.Citations) != test.cited || len(a.Gaps) != test.gaps || len(a.Steps) > test.steps {
			t.Errorf("%d steps: %+v, want %+v", test.steps, a, test)
		}
	}
}

func TestAskMasksCredentials(t *testing.T) {
	key := "AKIA" + "QWERTYUIOPASDFGH"
	text := "const deployKey = \"" + key + "\""
	c := corpus{
		docs:  []models.Document{doc(models.TypeSymbol, "a.go", "deployKey", text, 1)},
		files: map[string]string{"a.go": text},
	}
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
		docs: []models.Document{
			doc(models.TypeSymbol, "a.go", "A", "retry a", 1),
			doc(models.TypeSymbol, "b.go", "B", "retry b", 1),
		},
		files:    map[string]string{"a.go": "retry a", "b.go": "retry b"},
		warnings: []models.Warning{{Code: "STORED_CONTENT", Message: "o/r is read from the index"}},
	}
	resp, err := ask.New(c, c, c).Ask(t.Context(), ask.Request{Query: "retry"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(c.warnings, resp.Meta.Warnings); diff != "" || len(resp.Items[0].Citations) != 2 {
		t.Errorf("%d citations, warnings (-want +got):\n%s", len(resp.Items[0].Citations), diff)
	}
}

// When nothing is like the question the nearest places are listed, and not quoted.
func TestAskOutOfScope(t *testing.T) {
	c := files(5)
	c.weak = true
	resp, err := ask.New(c, c, c).Ask(t.Context(), ask.Request{Query: "what is the weather in Paris"})
	if err != nil {
		t.Fatal(err)
	}
	a := resp.Items[0]
	if !a.OutOfScope || resp.Meta.Message == nil || len(a.Citations) != 3 || strings.Contains(a.Answer, "```") {
		t.Errorf("out of scope %v, message %v, %d citations; want true, one, 3, and no quotes:\n%s", a.OutOfScope,
			resp.Meta.Message, len(a.Citations), a.Answer)
	}
	if n := strings.Count(a.Answer, "\n- ["); n != 3 {
		t.Errorf("%d places are listed, want 3:\n%s", n, a.Answer)
	}
}

// What the question says decides: words that nothing has, names above all, and
// quotes that are unlike it and have few of its words.
func TestAskJudgesWords(t *testing.T) {
	for _, test := range []struct {
		query  string
		absent []string
		like   float64
		want   bool
	}{
		{"how does it frobnicate widgets with arguments", nil, 0.7, false},
		{"how does it frobnicate widgets with arguments", nil, 0.5, false},
		{"who painted the old portrait in Florence", []string{"painted", "old", "portrait", "Florence"}, 0.2, true},
		{"who painted the old portrait in Florence", []string{"painted", "old", "portrait", "Florence"}, 0.6, true},
		{"what is this repository about", []string{"this", "repository", "about"}, 0.2, false},
		{"Wie wird das Frobnicate der Widgets gemacht", []string{"wird", "gemacht", "Widgets"}, 0.2, false},
	} {
		c := files(5)
		c.absent = test.absent
		svc := ask.New(c, c, c)
		svc.Judge(gauge(test.like))
		resp, err := svc.Ask(t.Context(), ask.Request{Query: test.query})
		if err != nil {
			t.Fatal(err)
		}
		if got := resp.Items[0].OutOfScope; got != test.want {
			t.Errorf("%s, likeness %.1f: out of scope %v", test.query, test.like, got)
		}
	}
}

// A question to one repository that is rather about another one is out of scope
// there, and in scope where nothing else is to compare with. One that is like
// neither is not said to be about the other.
func TestAskOfAnotherRepository(t *testing.T) {
	for _, test := range []struct {
		filter, nearer models.RepoID
		unlike         bool
		want, named    bool
	}{
		{"o/r", "o/s", false, true, true},
		{"o/r", "o/s", true, true, false},
		{"o/r", "o/r", false, false, false},
		{"o/s", "o/s", false, false, false},
		{"", "o/s", false, false, false},
	} {
		c := files(5)
		c.cosine, c.nearer = map[models.DocType]float64{models.TypeSymbol: 0.4}, test.nearer
		c.unlike = test.unlike
		other := doc(models.TypeSymbol, "b.go", "Weather", "func Weather() {}", 1)
		other.RepoID, other.ID = "o/s", models.SymbolID("o/s", "b.go", "Weather", 1)
		c.docs = append(c.docs, other)
		c.files["b.go"] = "func Weather() {}"
		svc := ask.New(c, c, c)
		svc.Judge(gauge(0.4))
		resp, err := svc.Ask(t.Context(),
			ask.Request{Query: "where does the weather come from", RepoFilter: string(test.filter)})
		if err != nil {
			t.Fatal(err)
		}
		a := resp.Items[0]
		if a.OutOfScope != test.want || strings.Contains(a.Answer, "rather to be about o/s") != test.named {
			t.Errorf("%+v: out of scope %v, steps %v:\n%s", test, a.OutOfScope, a.Steps, a.Answer)
		}
	}
}

// files is a corpus of n files with a long function each.
func files(n int) corpus {
	c := corpus{files: map[string]string{}}
	for i := range n {
		name, text := fmt.Sprintf("a/long/path/of/file%d.go", i),
			"func Frob() {\n"+strings.Repeat("\tfrobnicate(widgets, with, many, arguments)\n", 30)+"}"
		c.docs = append(c.docs, doc(models.TypeSymbol, name, "Frob", text, 1),
			doc(models.TypeSymbol, name, "Frob2", "func Frob2() {}", 34))
		c.files[name] = text + "\n\nfunc Frob2() {}\n"
	}
	return c
}

// The reply as text has no more tokens than the budget says; each file is cited
// once with some of its lines, and what is left out is counted.
func TestAskWithinTokens(t *testing.T) {
	for _, test := range []struct{ tokens, citations int }{{0, 0}, {400, 5}, {200, 1}, {3000, 20}} {
		c := files(18)
		req := ask.Request{Query: "frobnicate the widgets of it all"}
		citations, tokens := 10, 1200
		if test.tokens > 0 {
			citations, tokens = test.citations, test.tokens
			req.Budget = &ask.Budget{MaxReplyTokens: &test.tokens, MaxCitations: &test.citations}
		}
		resp, err := ask.New(c, c, c).Ask(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		a := resp.Items[0]
		cited := map[string]bool{}
		for _, citation := range a.Citations {
			cited[citation.FilePath] = true
			if !strings.Contains(a.Answer, fmt.Sprintf("[%d] `%s:1-32`", citation.N, citation.FilePath)) {
				t.Errorf("%+v is not in the answer", citation)
			}
			if !strings.Contains(a.Answer, fmt.Sprintf("[%d] `%s:1-32` `Frob`\n```go\nf", citation.N, citation.FilePath)) {
				t.Errorf("%+v has no quote:\n%s", citation, a.Answer)
			}
		}
		if got := len(a.Answer)/3 + 1; got > tokens || got < tokens/2 {
			t.Errorf("%d tokens, want at most, and about, %d", got, tokens)
		}
		if len(cited) != min(citations, 18) ||
			citations < 18 != strings.Contains(a.Answer, fmt.Sprintf("%d more files", 18-citations)) {
			t.Errorf("%d files cited, want %d:\n%s", len(cited), citations, a.Answer)
		}
	}
}

func TestAskLevels(t *testing.T) {
	c := corpus{
		docs: []models.Document{
			doc(models.TypeSymbol, "a.go", "Retry", "func Retry() {}", 1),
			doc(models.TypeDocument, "README.md", "", "Retries are free.", 1),
		},
		files:  map[string]string{"a.go": "func Retry() {}", "README.md": "Retries are free."},
		cosine: map[models.DocType]float64{models.TypeSymbol: 1, models.TypeDocument: 0.5},
	}
	for _, test := range []struct {
		query, says string
		level       models.Level
		want        string // levels, then cited files
	}{
		{"how are requests retried here", "", "", "file doc symbol · a.go README.md"},
		{"what are the guidelines for retries", "", "", "doc file · README.md a.go"},
		{"which package is for retries", "summary of a.go", "", "module doc file · a.go README.md"},
		{"what is this repository", "summary of a.go", models.LevelAuto, "repo doc file · README.md a.go"},
		{"which function retries", "", "", "file doc symbol · a.go README.md"},
		{"retries", "", models.LevelSymbol, "symbol · a.go"},
		{"retries", "", models.LevelFile, "file · a.go"},
		{"retries", "", models.LevelDoc, "doc · README.md"},
		{"retries", "summary of a.go", models.LevelModule, "module doc file · a.go README.md"},
		{"retries", "summary of a.go", models.LevelRepo, "repo doc file · README.md a.go"},
	} {
		resp, err := ask.New(c, c, c).Ask(t.Context(), ask.Request{Query: test.query, Level: test.level})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, level := range resp.Items[0].LevelsSearched {
			got += string(level) + " "
		}
		got += "·"
		for _, citation := range resp.Items[0].Citations {
			got += " " + citation.FilePath
		}
		if got != test.want || !strings.Contains(resp.Items[0].Answer, test.says) {
			t.Errorf("%s, level %q: %q, want %q and %q in\n%s", test.query, test.level, got, test.want, test.says,
				resp.Items[0].Answer)
		}
	}
}

// A document stands among files when it is as like the question as they are.
func TestAskCitesDocuments(t *testing.T) {
	c := files(12)
	c.docs = append(c.docs, doc(models.TypeDocument, "README.md", "", "Frobnicate.", 1))
	c.files["README.md"] = "Frobnicate."
	for cosine, want := range map[float64]bool{0.95: true, 0.5: false} {
		c.cosine = map[models.DocType]float64{models.TypeSymbol: 1, models.TypeDocument: cosine}
		resp, err := ask.New(c, c, c).Ask(t.Context(), ask.Request{Query: "how does it frobnicate the widgets"})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(resp.Items[0].Answer, "`README.md:1`"); got != want {
			t.Errorf("likeness %.2f: cited %v", cosine, got)
		}
	}
}

// Of a class that holds what fits the part is cited.
func TestAskCitesTheInnerPart(t *testing.T) {
	text := "class A {\n" + strings.Repeat("  x();\n", 200) + "  retry() {}\n}"
	c := corpus{
		docs: []models.Document{
			doc(models.TypeSymbol, "a.js", "A", text, 1),
			doc(models.TypeSymbol, "a.js", "A.retry", "  retry() {}", 202),
		},
		files: map[string]string{"a.js": text},
	}
	resp, err := ask.New(c, c, c).Ask(t.Context(), ask.Request{Query: "retry"})
	if err != nil {
		t.Fatal(err)
	}
	if got := resp.Items[0].Citations; len(got) != 1 || got[0].StartLine != 202 || got[0].EndLine != 202 {
		t.Errorf("citations = %+v, want the method alone", got)
	}
}

// What says something is cited before a field beside it, and a body before the
// overloads of its name.
func TestAskCitesWhatSays(t *testing.T) {
	const body = "func decode(b int) {\n\tread()\n\tBody()\n}"
	text := "enum State { Body }\nfunc decode(a int);\n" + body
	for _, test := range []struct {
		docs []models.Document
		want int // the first line that is cited
	}{
		{[]models.Document{
			doc(models.TypeSymbol, "a.go", "State", "enum State { Body }", 1),
			doc(models.TypeSymbol, "a.go", "decode", body, 3),
		}, 3},
		{[]models.Document{
			doc(models.TypeSymbol, "a.go", "decode", "func decode(a int);", 2),
			doc(models.TypeSymbol, "a.go", "decode", body, 3),
		}, 3},
		{[]models.Document{doc(models.TypeSymbol, "a.go", "State", "enum State { Body }", 1)}, 1},
	} {
		for i := range test.docs {
			test.docs[i].ID += models.DocumentID(strings.Repeat("#", i))
		}
		c := corpus{docs: test.docs, files: map[string]string{"a.go": text}}
		resp, err := ask.New(c, c, c).Ask(t.Context(), ask.Request{Query: "Body"})
		if err != nil {
			t.Fatal(err)
		}
		if got := resp.Items[0].Citations; len(got) != 1 || got[0].StartLine != test.want {
			t.Errorf("citations = %+v, want one from line %d", got, test.want)
		}
	}
}
