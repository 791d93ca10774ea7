package ask

import (
	"context"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/rag/ask/question"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// symbols is a search that finds the same symbols always, "!" in front of weak ones.
type symbols struct {
	Searcher

	found string
}

func (s symbols) Search(context.Context, search.Request) (search.Response, error) {
	var resp search.Response
	for name := range strings.FieldsSeq(s.found) {
		at, weak := strings.CutPrefix(name, "!")
		file, _, _ := strings.Cut(at, "#")
		resp.Items = append(resp.Items, models.SearchResult{
			DocumentID: models.DocumentID(at), RepoID: "o/r", FilePath: &file, Weak: weak,
		})
	}
	return resp, nil
}

// kinds are symbols that are types where their name has a capital; all others are
// functions, with a body but for one.
type kinds struct{}

func (kinds) Documents(_ context.Context, ids []models.DocumentID) (all []models.Document, err error) {
	for _, id := range ids {
		_, name, _ := strings.Cut(string(id), "#")
		d := models.Document{Header: models.Header{ID: id, FilePath: name, Kind: "func", StartLine: 1, EndLine: 9}}
		if name[:1] != strings.ToLower(name[:1]) {
			d.Kind = "class"
		}
		all = append(all, d)
	}
	return all, nil
}

func (kinds) Lines(_ context.Context, _ models.RepoID, name string, _, _ int) (string, []models.Warning, error) {
	if name == "brief" {
		return "/** Parses it. */\n@Override\nTime parse(String text);\n", nil, nil
	}
	return "func parse() {\n\tscan()\n\tcheck()\n\tadd()\n}\n", nil, nil
}

// An answer begins with the first symbol, unless one behind it is in a file that is
// far ahead. What was the best of its file is close to it.
func TestLed(t *testing.T) {
	const text = "how are timestamps parsed?"
	for _, test := range []struct{ name, question, found, want string }{
		{"the first symbol", text, "b#parse a#parse", "b#parse+b#1 a#parse+a#1 c#1"},
		{"in a file that is not among them", text, "d#parse e#parse", "d#parse e#parse a#1 b#1 c#1"},
		{"what led anyway", text, "a#1 b#parse", "a#1 b#parse+b#1 c#1"},
		{"another of the first file", text, "a#parse", "a#parse+a#1 b#1 c#1"},
		{"the next in a file far ahead", text, "c#parse a#parse", "a#parse+a#1 c#parse+c#1 b#1"},
		{"one far behind in the first file", text, "b#parse d#x e#x a#x", "b#parse+b#1 a#x+a#1 d#x c#1"},
		{"two of one file", text, "b#parse b#scan", "b#parse+b#scan+b#1 a#1 c#1"},
		{"a type, and what does it", text, "a#Type b#parse", "b#parse+b#1 a#Type+a#1 c#1"},
		{"a declaration, and what does it", text, "a#brief b#parse", "b#parse+b#1 a#brief+a#1 c#1"},
		{"how it is structured", "how are timestamps structured?", "a#parse b#Type", "b#Type+b#1 a#parse+a#1 c#1"},
		{"what then happens", "what happens when a timestamp is parsed?", "a#Type b#parse", "b#parse+b#1 a#Type+a#1 c#1"},
		{"a weak one", text, "!b#parse c#parse", "c#parse+c#1 a#1 b#1"},
		{"nothing but weak ones", text, "!b#parse", "a#1 b#1 c#1"},
		{"nothing", text, "", "a#1 b#1 c#1"},
		{"a statement", "timestamps are parsed", "b#parse", "a#1 b#1 c#1"},
	} {
		asked := question.Question{Query: test.question}
		var files []place
		for _, file := range []string{"a", "b", "c"} {
			files = append(files, place{repo: "o/r", path: file, parts: []models.DocumentID{models.DocumentID(file + "#1")}})
		}
		led, err := finder{reader{docs: kinds{}, lines: kinds{}}, symbols{found: test.found}, asked, newNotes(nil)}.led(
			t.Context(), files)
		var got []string
		for _, p := range led {
			said := string(p.parts[0])
			for _, id := range p.close {
				said += "+" + string(id)
			}
			got = append(got, said)
		}
		if err != nil || strings.Join(got, " ") != test.want {
			t.Errorf("%s: %q, %v; want %q", test.name, got, err, test.want)
		}
	}
}

// A long function that is asked for is quoted, not what stands in it; of a long class it
// is the other way around.
func TestLeaderIsQuoted(t *testing.T) {
	for kind, want := range map[string]models.DocumentID{"func": "long", "method": "long", "class": "inner"} {
		docs := map[models.DocumentID]models.Document{}
		for _, h := range []models.Header{
			{ID: "long", Kind: kind, StartLine: 1, EndLine: 300}, {ID: "inner", Kind: "func", StartLine: 20, EndLine: 60},
		} {
			docs[h.ID] = models.Document{Header: h}
		}
		p := place{parts: []models.DocumentID{"long", "inner"}, leader: "long"}
		if got := parts(p, docs); got[0].ID != want {
			t.Errorf("of a %s %s is quoted, want %s", kind, got[0].ID, want)
		}
	}
}
