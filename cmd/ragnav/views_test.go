package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/views"
	"github.com/ragnav/ragnav/internal/golden"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/rag/structure"
)

// used is a use of the definition a, by a function, as "calls f".
func used(file string, line, column int, text, how string) models.NavItem {
	edge, symbol, _ := strings.Cut(how, " ")
	return models.NavItem{
		FilePath: file, Line: line, Column: column, Edge: edge, Symbol: symbol, Definition: "a",
		Test:    strings.Contains(file, "_test"),
		Snippet: models.Snippet{Text: text, Location: models.SnippetLocation{Path: file, StartLine: line, EndLine: line}},
	}
}

// Each readable form, piped and on a terminal with colour.
func TestViews(t *testing.T) {
	start := time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, test := range []struct {
		name string
		view func(*term.Screen)
	}{
		{"search", func(s *term.Screen) {
			views.Search(s, search.Response{Result: models.OKResult([]models.SearchResult{
				{
					DocType: models.TypeSymbol, RepoID: "o/n", FilePath: new("a/b.go"), SymbolName: new("Mux.Serve"), Score: 1.25,
					StartLine: new(10), EndLine: new(20), Content: "func Serve()\n\nServe serves.\n\tIt is \x1b[31mred.\nfour\nfive",
				},
				{
					DocType: models.TypeFile, RepoID: "o/n", FilePath: new("main.go"), Score: 0.5, StartLine: new(1), EndLine: new(1),
					Content: "Main starts.", Explain: map[string]float64{"text": 0.25, "vector": 0.25}, Freshness: models.Stale,
				},
				{DocType: models.TypeRepo, RepoID: "o/n", Score: 0.1, Content: "A repository."},
			})})
		}},
		{"file", func(s *term.Screen) {
			viewFile(s, filefetch.Response{Result: models.OKResult([]models.FileContent{
				{RepoID: "o/n", FilePath: "a.go", Code: "one\n\x1b[2Jtwo\r\nthree", StartLine: 9, EndLine: 11, TotalLines: 11},
			})})
		}},
		{"structure", func(s *term.Screen) {
			views.Structure(s, structure.Response{Result: models.OKResult([]models.StructureInfo{{
				RepoID: "o/n", Path: "src", Directories: []string{"src/net/"},
				Files: []models.FileInfo{
					{Path: "src/a.go", Language: "Go", LineCount: 1234, HasSummary: true},
					{Path: "src/x.bin"},
				},
				KeyFiles: map[string]string{"readme": "README.md", "license": "LICENSE"}, Summary: new("The sources.\nTwo lines."),
			}})})
		}},
		{"repos", func(s *term.Screen) {
			views.Repos(s, repos.Response{Result: models.OKResult([]models.RepoInfo{
				{
					RepoID: "golang/go", DocCount: 123456, FileCount: 9000, Languages: []string{"Go", "Assembly", "C", "HTML"},
					LastIndexedAt: new("2025-01-02T03:04:05Z"), LastIndexedCommit: new("0123456789abcdef"),
				},
				{RepoID: "x"},
			})})
		}},
		{"coverage", func(s *term.Screen) {
			views.Coverage(s, index.CoverageResponse{
				Result: models.OKResult([]index.CoverageItem{
					{
						FilePath: "a.go", Indexed: true, Language: "Go", Method: "go/parser", Documents: 1, Masked: 2,
						Detail: "2 credentials masked",
					},
					{FilePath: "b.bin", Reason: models.SkipBinary, Detail: "application/zip"},
				}),
				Indexed: 1200, Skipped: map[models.SkipReason]int{
					models.SkipIgnored: 1, models.SkipBinary: 2,
					models.SkipSecret: 1,
				},
				MaskCount: models.MaskCount{Masked: 3, MaskedFiles: 2},
			})
		}},
		{"preview", func(s *term.Screen) {
			views.Preview(s, index.PreviewResponse{
				Result: models.OKResult([]index.PreviewItem{
					{CoverageItem: index.CoverageItem{
						FilePath: "a.go", Indexed: true, Language: "Go", Method: "go/parser",
						Documents: 2,
					}, Changed: true, Tokens: 1234},
					{CoverageItem: index.CoverageItem{
						FilePath: "b.go", Indexed: true, Language: "Go", Method: "go/parser",
						Documents: 1,
					}},
					{CoverageItem: index.CoverageItem{
						FilePath: "build/", Reason: models.SkipIgnored,
						Detail: `rule "build/" in .gitignore line 3`,
					}},
				}),
				Repositories: []index.Previewed{{
					RepoID: "o/n", Target: "/src/n", Indexed: 2, Skipped: map[models.SkipReason]int{models.SkipIgnored: 1}, Changed: 1,
					Bytes: 9876, Documents: 3, Tokens: 1234, Renewed: true, MaskCount: models.MaskCount{Masked: 1, MaskedFiles: 1},
					Summaries: &index.Telling{Requests: 3, PromptTokens: 1200, ReplyTokens: 90, Price: 0.0004},
				}},
			})
		}},
		{"answer", func(s *term.Screen) {
			views.Answer(s, ask.Response{Result: models.OKResult([]models.Answer{{
				Answer: "It is here [1].\n", Gaps: []string{"nothing about tests"},
				Citations: []models.Citation{
					{N: 1, RepoID: "o/n", FilePath: "a.go", StartLine: 3, EndLine: 5, Verified: true},
					{N: 2, RepoID: "o/n", FilePath: "b.go", StartLine: 1, EndLine: 1},
				},
			}})})
		}},
		{"quotes", func(s *term.Screen) {
			views.Answer(s, ask.Response{Result: models.OKResult([]models.Answer{{
				Answer: "# Found\n\n`Do` in o/n `a.go` fits **best of all** [1]. " + strings.Repeat("Then more. ", 9) +
					"\n\n- one\n- two " + strings.Repeat("words ", 20) +
					"\n\n[1] o/n `a.go:3-5` `Do`\n```go\nfunc Do() {\n\treturn \"x\"\n\n```\n\n",
				Citations: []models.Citation{{N: 1, RepoID: "o/n", FilePath: "a.go", StartLine: 3, EndLine: 5, Verified: true}},
			}})})
		}},
		{"uses", func(s *term.Screen) {
			views.WhereUsed(s, nav.WhereUsedResponse{
				Definitions: []models.Definition{
					{ID: "a", FilePath: "a.go", Line: 3, Name: "Do", Qualified: "T.Do", Kind: "method", Uses: new(4), Tests: 1},
				},
				Result: models.OKResult([]models.NavItem{
					used("b.go", 7, 4, "\tt.Do(t.Do)", "calls f"), used("b.go", 7, 9, "\tt.Do(t.Do)", "calls f"),
					used("b.go", 9, 3, "\tt.Do", "reads f"), used("b_test.go", 1, 1, "Do()", "calls TestDo"),
				}),
			})
		}},
		{"lineage", func(s *term.Screen) {
			reached := func(name string, depth int, path ...string) models.NavItem {
				item := used(name+strings.Repeat("_test", depth/3)+".go", depth, 1, "", "calls "+name)
				item.Depth, item.Path = depth, append([]string{"a"}, path...)
				return item
			}
			views.Lineage(s, nav.LineageResponse{
				Definitions: []models.Definition{{ID: "a", FilePath: "a.go", Line: 3, Qualified: "T.Do", Kind: "method"}},
				Result: models.OKResult([]models.NavItem{
					reached("b", 1, "b"), reached("c", 1, "c"), reached("d", 2, "b", "d"), reached("e", 2, "c", "e"),
					reached(strings.Repeat("f", 90), 3, "b", "d", "f"),
				}),
			})
		}},
		{"jobs", func(s *term.Screen) {
			views.Jobs(s, index.JobsResponse{Result: models.OKResult([]index.Job{
				{
					ID: "b", RepoID: "o/n", State: index.JobDone, Done: 5, Total: 5, StartedAt: &start,
					FinishedAt: new(start.Add(1500 * time.Millisecond)),
				},
				{ID: "a", Target: "https://host/x", State: index.JobFailed, Error: new("no such host")},
			})})
		}},
		{"checks", func(s *term.Screen) {
			viewChecks(s, models.OKResult([]models.Check{
				{Name: "git", OK: true, Message: "git version 2"},
				{Name: "query", OK: true, Degraded: true, Message: "it is away"},
				{Name: "store", Message: "it is gone; index again"},
			}))
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			test.view(&term.Screen{Out: &out, Err: &out, Width: 80})
			out.WriteString("--- on a terminal\n")
			test.view(&term.Screen{Out: &out, Err: &out, Width: 24, Terminal: true, Colour: true})
			compare(t, out.String())
		})
	}
}

