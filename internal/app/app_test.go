package app_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/repo/repotest"
	"github.com/ragnav/ragnav/internal/store/embedded"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
)

func open(t *testing.T, dir string) *app.App {
	t.Helper()
	a, err := app.Open(t.Context(), settings(t, dir), app.Tool)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

func settings(t *testing.T, dir string) config.Config {
	t.Helper()
	c, err := config.Resolve(map[string]string{"store": "embedded:" + dir}, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// indexed indexes a folder with one file and waits for it.
func indexed(t *testing.T, a *app.App) (root string) {
	t.Helper()
	root = written(t)
	commit(t, root)
	indexFolder(t, a, root)
	return root
}

// commit makes a folder a git repository of one commit.
func commit(t *testing.T, root string) {
	t.Helper()
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-q", "-m", "first"}} {
		repotest.Run(t, root, args...)
	}
}

// written is a folder "one" with a file.
func written(t *testing.T) (root string) {
	t.Helper()
	root = filepath.Join(t.TempDir(), "one")
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "a.go"), []byte("package a\n\n// Brew makes coffee.\nfunc Brew() {}\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	return root
}

func indexFolder(t *testing.T, a *app.App, root string) {
	t.Helper()
	resp, err := op.StartIndex.By(t.Context(), a, index.StartRequest{Targets: []string{root}})
	if err != nil {
		t.Fatal(err)
	}
	waitFor(t, a, resp.Items[0])
}

// waitFor waits until a job is done.
func waitFor(t *testing.T, a *app.App, job index.Job) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for job.State != index.JobDone {
		select {
		case <-ctx.Done():
			t.Fatalf("the job does not end: %+v", job)
		case <-tick.C:
		}
		resp, err := op.Job.By(ctx, a, index.JobRequest{ID: job.ID})
		if err != nil {
			t.Fatal(err)
		}
		if job = resp.Items[0]; job.State.Final() && job.State != index.JobDone {
			t.Fatalf("the job ended %s: %s", job.State, *job.Error)
		}
	}
}

// Before anything is indexed, who only looks finds nothing wrong, and makes nothing.
func TestChecksOfNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ragnav")
	a, err := app.Open(t.Context(), settings(t, dir), app.Reader)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	for _, check := range a.Checks(t.Context()) {
		if !check.OK || check.Degraded {
			t.Errorf("%s: %s", check.Name, check.Message)
		}
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the data directory was made: %v", err)
	}
}

// Each check says whether its thing is right, as the machine changes.
func TestChecks(t *testing.T) {
	dir := t.TempDir()
	a := open(t, dir)
	want := []string{
		"git ok", "data_directory ok", "grammars ok", "store ok", "embedder ok", "language_model ok", "reranker ok",
	}
	if diff := cmp.Diff(want, verdicts(a.Checks(t.Context()))); diff != "" {
		t.Errorf("new store (-want +got):\n%s", diff)
	}
	root := indexed(t, a)
	if diff := cmp.Diff(append(want, "repository one ok"), verdicts(a.Checks(t.Context()))); diff != "" {
		t.Errorf("one repository (-want +got):\n%s", diff)
	}
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	got := a.Checks(t.Context())
	if diff := cmp.Diff(append(want, "repository one failed"), verdicts(got)); diff != "" {
		t.Errorf("folder gone (-want +got):\n%s", diff)
	}
	if hint := "`ragnav remove one`"; !strings.Contains(got[len(got)-1].Message, hint) {
		t.Errorf("message %q has no %s", got[len(got)-1].Message, hint)
	}
	if diff := cmp.Diff([]string{"store ok", "embedder ok"}, verdicts(a.Ready(t.Context()))); diff != "" {
		t.Errorf("one folder that is gone must not stop the server (-want +got):\n%s", diff)
	}
}

func verdicts(checks []models.Check) []string {
	var got []string
	for _, c := range checks {
		word := " failed"
		if c.OK {
			word = " ok"
		}
		got = append(got, c.Name+word)
	}
	return got
}

