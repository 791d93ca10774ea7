package ask

import (
	"context"
	"strings"
	"testing"

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
	const question = "how are timestamps parsed?"
	for _, test := range []struct{ name, question, found, want string }{
		{"the first symbol", question, "b#parse a#parse", "b#parse+b#1 a#parse+a#1 c#1"},
		{"in a file that is not among them", question, "d#parse e#parse", "d#parse e#parse a#1 b#1 c#1"},
		{"what led anyway", question, "a#1 b#parse", "a#1 b#parse+b#1 c#1"},
		{"another of the first file", question, "a#parse", "a#parse+a#1 b#1 c#1"},
		{"the next in a file far ahead", question, "c#parse a#parse", "a#parse+a#1 c#parse+c#1 b#1"},
		{"one far behind in the first file", question, "b#parse d#x e#x a#x", "b#parse+b#1 a#x+a#1 d#x c#1"},
		{"two of one file", question, "b#parse b#scan", "b#parse+b#scan+b#1 a#1 c#1"},
		{"a type, and what does it", question, "a#Type b#parse", "b#parse+b#1 a#Type+a#1 c#1"},
		{"a declaration, and what does it", question, "a#brief b#parse", "b#parse+b#1 a#brief+a#1 c#1"},
		{"how it is structured", "how are timestamps structured?", "a#parse b#Type", "b#Type+b#1 a#parse+a#1 c#1"},
		{"what then happens", "what happens when a timestamp is parsed?", "a#Type b#parse", "b#parse+b#1 a#Type+a#1 c#1"},
		{"a weak one", question, "!b#parse c#parse", "c#parse+c#1 a#1 b#1"},
		{"nothing but weak ones", question, "!b#parse", "a#1 b#1 c#1"},
		{"nothing", question, "", "a#1 b#1 c#1"},
		{"a statement", "timestamps are parsed", "b#parse", "a#1 b#1 c#1"},
	} {
		asked := inquiry{req: Request{Query: test.question}}
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

// What asks where, when or why something is done is told how; what names a thing is not.
func TestAsHow(t *testing.T) {
	for question, want := range map[string]string{
		"where is the header parsed":              "how is the header parsed",
		"when does a breaker open?":               "how does a breaker open?",
		"why are idle connections closed":         "how are idle connections closed",
		"what happens when a handler panics":      "how does a handler panics",
		"what happens to results if one is wrong": "how does results if one is wrong",
		"how is the header parsed":                "how is the header parsed",
		"where is the class Mux defined":          "where is the class Mux defined",
		"where is ServeMux":                       "where is ServeMux",
		"which function parses the header":        "which function parses the header",
		"what is a header":                        "what is a header",
		"the header is parsed":                    "the header is parsed",
		"How do I parse a header?":                "parse a header?",
		"how can users parse a header":            "parse a header",
		"how do headers end":                      "how do headers end",
		"Is Mux safe for concurrent use?":         "Is Mux safe for concurrent use? mutex lock",
		"is it thread-safe":                       "is it thread-safe mutex lock",
		"where is the map locked":                 "how is the map locked mutex lock",
		"is it safe to delete a key":              "is it safe to delete a key",
	} {
		if got := asHow(question); got != want {
			t.Errorf("asHow(%q) = %q, want %q", question, got, want)
		}
	}
}

// What changed is asked of the changelog, and what the parts of something are as how it
// is structured; of a project as a whole it is asked as it is.
func TestAskedInOtherWords(t *testing.T) {
	for query, want := range map[string]string{
		"what changed recently":                   "changelog, release notes",
		"What's new in the last release?":         "changelog, release notes",
		"what has changed since the last version": "changelog, release notes",
		"what changed in the parser":              "what changed in the parser",
		"what is new in the router":               "what is new in the router",
		"what are the main parts of the server?":  "how is the server structured",
		"what are the components of a breaker":    "how is a breaker structured",
		"what are the main parts of this project": "what are the main parts of this project",
		"what are parts of speech":                "how is speech structured",
		"what parts does a URL have":              "what parts does a URL have",
	} {
		if got := (inquiry{req: Request{Query: query}}).question(); got != want {
			t.Errorf("%q is asked as %q, want %q", query, got, want)
		}
	}
}
