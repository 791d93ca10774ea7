package filefetch_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/outline"
	"github.com/ragnav/ragnav/internal/repo"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

const pixel = "\x89PNG\r\n\x1a\nthen"

// committed is a repository below the top of a work tree, with one commit and
// edits behind it.
func committed(t *testing.T) (f folder, commit string) {
	t.Helper()
	repotest.NeedGit(t)
	f = setUp(t, map[string]string{
		"in/a.go": "package a\n\nfunc A() {}\n\nfunc B() {\n}\n", "in/same.go": "package a\n", "in/gone.go": "package a\n",
		"in/dir/x:y.go": "package x\n", "in/.env": "KEY=1\n", "in/p.png": pixel, "beside.go": "package beside\n",
		"in/caf\u00e9 [1]*.txt": "one\n", "in/big.txt": strings.Repeat("0123456789abcde\n", 64<<16+1),
	})
	in := folder(filepath.Join(string(f), "in"))
	in.link(t, "a.go", "link.go")
	in.link(t, "dir", "to")
	in.link(t, "../../../canary", "far")
	in.link(t, "../beside.go", "near")
	in.link(t, "/etc/passwd", "absolute")
	in.link(t, ".env", "innocent.txt")
	in.link(t, "loop", "loop")
	in.link(t, "dir/../a.go", "back")
	repotest.Run(t, string(f), "init", "-q")
	repotest.Run(t, string(f), "add", "-A")
	repotest.Run(t, string(f), "commit", "-qm", "one")
	commit = repotest.Run(t, string(f), "rev-parse", "HEAD")
	repotest.Write(t, string(in), map[string]string{
		"a.go": "package a\n\n// New.\nfunc A() {}\n", "late.go": "package a\n",
	})
	if err := os.Remove(filepath.Join(string(in), "gone.go")); err != nil {
		t.Fatal(err)
	}
	return in, commit
}