// compare compares got with testdata/NAME.golden; -update rewrites the file.
func compare(t *testing.T, got string) {
	t.Helper()
	golden.File(t, filepath.Join("testdata", filepath.FromSlash(t.Name())+".golden"), got)
}

// A reply that can't be written is a failure, not a success of no output.
func TestOutputCannotBeWritten(t *testing.T) {
	var stderr strings.Builder
	if code := run(t.Context(), []string{"version"}, func(string) string { return "" }, failingWriter{},
		&stderr); code == 0 {
		t.Errorf("exit 0, want a failure; stderr %q", stderr.String())
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestConfigurationProblemsAreOneLineOfJSON(t *testing.T) {
	env := map[string]string{"RAGNAV_STORE": "foo:", "RAGNAV_WORKERS": "-3"}
	var stdout, stderr strings.Builder
	code := run(t.Context(), []string{"search", "x", "--json"}, func(k string) string { return env[k] }, &stdout, &stderr)
	var reply struct {
		Meta models.Meta `json:"meta"`
	}
	if err := json.Unmarshal([]byte(stdout.String()), &reply); err != nil {
		t.Fatal(err)
	}
	msg := *reply.Meta.Message
	if code != 2 || strings.Contains(msg, "\n") || !strings.Contains(msg, "RAGNAV_STORE") ||
		!strings.Contains(msg, "RAGNAV_WORKERS") {
		t.Errorf("exit %d, message %q; want 2 and both problems on one line", code, msg)
	}
}

// Messages name flags, not the fields of a request; JSON is as the server gives it.
func TestMessagesNameFlags(t *testing.T) {
	sh, root := newShell(t), writeRepo(t, "one", map[string]string{"a.py": "def seen(): pass\ndef _hidden(): pass\n"})
	sh.run("index", "--quiet", "--no-graph", root)
	if _, errs, _ := sh.try("outline", "one", "a.py"); !strings.Contains(errs,
		"1 symbol not exported (--private shows them)") {
		t.Error(errs)
	}
	if out := sh.run("outline", "one", "a.py"); !strings.HasPrefix(out, "1    def seen()") {
		t.Errorf("one line has one number: %q", out)
	}
	if out := sh.run("outline", "one", "a.py", "--json"); !strings.Contains(out, "private: true shows them") {
		t.Error(out)
	}
	if _, errs, _ := sh.try("search", "x", "--path-filter", "../x"); !strings.Contains(errs,
		`--path-filter "../x" leaves the repository`) {
		t.Error(errs)
	}
}
