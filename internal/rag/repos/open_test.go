package repos_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/embed/embedtest"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/rag/structure"
	"github.com/ragnav/ragnav/internal/repo/repotest"
	"github.com/ragnav/ragnav/internal/store/embedded"
)

const apiID models.RepoID = "acme/api"

// A server is the operations over one store, as one machine has them.
type server struct {
	*testing.T

	store     *embedded.Store
	reposDir  string
	files     *filefetch.Service
	structure *structure.Service
	ask       *ask.Service
}

func newServer(t *testing.T) *server {
	t.Helper()
	st, err := embedded.Open(t.Context(), t.TempDir(), embedded.Options{Dims: 16})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	s := &server{T: t, store: st, reposDir: filepath.Join(t.TempDir(), "repos")}
	s.operations(s.reposDir)
	return s
}

// operations makes those of a machine whose clones are in a folder.
func (s *server) operations(reposDir string) {
	known := repos.New(s.store, reposDir, nil)
	s.files, s.structure = filefetch.New(known), structure.New(known, s.store)
	s.ask = ask.New(search.New(s.store, known, embedtest.New(16)), s.store, lines{s.files})
}

// lines reads lines as package app does.
type lines struct{ files *filefetch.Service }

func (l lines) Lines(ctx context.Context, id models.RepoID, file string, start, end int) (string, []models.Warning,
	error,
) {
	c, warnings, err := l.files.Lines(ctx, id, file, start, end)
	return parse.Slice(c.Code, 1, parse.Lines(c.Code)), warnings, err
}

// index runs over a target; stored tells whether contents are kept.
func (s *server) index(target string, stored bool) {
	s.Helper()
	jobs, err := index.Open(s.Context(), s.store, embedtest.New(16), index.Config{
		StoreContent: stored, ReposDir: s.reposDir, Now: func() time.Time { return time.Now().Add(time.Hour) },
	})
	if err != nil {
		s.Fatal(err)
	}
	defer func() { _ = jobs.Close() }()
	res, err := jobs.Start(s.Context(), index.StartRequest{Targets: []string{target}, RepoID: apiID})
	if err != nil {
		s.Fatal(err)
	}
	if j, err := jobs.Wait(s.Context(), res.Items[0].ID, nil); err != nil || j.State != index.JobDone {
		s.Fatalf("job %+v, %v", j, err)
	}
}

func (s *server) file(name string, start, end int) (filefetch.Response, error) {
	req := filefetch.Request{RepoID: apiID, FilePath: name, StartLine: &start}
	if end > 0 {
		req.EndLine = &end
	}
	return s.files.File(s.Context(), req)
}

func (s *server) explore(req structure.Request) (structure.Response, error) {
	req.RepoID = apiID
	return s.structure.Explore(s.Context(), req)
}

var (
	credential = "AKIA" + "QWERTYUIOPASDFGH"
	stars      = "********************"
)

// writeFiles makes a folder with files of every kind.
func writeFiles(t *testing.T, root string) {
	t.Helper()
	repotest.Write(t, root, map[string]string{
		"README.md": "# API\n\nServes things.\n", "go.mod": "module example.com/api\n", "LICENSE": "MIT\n",
		"main.go":          "package main\n\n// main starts.\nfunc main() {}\n",
		"cmd/tool/main.go": "package main\n\nfunc main() {}\n", ".github/workflows/ci.yml": "on: push\n",
		"internal/a/a.go":      "// Package a is first.\npackage a\n\nfunc A() {}",
		"internal/a/deep/b.go": "package deep\n", "internal.go": "package main\n", "internal-x/x.go": "package x\n",
		"empty.txt": "", "blank.h": "\n\n",
		"crlf.txt": "one\r\ntwo\r\n", "latin1.txt": "caf\xe9\n", "bom.txt": "\ufeffone\n",
		"utf16.txt": "\xff\xfeh\x00i\x00\n\x00",
		"logo.png":  "\x89PNG\r\n\x1a\n\x00\x00", ".env": "KEY=1\n", "key.txt": "-----BEGIN PRIVATE KEY-----\nMII\n",
		"big.sql":  strings.Repeat("select 1;\n", 200_000),
		"long.txt": strings.Repeat("a line of text\n", 30_000), "longline.txt": strings.Repeat("é", 200_000) + "\nnext\n",
		"script": "#!/bin/sh\necho\n", "matrix.m": "function x = f()\n",
	})
	for name, target := range map[string]string{
		"link.go": "main.go", "link": "internal/a", "out": "../canary",
		"dangling": "nothing", "loop": "loop",
	} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Skip("SKIPPED: no symlinks here: ", err)
		}
	}
}