// A place where there can be no data directory, for now, is not one without an
// index.
// A server goes on with what is whole of a directory that is damaged under it, tells
// how much is not, and indexes it again without being started again.
func TestDamageUnderAServer(t *testing.T) {
	dir := t.TempDir()
	a := open(t, dir)
	root := indexed(t, a)
	damaged := func() bool {
		return slices.ContainsFunc(a.Ready(t.Context()), func(c models.Check) bool {
			return c.Name == "damage" && c.Degraded && strings.HasPrefix(c.Message, "1 of the repositories")
		})
	}
	if damaged() {
		t.Error("nothing is damaged")
	}
	logs, err := filepath.Glob(filepath.Join(dir, "rows", "*.log"))
	if err != nil || len(logs) != 1 {
		t.Fatal(logs, err)
	}
	if err := os.Truncate(logs[0], 20); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); !damaged(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%+v", a.Ready(t.Context()))
		}
	}
	_, err = op.Search.By(t.Context(), a, search.Request{Query: "parse"})
	if want := "ragnav index " + root; fault.CodeOf(err) != fault.IndexNotReady || !strings.Contains(err.Error(), want) {
		t.Errorf("a search: %v, want %s", err, want)
	}
	indexFolder(t, a, root)
	if _, err = op.Search.By(t.Context(), a, search.Request{Query: "parse"}); err != nil || damaged() {
		t.Errorf("in the end: %v, %+v", err, a.Ready(t.Context()))
	}
}

func TestNoDataDir(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "not mounted"), link); err != nil {
		t.Skip(err)
	}
	for _, tt := range []struct{ name, dir, want string }{
		{"a file", file, "is a file; name a folder with --store"},
		{"below a file", filepath.Join(file, "data"), "is a file; name a folder with --store"},
		{"a link to nowhere", link, "is not there; mount its disk"},
		{"below a link to nowhere", filepath.Join(link, "data"), "is not there; mount its disk"},
	} {
		got := app.Machine(t.Context(), tt.dir)[1]
		if got.Name != "data_directory" || got.OK || !strings.Contains(got.Message, tt.want) {
			t.Errorf("%s: %+v", tt.name, got)
		}
		for _, readOnly := range []bool{false, true} {
			_, err := embedded.Open(t.Context(), tt.dir, embedded.Options{Dims: 8, ReadOnly: readOnly})
			if fault.CodeOf(err) != fault.RAGUnavailable || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s, opened: %v", tt.name, err)
			}
		}
	}
}

// While vectors of another embedder are in the store, search goes by words and
// says so, and the checks tell.
func TestOtherEmbedder(t *testing.T) {
	dir := t.TempDir()
	a := open(t, dir)
	indexed(t, a)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	m := replaceManifest(t, dir)
	a = open(t, dir)
	if got := verdicts(a.Ready(t.Context())); got[1] != "embedder failed" {
		t.Errorf("checks: %v", got)
	}
	resp, err := op.Search.By(t.Context(), a, search.Request{Query: "brew coffee"})
	if err != nil {
		t.Fatal(err)
	}
	if len(resp.Items) == 0 || len(resp.Meta.Warnings) != 1 ||
		resp.Meta.Warnings[0].Code != string(fault.EmbedderUnavailable) {
		t.Errorf("index of %s: %d items, warnings %v", m.Model, len(resp.Items), resp.Meta.Warnings)
	}
	_, err = op.Search.By(t.Context(), a, search.Request{Query: "brew coffee", Mode: search.ModeSemantic})
	if got := fault.CodeOf(err); got != fault.EmbedderUnavailable {
		t.Errorf("semantic search: %v", err)
	}
}