func TestFileOfCommit(t *testing.T) {
	f, commit := committed(t)
	tests := []struct {
		name      string
		req       filefetch.Request
		want      string
		freshness models.Freshness
		says      string
	}{
		{
			"a changed file",
			filefetch.Request{FilePath: "a.go", StartLine: new(3), EndLine: new(3)},
			"func A() {}\n", "STALE",
			`"a.go" has changed since`,
		},
		{
			"by the first digits",
			filefetch.Request{FilePath: "a.go", Commit: strings.ToUpper(commit[:7]), EndLine: new(1)},
			"package a\n", "STALE", commit[:12],
		},
		{"one that did not change", filefetch.Request{FilePath: "same.go"}, "package a\n", "FRESH", "the same as now"},
		{"a removed file", filefetch.Request{FilePath: "gone.go"}, "package a\n", "STALE", "changed since"},
		{"a symbol", filefetch.Request{FilePath: "a.go#B"}, "func B() {\n}\n", "STALE", ""},
		{
			"a symbol with lines around",
			filefetch.Request{FilePath: "a.go", Symbol: "B", Context: 1},
			"\nfunc B() {\n}\n",
			"STALE", "",
		},
		{"a document", filefetch.Request{DocumentID: "symbol:acme/api:dir/x:y.go:x"}, "", "", "SYMBOL_NOT_FOUND"},
		{
			"spans",
			filefetch.Request{Spans: []filefetch.Span{{FilePath: "same.go"}, {FilePath: "a.go", Symbol: "A"}}},
			"package a\n|func A() {}\n", "STALE", "",
		},
		{"a symlink", filefetch.Request{FilePath: "link.go", EndLine: new(1)}, "package a\n", "STALE", ""},
		{"through a symlink", filefetch.Request{FilePath: "to/x:y.go"}, "package x\n", "FRESH", ""},
		{"a name with marks of patterns", filefetch.Request{FilePath: "caf\u00e9 [1]*.txt"}, "one\n", "FRESH", ""},
		{"a picture", filefetch.Request{FilePath: "p.png", Picture: true}, pixel, "UNKNOWN", ""},

		{"no file then", filefetch.Request{FilePath: "late.go"}, "", "", "PATH_NOT_FOUND: there is no"},
		{"a folder", filefetch.Request{FilePath: "dir"}, "", "", "INVALID_PATH"},
		{"the root", filefetch.Request{FilePath: "."}, "", "", "INVALID_PATH"},
		{"above the root", filefetch.Request{FilePath: "../beside.go"}, "", "", `INVALID_PATH: the path "../beside.go" has a ".."`},
		{"a symlink that leaves", filefetch.Request{FilePath: "far"}, "", "", "INVALID_PATH"},
		{"a symlink to above the root", filefetch.Request{FilePath: "near"}, "", "", "INVALID_PATH"},
		{"an absolute symlink", filefetch.Request{FilePath: "absolute"}, "", "", "INVALID_PATH"},
		{"a loop", filefetch.Request{FilePath: "loop"}, "", "", "INVALID_PATH"},
		{"a symlink that goes back", filefetch.Request{FilePath: "back"}, "", "", "INVALID_PATH"},
		{"git's folder", filefetch.Request{FilePath: ".git/config"}, "", "", "INVALID_PATH"},
		{"a secret store", filefetch.Request{FilePath: ".env"}, "", "", "FORBIDDEN"},
		{"a symlink to one", filefetch.Request{FilePath: "innocent.txt"}, "", "", "FORBIDDEN"},
		{"a large file", filefetch.Request{FilePath: "big.txt"}, "", "", "INVALID_REQUEST: \"big.txt\" has more than 64 MiB"},
		{"past the end", filefetch.Request{FilePath: "same.go", StartLine: new(9)}, "", "", "LINE_OUT_OF_RANGE"},
		{
			"no such commit",
			filefetch.Request{FilePath: "a.go", Commit: strings.Repeat("0", 40)},
			"", "",
			"INVALID_REQUEST: no commit",
		},
		{"a branch", filefetch.Request{FilePath: "a.go", Commit: "abcdef01"}, "", "", "INVALID_REQUEST: no commit"},
		{"no digits", filefetch.Request{FilePath: "a.go", Commit: "HEAD~1\nx"}, "", "", "INVALID_REQUEST: commit"},
		{"a symbol without its file", filefetch.Request{Symbol: "A"}, "", "", "needs its file_path"},
	}
	repotest.Run(t, string(f), "branch", "abcdef01")
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.req.RepoID = repoID
			if test.req.Commit == "" {
				test.req.Commit = commit
			}
			res, err := filefetch.New(f).File(t.Context(), test.req)
			if test.freshness == "" {
				if got := string(fault.CodeOf(err)) + ": " + fault.MessageOf(err); !strings.Contains(got, test.says) {
					t.Errorf("the error is %q, want %q", got, test.says)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var code []string
			for _, item := range res.Items {
				if item.Commit != commit {
					t.Errorf("lines of commit %q", item.Commit)
				}
				if item.Picture != nil {
					item.Code = string(item.Picture.Data)
				}
				code = append(code, item.Code)
			}
			said := models.Or(res.Meta.Message, "")
			if diff := cmp.Diff(test.want, strings.Join(code, "|")); diff != "" ||
				res.Meta.FreshnessState != test.freshness || !strings.Contains(said, test.says) {
				t.Errorf("%s, %q\n%s", res.Meta.FreshnessState, said, diff)
			}
		})
	}
}