// answers are the replies to many requests, by request. Errors are their codes
// and what their messages have in common.
func (s *server) answers() map[string]any {
	got := map[string]any{}
	note := func(request string, res any, meta models.Meta, err error) {
		// That stored content is not read just now is said, and is not compared.
		if meta.Warnings, meta.FreshnessState = nil, ""; err != nil {
			got[request] = fault.CodeOf(err)
			return
		}
		got[request] = []any{res, meta}
	}
	for _, name := range []string{
		"README.md", "go.mod", "main.go", "./main.go", "cmd/tool/main.go", ".github/workflows/ci.yml", "internal/a/a.go",
		"internal/a/deep/b.go", "empty.txt", "blank.h",
		"crlf.txt", "latin1.txt", "bom.txt", "utf16.txt", "logo.png", ".env", "key.txt", "long.txt", "longline.txt", "script",
		"matrix.m",
		"link.go", "link/a.go", "link/deep/b.go", "out", "dangling", "loop", "link", "internal", "", ".", "none", "main.go/x",
		"internal/none", "../canary", "/etc/passwd", ".git/config", "a\x00",
	} {
		for _, span := range [][2]int{{1, 0}, {1, 1}, {2, 99}, {2, 3}, {3, 2}, {5, 0}, {20_000, 0}} {
			res, err := s.file(name, span[0], span[1])
			note(fmt.Sprintf("file %q %d-%d", name, span[0], span[1]), res.Items, res.Meta, err)
		}
	}
	for _, dir := range []string{
		"", "internal", "internal/", "internal/a", "internal/a/deep", "link", "link/deep", "cmd",
		".github", "none", "main.go", "logo.png", "link.go", "out", "loop", "..", ".git",
	} {
		for _, pattern := range []string{"", "*.go", "**/*.go", "**", "*/a*", "**/d*/", "[a", "*.rs"} {
			res, err := s.explore(structure.Request{Path: dir, Pattern: pattern, IncludeSummaries: true})
			note(fmt.Sprintf("structure %q %q", dir, pattern), res.Items, res.Meta, err)
		}
	}
	cursor := ""
	for page := range 20 {
		res, err := s.explore(structure.Request{Pattern: "**", Limit: new(3), Cursor: cursor})
		note(fmt.Sprintf("page %d", page), res.Items, res.Meta, err)
		if cursor = res.Meta.NextCursor; cursor == "" {
			break
		}
	}
	return got
}

// A server without the folder answers as one with it.
func TestAnswersFromStoredContent(t *testing.T) {
	s := newServer(t)
	root := filepath.Join(t.TempDir(), "api")
	writeFiles(t, root)
	s.index(root, true)
	want := s.answers()
	if err := os.Rename(root, root+".away"); err != nil {
		t.Fatal(err)
	}
	got := s.answers()
	if len(want) < 300 {
		t.Fatalf("only %d answers", len(want))
	}
	for request := range want {
		if diff := cmp.Diff(want[request], got[request]); diff != "" {
			t.Errorf("%s: from the folder (-), from stored content (+):\n%s", request, diff)
		}
	}
	// What was too large to be indexed is the one thing that is only in the folder.
	_, err := s.file("big.sql", 1, 1)
	if fault.CodeOf(err) != fault.PathNotFound || !strings.Contains(fault.MessageOf(err), "too_large") {
		t.Errorf("a file that was too large: %v", err)
	}
}