// replaceManifest makes the store say that another embedder made its vectors.
func replaceManifest(t *testing.T, dir string) embed.Manifest {
	t.Helper()
	e, err := embed.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	m := e.Manifest()
	st, err := embedded.Open(t.Context(), dir, embedded.Options{Dims: m.Dims})
	if err != nil {
		t.Fatal(err)
	}
	m.Model = "another"
	batch := models.Batch{PutRecords: []models.Record{{Collection: models.CollectionMeta, Key: "embedder", Value: m}}}
	if err := st.Apply(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestOwnerOfTellsTheServer(t *testing.T) {
	dir := t.TempDir()
	if _, got := app.OwnerOf(dir); got != "" {
		t.Errorf("nobody has it open, but a server is at %q", got)
	}
	a := open(t, dir)
	if _, got := app.OwnerOf(dir); got != "" {
		t.Errorf("no server, but one is at %q", got)
	}
	if err := a.Announce("127.0.0.1:9"); err != nil {
		t.Fatal(err)
	}
	if _, got := app.OwnerOf(dir); got != "127.0.0.1:9" {
		t.Errorf("OwnerOf tells %q", got)
	}
	_, err := app.Open(t.Context(), settings(t, dir), app.Tool)
	if fault.CodeOf(err) != fault.Conflict || !strings.Contains(err.Error(), "http://127.0.0.1:9") {
		t.Errorf("second Open: %v", err)
	}
}

func TestTarget(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for arg, want := range map[string]string{
		".": here, "a/../b": filepath.Join(here, "b"), "https://host/o/n.git": "https://host/o/n.git",
		"git@host:o/n.git": "git@host:o/n.git",
	} {
		if got := app.Target(arg); got != want {
			t.Errorf("Target(%q) = %q, want %q", arg, got, want)
		}
	}
}

func TestVersion(t *testing.T) {
	v, err := app.Version("v9")
	if err != nil {
		t.Fatal(err)
	}
	if v.Version != "v9" || !strings.HasPrefix(v.GoVersion, "go") || v.Embedder != "builtin/static-code-v2" ||
		v.SchemaVersion != models.SchemaVersion {
		t.Errorf("Version = %+v", v)
	}
}

// The first process after one that was ended in a first run says so, also one
// that only reads. A server takes the run up again.
func TestCutOffIsSaid(t *testing.T) {
	dir, root := t.TempDir(), t.TempDir()
	writeFile(t, filepath.Join(root, "a.go"), "package a\n\nfunc Anything() {}\n")
	if err := openFor(t, dir).Close(); err != nil {
		t.Fatal(err)
	}
	st, err := embedded.Open(t.Context(), dir, embedded.Options{Dims: disk.DimsOf(dir)})
	if err != nil {
		t.Fatal(err)
	}
	left := models.Repository{RepoID: "o/a", Root: root, State: models.StateIndexing, SchemaVersion: models.SchemaVersion}
	err = st.Apply(t.Context(),
		models.Batch{PutRecords: []models.Record{{Collection: models.CollectionRepos, Key: "o/a", Value: left}}})
	if err = errors.Join(err, st.Close()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		a, err := app.Open(t.Context(), settings(t, dir), app.Reader)
		if err != nil {
			t.Fatal(err)
		}
		_, err = op.Search.By(t.Context(), a, search.Request{Query: "anything"})
		if fault.CodeOf(err) != fault.IndexNotReady || !strings.Contains(fault.MessageOf(err), "was interrupted") {
			t.Errorf("%v (%s), want what became of the run", err, fault.CodeOf(err))
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
	a := openFor(t, dir)
	resumed, err := a.Resume(t.Context())
	if err != nil || len(resumed) != 1 {
		t.Fatalf("resumed %+v: %v", resumed, err)
	}
	if ended, err := a.WatchJob(t.Context(), index.JobRequest{ID: resumed[0].ID}, func(index.Job) {}); err != nil ||
		ended.Items[0].State != index.JobDone || ended.Items[0].RepoID != "o/a" {
		t.Errorf("the run ended as %+v: %v", ended.Items, err)
	}
	if resumed, err := a.Resume(t.Context()); err != nil || len(resumed) > 0 {
		t.Errorf("resumed again: %+v: %v", resumed, err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}
