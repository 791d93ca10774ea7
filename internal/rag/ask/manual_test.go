package ask_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A manual has the commands of o/r, which is the only repository unless there is another.
type manual struct {
	commands []ask.Command
	another  bool
}

func (m manual) Only(_ context.Context, filter string) (models.RepoID, error) {
	if m.another && filter == "" {
		return "", nil
	}
	return "o/r", nil
}

func (m manual) Commands(context.Context, models.RepoID) ([]ask.Command, error) {
	return m.commands, nil
}

func TestAskForCommands(t *testing.T) {
	section := func(path, heading, text string, start int) models.Document {
		d := doc(models.TypeDocument, path, heading, text, start)
		d.ID, d.Heading = models.DocumentID("doc:o/r:"+path+"#"+heading), heading
		return d
	}
	c := corpus{
		docs: []models.Document{
			section("CHANGES.md", "Tests", "Run them.", 1),
			section("README.md", "Install", "Take `x`.", 1),
			section("README.md", "Running tests", "Say `make`.", 2),
			doc(models.TypeSymbol, "a.go", "RunTests", "func RunTests() {}", 1),
		},
		files: map[string]string{
			"Makefile": "test:\n\tgo test ./...\n", "go.mod": "module x\n", "a.go": "func RunTests() {}",
			"README.md": "Take `x`.\nSay `make`.", "CHANGES.md": "Run them.",
		},
	}
	m := manual{commands: []ask.Command{
		{Text: "make test", Path: "Makefile", Start: 1, End: 2},
		{Text: "npm run build", Path: "gone.json", Start: 1, End: 1},
		{Text: "go build ./...", Path: "go.mod", Start: 1, End: 1},
		{Text: "go install", Path: "go.mod", Start: 1, End: 1},
		{Text: "go test ./...", Path: "go.mod", Start: 1, End: 1},
		{Text: "golangci-lint run", Path: "a.go", Start: 1, End: 1},
		{Text: "npm run check", Path: "README.md", Start: 2, End: 2},
	}}
	for _, test := range []struct {
		question string
		says     string // "" for what any question gets
		cited    []string
		gaps     int
	}{
		{
			"How do I run the tests?", "To run the tests: `make test` [1], `go test ./...` [2]; see also “Running tests” [3].",
			[]string{"Makefile", "go.mod", "README.md"},
			0,
		},
		{"what is the command to run the unit tests", "To run the tests: `make test` [1]", nil, 0},
		{"how do I build this project from source", "To build it: `go build ./...` [1].", []string{"go.mod"}, 1},
		{"how do I install r?", "To install it: “Install” [1]; see also `go install` [2].", nil, 0},
		{
			"how do I lint this?", "To check its style: `golangci-lint run` [1], `npm run check` [2].",
			[]string{"a.go", "README.md"},
			0,
		},
		{"How do I run the linters", "To check its style: `golangci-lint run` [1], ", nil, 0},
		{"how do I format a date", "", nil, 0},
		{"how do I check the style of an element", "", nil, 0},
		{"how do I run the tests of the router", "", nil, 0},
		{"how do I build a request", "", nil, 0},
		{"how does it test whether a file is there", "", nil, 0},
	} {
		for _, another := range []bool{false, true} {
			m.another = another
			s := ask.New(c, c, c)
			s.Consult(m)
			resp, err := s.Ask(t.Context(), ask.Request{Query: test.question})
			if err != nil {
				t.Fatal(err)
			}
			a := resp.Items[0]
			if another || test.says == "" {
				if strings.Contains(a.Answer, "model: To ") {
					t.Errorf("%q, another repository %v: %s", test.question, another, a.Answer)
				}
				continue
			}
			var cited []string
			for _, citation := range a.Citations {
				cited = append(cited, citation.FilePath)
			}
			if !strings.Contains(a.Answer, test.says) || test.cited != nil && !slices.Equal(cited, test.cited) ||
				len(a.Gaps) != test.gaps || a.OutOfScope {
				t.Errorf("%q cites %v, gaps %q:\n%s", test.question, cited, a.Gaps, a.Answer)
			}
		}
	}
	m.another = false
	s := ask.New(c, c, c)
	s.Consult(m)
	resp, err := s.Ask(t.Context(), ask.Request{Query: "how do I run the tests", RepoFilter: "o"})
	if err != nil {
		t.Fatal(err)
	}
	want := models.Citation{N: 1, RepoID: "o/r", FilePath: "Makefile", StartLine: 1, EndLine: 2, Verified: true}
	if diff := gocmp.Diff(want, resp.Items[0].Citations[0]); diff != "" {
		t.Errorf("citation (-want +got):\n%s", diff)
	}
	if !strings.Contains(resp.Items[0].Answer, "test:\n\tgo test ./...") {
		t.Errorf("the target is not quoted:\n%s", resp.Items[0].Answer)
	}
}

// A repository that says nothing of it is answered for as before, but is not taken for
// another than is asked about.
func TestAskForCommandsThatNothingGives(t *testing.T) {
	c := corpus{
		docs:  []models.Document{doc(models.TypeSymbol, "a.go", "Run", "func Run() {}", 1)},
		files: map[string]string{"a.go": "func Run() {}"}, weak: true,
	}
	for _, consults := range []bool{false, true} {
		s := ask.New(c, c, c)
		if consults {
			s.Consult(manual{})
		}
		resp, err := s.Ask(t.Context(), ask.Request{Query: "how do I run the tests"})
		if err != nil {
			t.Fatal(err)
		}
		if got := resp.Items[0].OutOfScope; got == consults {
			t.Errorf("consults %v: out of scope %v", consults, got)
		}
	}
}