func TestStoredContentSaysSo(t *testing.T) {
	s := newServer(t)
	root := filepath.Join(t.TempDir(), "api")
	writeFiles(t, root)
	secret := "package a\n\n// Key deploys.\nconst Key = \"" + credential + "\"\n\n// Deploy deploys.\nfunc Deploy() {}\n"
	if err := os.WriteFile(filepath.Join(root, "deploy.go"), []byte(secret), 0o600); err != nil {
		t.Fatal(err)
	}
	s.index(root, true)
	for _, name := range []string{"main.go", "deploy.go"} {
		if res, err := s.file(name, 1, 0); err != nil || res.Meta.Warnings != nil {
			t.Errorf("%s from the folder: warnings %v, %v", name, res.Meta.Warnings, err)
		}
	}
	if err := os.Rename(root, root+".away"); err != nil {
		t.Fatal(err)
	}
	plain, err := s.file("main.go", 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	wantStored(t, plain.Meta, "")
	masked, err := s.file("deploy.go", 1, 0)
	if err != nil || masked.Items[0].Code != strings.Replace(secret, credential, stars, 1) {
		t.Fatalf("got %+v, %v", masked.Items, err)
	}
	wantStored(t, masked.Meta, "; 1 credential is masked")
	folder, err := s.explore(structure.Request{})
	if err != nil {
		t.Fatal(err)
	}
	wantStored(t, folder.Meta, "")
	if _, _, err := s.files.Lines(t.Context(), apiID, "deploy.go", 3, 4); fault.CodeOf(err) != fault.Forbidden ||
		!strings.Contains(fault.MessageOf(err), "line 4") {
		t.Errorf("lines with a credential: %v", err)
	}
	if c, warnings, err := s.files.Lines(t.Context(), apiID, "deploy.go", 6, 7); err != nil ||
		c.Code != "// Deploy deploys.\nfunc Deploy() {}\n" || len(warnings) != 1 {
		t.Errorf("lines beside a credential: %q, %v, %v", c.Code, warnings, err)
	}
}

func wantStored(t *testing.T, meta models.Meta, ends string) {
	t.Helper()
	if len(meta.Warnings) != 1 || meta.FreshnessState != models.Unknown {
		t.Fatalf("meta %+v, want one warning", meta)
	}
	w := meta.Warnings[0]
	if w.Code != "STORED_CONTENT" || !strings.HasPrefix(w.Message, "acme/api is read from the index of ") ||
		!strings.HasSuffix(w.Message, "not from a working tree"+ends) {
		t.Errorf("warning %+v", w)
	}
}

// Citations are verified where the very lines are stored, and never otherwise.
func TestCitationsFromStoredContent(t *testing.T) {
	s := newServer(t)
	root := t.TempDir()
	clean := "// Retry tries the walrus again.\nfunc Retry() {}"
	secret := "// walrusKey opens the walrus.\nconst walrusKey = \"" + credential + "\""
	for name, text := range map[string]string{"a.go": clean, "key.go": secret} {
		if err := os.WriteFile(filepath.Join(root, name), []byte("package a\n\n"+text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.index(root, true)
	question := ask.Request{Query: "walrus"}
	before, err := s.ask.Ask(t.Context(), question)
	if err != nil || len(before.Items[0].Citations) != 2 || before.Meta.Warnings != nil {
		t.Fatalf("from the folder: %+v, %v", before, err)
	}
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	res, err := s.ask.Ask(t.Context(), question)
	if err != nil {
		t.Fatal(err)
	}
	want := []models.Citation{{N: 1, RepoID: apiID, FilePath: "a.go", StartLine: 3, EndLine: 4, Verified: true}}
	a := res.Items[0]
	if diff := cmp.Diff(want, a.Citations); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(a.Answer, clean) || strings.Contains(a.Answer, "walrusKey") || len(a.Gaps) != 1 ||
		!strings.Contains(a.Gaps[0], "masked in stored content") {
		t.Errorf("answer %s, gaps %q", a.Answer, a.Gaps)
	}
	wantStored(t, res.Meta, "")
}

// A folder that is there is believed: what is missing in it is deleted.
func TestStoredContentIsNoGhost(t *testing.T) {
	s := newServer(t)
	root := t.TempDir()
	writeFiles(t, root)
	s.index(root, true)
	if err := os.Remove(filepath.Join(root, "main.go")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.file("main.go", 1, 0); fault.CodeOf(err) != fault.PathNotFound {
		t.Errorf("a deleted file: %v", err)
	}
	res, err := s.explore(structure.Request{Pattern: "main.go"})
	if err != nil || *res.Meta.Total != 0 || res.Meta.Warnings != nil {
		t.Errorf("a deleted file is listed: %+v, %v", res, err)
	}
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(root, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.file("main.go", 1, 0); fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("a file in the folder's place: %v", err)
	}
}

func TestNeitherFolderNorStoredContent(t *testing.T) {
	s := newServer(t)
	root := filepath.Join(t.TempDir(), "api")
	writeFiles(t, root)
	for _, stored := range []bool{false, true, false} {
		s.index(root, stored)
		if err := os.Rename(root, root+".away"); err != nil {
			t.Fatal(err)
		}
		_, err := s.file("main.go", 1, 0)
		_, err2 := s.explore(structure.Request{})
		if (err == nil) != stored || (err2 == nil) != stored {
			t.Errorf("stored %v: %v, %v", stored, err, err2)
		}
		for _, err := range []error{err, err2} {
			says := fault.MessageOf(err)
			if err != nil && (fault.CodeOf(err) != fault.PathNotFound || !strings.Contains(says, "ragnav remove") ||
				!strings.Contains(says, "--content stored") || !strings.Contains(says, "--repos-dir")) {
				t.Errorf("stored %v: %v", stored, err)
			}
		}
		if err := os.Rename(root+".away", root); err != nil {
			t.Fatal(err)
		}
	}
}

// Servers may have the shared folder of clones in different places.
func TestSharedClones(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: git is not installed")
	}
	s := newServer(t)
	work, bare := filepath.Join(t.TempDir(), "work"), filepath.Join(t.TempDir(), "api.git")
	writeFiles(t, work)
	repotest.Run(t, work, "init", "-q", "-b", "main")
	repotest.Run(t, work, "add", "-A")
	repotest.Run(t, work, "commit", "-qm", "one")
	repotest.Run(t, work, "clone", "-q", "--bare", ".", bare)
	s.index(bare, true)
	want := s.listing()
	mounted := filepath.Join(t.TempDir(), "elsewhere")
	if err := os.Rename(s.reposDir, mounted); err != nil {
		t.Fatal(err)
	}
	res, err := s.file("main.go", 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	wantStored(t, res.Meta, "")
	if head := repotest.Run(t, work, "rev-parse", "HEAD"); !strings.Contains(res.Meta.Warnings[0].Message,
		"the index of commit "+head+",") {
		t.Errorf("warning %+v, want commit %s", res.Meta.Warnings, head)
	}
	s.operations(mounted)
	if res, err = s.file("main.go", 1, 0); err != nil || res.Meta.Warnings != nil {
		t.Errorf("from the shared clone: %+v, %v", res.Meta, err)
	}
	if _, err = s.file("big.sql", 1, 1); err != nil {
		t.Errorf("a file that is only in the clone: %v", err)
	}
	if diff := cmp.Diff(want, s.listing()); diff != "" {
		t.Errorf("where it was cloned (-), where it is mounted (+):\n%s", diff)
	}
	// A clone of something else under that name is not taken for it.
	repotest.Run(t, filepath.Join(mounted, "api"), "remote", "set-url", "origin", "https://example.com/other/api.git")
	if res, err = s.file("main.go", 1, 0); err != nil {
		t.Fatal(err)
	}
	wantStored(t, res.Meta, "")
}

// listing is the reply about all files.
func (s *server) listing() structure.Response {
	s.Helper()
	res, err := s.explore(structure.Request{Pattern: "**"})
	if err != nil {
		s.Fatal(err)
	}
	return res
}

func TestOpenStopsWithItsContext(t *testing.T) {
	s := newServer(t)
	root := t.TempDir()
	writeFiles(t, root)
	s.index(root, true)
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.files.File(ctx, filefetch.Request{RepoID: apiID, FilePath: "main.go"}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

// What a symlink leads to that came in the place of a registered folder, or of one
// above it, was not registered.
func TestRootBecomesASymlink(t *testing.T) {
	for name, above := range map[string]bool{"itself": false, "a folder above": true} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t)
			top, outside := t.TempDir(), t.TempDir()
			root := filepath.Join(top, "src", "api")
			writeFiles(t, root)
			writeFiles(t, filepath.Join(outside, "api"))
			s.index(root, false)
			if _, err := s.file("main.go", 1, 1); err != nil {
				t.Fatal(err)
			}
			replaced, by := root, filepath.Join(outside, "api")
			if above {
				replaced, by = filepath.Join(top, "src"), outside
			}
			if err := os.Rename(replaced, filepath.Join(top, "moved")); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(by, replaced); err != nil {
				t.Skip(err) // Windows, without the right to make one
			}
			_, err := s.file("main.go", 1, 1)
			if fault.CodeOf(err) != fault.PathNotFound || !strings.Contains(fault.MessageOf(err), "through a symlink") {
				t.Errorf("file: %v", err)
			}
			if _, err := s.explore(structure.Request{}); fault.CodeOf(err) != fault.PathNotFound {
				t.Errorf("structure: %v", err)
			}
		})
	}
}