// The outline of a file is that of the commit, and says how it stands to now.
func TestOutlineOfCommit(t *testing.T) {
	f, commit := committed(t)
	for _, test := range []struct {
		file, commit, want string
		freshness          models.Freshness
		says               string
	}{
		{"a.go", commit[:7], "A 3, B 5", models.Stale, `outline of commit ` + commit[:12] + `; "a.go" has changed since`},
		{"a.go", "", "A 3", models.Fresh, ""},
		{"dir/x:y.go", commit, "", models.Fresh, "the file is the same as now; no declarations"},
		{"gone.go", commit, "", models.Stale, `"gone.go" has changed since`},
	} {
		req := outline.Request{RepoID: repoID, FilePath: test.file, Commit: test.commit}
		resp, err := outline.New(filefetch.New(f)).Outline(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, item := range resp.Items {
			got = append(got, fmt.Sprint(item.Symbol, " ", item.Line))
		}
		said := models.Or(resp.Meta.Message, "")
		full := ""
		if test.commit != "" {
			full = commit
		}
		if strings.Join(got, ", ") != test.want || resp.Meta.FreshnessState != test.freshness || resp.Commit != full ||
			!strings.Contains(said, test.says) {
			t.Errorf("%s at %q: %q of %q, %s, %q", test.file, test.commit, got, resp.Commit, resp.Meta.FreshnessState, said)
		}
	}
	_, err := outline.New(filefetch.New(f)).Outline(t.Context(),
		outline.Request{RepoID: repoID, FilePath: "late.go", Commit: commit})
	if fault.CodeOf(err) != fault.PathNotFound {
		t.Errorf("a file that was not there then: %v", err)
	}
}

// What a reply that is cut says goes on in the same commit.
func TestCutOfCommit(t *testing.T) {
	f, commit := committed(t)
	req := filefetch.Request{
		RepoID: repoID, Commit: commit, MaxTokens: new(200),
		Spans: []filefetch.Span{{FilePath: "a.go"}, {FilePath: "same.go"}, {FilePath: "gone.go"}},
	}
	var got []string
	for range 9 {
		res, err := filefetch.New(f).File(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range res.Items {
			got = append(got, item.FilePath+" "+item.Commit[:7])
		}
		if res.Meta.Next == nil {
			break
		}
		req = res.Meta.Next.Request.(filefetch.Request)
	}
	at := " " + commit[:7]
	if diff := cmp.Diff([]string{"a.go" + at, "same.go" + at, "gone.go" + at}, got); diff != "" {
		t.Error(diff)
	}
}

// stored is a repository whose folder is on another machine.
type stored struct{ folder }

func (stored) Open(_ context.Context, known models.Repository) (repo.Files, error) {
	return repo.OpenStored(nil, known), nil
}

func TestCommitWithoutGit(t *testing.T) {
	f := setUp(t, map[string]string{"a.go": "package a\n"})
	req := filefetch.Request{RepoID: repoID, FilePath: "a.go", Commit: "0123456"}
	for want, repos := range map[string]filefetch.Repositories{
		"no git work tree": f, "not on this machine": stored{f},
	} {
		_, err := filefetch.New(repos).File(t.Context(), req)
		if fault.CodeOf(err) != fault.InvalidRequest || !strings.Contains(fault.MessageOf(err), want) ||
			!strings.Contains(fault.MessageOf(err), "leave commit out") {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// A file that git keeps out of the folder is in the commit, and said to be.
func TestFileOutsideOfSparseCheckout(t *testing.T) {
	repotest.NeedGit(t)
	f := folder(repotest.Tree(t, map[string]string{"a/a.go": "package a\n", "b/b.go": "package b\n"}))
	ask := func(file, commit string) string {
		t.Helper()
		resp, err := filefetch.New(f).File(t.Context(), filefetch.Request{RepoID: "acme/api", FilePath: file, Commit: commit})
		if err != nil {
			return fault.MessageOf(err)
		}
		return resp.Items[0].Code
	}
	const outside, none = `"b/b.go" is outside of the sparse checkout: commit `, `there is no "b/none.go"`
	if got := ask("b/none.go", ""); !strings.Contains(got, none) {
		t.Errorf("%q, want %q", got, none)
	}
	repotest.Run(t, string(f), "sparse-checkout", "set", "a")
	for _, test := range [][3]string{
		{"b/b.go", "", outside},
		{"b/b.go", repotest.Run(t, string(f), "rev-parse", "HEAD"), "package b"},
		{"b/none.go", "", none},
		{"a/a.go", "", "package a"},
	} {
		if got := ask(test[0], test[1]); !strings.Contains(got, test[2]) {
			t.Errorf("%s of %q: %q, want %q", test[0], test[1], got, test[2])
		}
	}
}
