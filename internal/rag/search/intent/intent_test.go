package intent

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/rag/models"
)

func TestAnalyseIdentifiers(t *testing.T) {
	for _, test := range []struct {
		name, query string
		want        map[string]float64 // identifier → certainty
		paths       []string
	}{
		{name: "lone word", query: "levenshtein", want: map[string]float64{"levenshtein": 1}},
		{name: "mixed case in a sentence", query: "how does ServeMux match", want: map[string]float64{"ServeMux": 1}},
		{name: "acronym", query: "where is HTTPServer used", want: map[string]float64{"HTTPServer": 1}},
		{name: "sentence start is no identifier", query: "Parse the header", want: map[string]float64{}},
		{name: "capital inside", query: "the Transport of requests", want: map[string]float64{"Transport": 0.3}},
		{name: "acronym alone is a word", query: "parse an RFC 3339 timestamp", want: map[string]float64{"RFC": 0.3}},
		{name: "snake", query: "call get_user_by_id please", want: map[string]float64{"get_user_by_id": 1}},
		{name: "qualified", query: "what does http.Client.Do return", want: map[string]float64{"http.Client.Do": 1}},
		{name: "rust path", query: "Vec::with_capacity cost", want: map[string]float64{"Vec.with_capacity": 1}},
		{name: "call", query: "who calls run()", want: map[string]float64{"run": 1}},
		{name: "backticks", query: "meaning of `fence` here", want: map[string]float64{"fence": 1}},
		{name: "hyphenated prose", query: "round-trip a request", want: map[string]float64{}},
		{name: "path", query: "what is in net/http", want: map[string]float64{}, paths: []string{"net/http"}},
		{
			name: "file name", query: "explain server.go", want: map[string]float64{"server.go": 1},
			paths: []string{"server.go"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			q := Of(test.query)
			got := map[string]float64{}
			for _, id := range q.Identifiers {
				got[id.Name] = id.Weight
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("identifiers (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.paths, q.Paths); diff != "" {
				t.Errorf("paths (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAskedFor(t *testing.T) {
	for query, want := range map[string]string{
		"find function streamFor":              "streamFor",
		"Find class HtmlFormatter":             "HtmlFormatter",
		"where is http.Client.Do defined?":     "http.Client.Do",
		"what does `fence` do":                 "`fence`",
		"definition of run()":                  "run()",
		"class Container":                      "Container",
		"find the function parse":              "parse",
		"find class loader":                    "", // of classes
		"function call":                        "",
		"where are credentials masked":         "",
		"find function":                        "",
		"streamFor":                            "", // nothing is around it
		"who calls streamFor":                  "",
		"find function streamFor in the tests": "",
		"where is server.go":                   "",
		"match a route by its HTTP method":     "",
	} {
		if got := askedFor(wordPattern().FindAllString(query, -1)); got != want {
			t.Errorf("%s: asks for %q, want %q", query, got, want)
		}
	}
	if q := Of("where is streamFor?"); !q.Lone || q.Words != "streamFor" || q.Text != "where is streamFor?" {
		t.Errorf("where is streamFor?: %+v, want the one name streamFor", q)
	}
}

// What is around the subject of a question about how it is made is no part of it, unless
// nothing else is left.
func TestSubject(t *testing.T) {
	for query, want := range map[string]string{
		"how are log sinks structured":                        "how are log sinks",
		"How is the lifecycle organised from route to reply?": "How is the lifecycle  from route to reply?",
		"how does the typed client work internally":           "how does the typed client",
		"where is static site generation implemented":         "where is static site generation",
		"the overall architecture of the image cache":         "the image cache",
		"What is the high-level architecture of the router?":  "the router?",
		"explain the design of sorters":                       "sorters",
		"design of sorters":                                   "sorters",
		"reply parser architecture":                           "reply parser",
		"how does it work?":                                   "how does it work?",
		"how is this structured":                              "how is this structured",
		"how do workers stop":                                 "how do workers stop",
		"the structure that holds a key":                      "the structure that holds a key",
		"work around a bug":                                   "work around a bug",
	} {
		if got := Subject(query); got != want {
			t.Errorf("%s: is about %q, want %q", query, got, want)
		}
		if q := Of(query); q.Framed != (want != query) || q.Words != want {
			t.Errorf("%s: %+v, want the words %q", query, q, want)
		}
	}
	if q := Of("where is ServeMux implemented"); q.Framed || !q.Lone || q.Words != "ServeMux" {
		t.Errorf("where is ServeMux implemented: %+v, want the one name", q)
	}
}

func TestKindsOf(t *testing.T) {
	for query, want := range map[string][]string{
		"is the interface that wraps reading": {"interface", "trait", "protocol"},
		"Macro to silence warnings":           {"macro"},
		"a struct of settings":                {"struct", "class"},
		"match a route by its HTTP method":    nil, // speaks of another thing
		"read the lines of a file by type":    nil,
		"class names":                         nil, // a name, not a description
	} {
		if diff := cmp.Diff(want, Of(query).Kinds); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
}

func TestThings(t *testing.T) {
	for query, want := range map[string]bool{
		"A pool of idle connections": true, "is the state of a parser": true, "Represents one row": true,
		"returns a pool of connections": false, "a function that waits for a lock": false, "an error": false,
		"another pool of connections": false,
	} {
		if got := Of(query).Thing; got != want {
			t.Errorf("%s: says what something is: %v, want %v", query, got, want)
		}
	}
}

func TestRoute(t *testing.T) {
	const all = "*"
	for _, test := range []struct {
		query string
		want  models.Level
		repo  string
	}{
		{query: "How does the retry logic work", want: models.LevelFile},
		{query: "Find function parseHeader", want: models.LevelSymbol},
		{query: "job_counter decorator", want: models.LevelSymbol},
		{query: "ServeMux", want: models.LevelSymbol},
		{query: "src/mux.go:120", want: models.LevelSymbol},
		{query: "What principles guide error handling", want: models.LevelDoc},
		{query: "What is in the associates folder", want: models.LevelModule},
		{query: "what repos have authentication", want: models.LevelRepo, repo: all},
		{query: "which repositories use couchbase", want: models.LevelRepo, repo: all},
		{query: "give me an overview", want: models.LevelRepo},
		{query: "what does this project do", want: models.LevelRepo},
		{query: "What does the library do?", want: models.LevelRepo},
		{query: "what is this codebase about", want: models.LevelRepo},
		{query: "purpose of this repository", want: models.LevelRepo},
		{query: "what does this project do with expired tokens", want: models.LevelFile},
		{query: "how do I build and test it", want: models.LevelDoc},
		{query: "how to run the tests", want: models.LevelDoc},
		{query: "release notes for 0.37", want: models.LevelDoc},
		{query: "how to run a query in a transaction", want: models.LevelFile},
		{query: "where is the HTTP/2 frame header decoded", want: models.LevelFile},
		{query: "which repositories must an application implement", want: models.LevelFile},
		{query: "save any changes of repositories", want: models.LevelFile, repo: all},
		{query: "where is the overview page of jobs rendered", want: models.LevelFile},
		{query: "which modules handle caching", want: models.LevelModule},
		{query: "list the packages", want: models.LevelModule},
		{query: "Where is the folder for templates", want: models.LevelModule},
		{query: "restrict which modules and functions may be used", want: models.LevelSymbol},
		{query: "make a directory with permissions", want: models.LevelFile},
	} {
		t.Run(test.query, func(t *testing.T) {
			repo := "o/gin-web"
			if test.repo != "" {
				repo = test.repo
			}
			if got := Level(test.query, repo); got != test.want {
				t.Errorf("Level(%q) = %s, want %s", test.query, got, test.want)
			}
		})
	}
}

func TestDescribes(t *testing.T) {
	for text, want := range map[string]bool{
		"Returns the requests that are in the cache":     true,
		"maps each key to the values that it stands for": true,
		"create directories for the log file":            false,
		"Where are directories of log files created":     false,
		"Creates log files":                              false,
	} {
		if got := describes(text); got != want {
			t.Errorf("describes(%q) = %v", text, got)
		}
	}
}

func TestWantsTests(t *testing.T) {
	for text, want := range map[string]bool{
		"tests":                                 true,
		"tests of the router":                   true,
		"show me all tests for the http router": true,
		"router tests":                          true,
		"router test":                           true,
		"where is the router tested?":           true,
		"unit test for parse":                   true,
		"example of a custom middleware":        true,
		"how do I mock the client":              true,

		"inject faults for chaos testing":                           false,
		"helpers for testing":                                       false,
		"skip a test":                                               false,
		"how are failed tests retried":                              false,
		"pool of workers for parallel tests":                        false,
		"how does a test time out":                                  false,
		"Close the body of replies that are thrown away, add tests": false,
		"Don't lose the last line; fixes an example of the readme":  false,
		"where is the router":                                       false,
	} {
		if got := wantsTests(text); got != want {
			t.Errorf("wantsTests(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestOnlyTests(t *testing.T) {
	for text, want := range map[string]bool{
		"tests for the router": true, "where are the tests for Mux": true, "unit tests of Mux": true, "Mux tests": true,
		"spec for json middleware": true, "test retry policy": true, "cookie store test": true,

		"run tests": false, "how are tests found": false, "skip a test": false, "helpers for testing": false,
		"load test": false, "test": false, "examples of routes": false, "protest the router": false,
		"pool of workers for parallel tests": false,
	} {
		if got := Of(text).OnlyTests; got != want {
			t.Errorf("%q asks only for tests: %v, want %v", text, got, want)
		}
	}
}

// Lists of words are also looked for in full where they are written shorter.
func TestSpelt(t *testing.T) {
	for text, want := range map[string]string{
		"db conn mgr": "db conn mgr database connection manager", "auth hdr": "auth hdr header", "cfg": "cfg",
		"conn.go pool": "conn.go pool", "how is the cfg of the first pool read": "how is the cfg of the first pool read",
	} {
		if got := Of(text).Words; got != want {
			t.Errorf("words of %q are %q, want %q", text, got, want)
		}
	}
}

func TestPlaces(t *testing.T) {
	for text, want := range map[string][]Place{
		"src/a/server.go:120":          {{"src/a/server.go", 120}},
		"./server.go line 7":           {{"server.go", 7}},
		"server.go#L3 and b.ts:4":      {{"server.go", 3}, {"b.ts", 4}},
		"at f (/x/lib/b.js:78:19)":     {{"/x/lib/b.js", 78}},
		`File "/x/y/c.py", line 61`:    {{"/x/y/c.py", 61}},
		"in /src/Core/Run.cs:line 260": {{"/src/Core/Run.cs", 260}},
		"at a.b.C.f(C.kt:12)":          {{"C.kt", 12}},

		"server.go": nil, "localhost:8080": nil, "version 1.2:3": nil, "a.go:1 b.go:2 c.go:3 d.go:4": nil,
	} {
		if diff := cmp.Diff(want, Of(text).Places); diff != "" {
			t.Errorf("%q: places (-want +got):\n%s", text, diff)
		}
	}
}

func TestScriptsWithoutBlanks(t *testing.T) {
	for text, want := range map[string]string{
		"用户的密码怎么加密": "用户 密码 加密",
		"接口限流如何实现":  "接口限流",
		"在线用户":      "在线用户",
		"为什么":       "为什么", // nothing else is left
		"ユーザー辞書に単語を追加する処理":  "ユーザー辞書 単語 追加 処理",
		"HTTP 请求是在哪里解析的？":   "HTTP 请求 解析",
		"どこで":               "どこで",
		"где читается файл": "где читается файл",
	} {
		if got := Subject(text); got != want {
			t.Errorf("Subject(%q) = %q, want %q", text, got, want)
		}
		if q := Of(text); q.Lone || q.Words != want || q.Framed {
			t.Errorf("Of(%q) = %+v", text, q)
		}
	}
	if q := Of("如何写单元测试"); !q.Done || !q.WantsTests {
		t.Errorf("Of asks for %+v", q)
	}
}

func TestLiterals(t *testing.T) {
	for text, want := range map[string][]string{
		"where is --no-cache read":               {"--no-cache"},
		"POST /api/v1/files":                     nil,
		"the endpoint PUT users/{id}/name":       nil,
		"error.feed_not_found":                   {"error.feed_not_found"},
		"mark-awaiting-payment":                  {"mark-awaiting-payment"},
		"what is in net/http":                    nil, // a folder
		"explain /src/server.go":                 nil, // a file
		"a read-only view":                       nil,
		"http.Client.Do":                         nil,
		"Add an alias of --min-depth to options": nil, // that mentions it
	} {
		if diff := cmp.Diff(want, Of(text).Literals); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestEntry(t *testing.T) {
	for text, want := range map[string]string{
		"entry point of the command line":                  "the command line",
		"What are the entry points for the three programs": "the three programs",
		"main entry point that reads options":              "reads options",
		"how are entry points structured":                  "",
		"register an entry point of plugins":               "",
	} {
		q := Of(text)
		if q.Entry != (want != "") || q.Entry && q.Words != want {
			t.Errorf("%s: asks where %q begins: %v, want %q", text, q.Words, q.Entry, want)
		}
	}
}
