package index_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/index/vectors"

	"github.com/ragnav/ragnav/internal/embed/embedtest"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
)

func TestStartRefuses(t *testing.T) {
	b := setUp(t, small)
	b.run()
	other := t.TempDir()
	file := filepath.Join(b.root, "main.go")
	tests := []struct {
		name string
		req  index.StartRequest
		code fault.Code
		says string
	}{
		{"a relative path", index.StartRequest{Targets: []string{"src"}}, fault.InvalidRequest, "absolute path"},
		{"a relative bare repository", index.StartRequest{Targets: []string{"x.git"}}, fault.InvalidRequest, "clone"},
		{
			"a missing folder",
			index.StartRequest{Targets: []string{filepath.Join(other, "no")}},
			fault.PathNotFound,
			"no folder",
		},
		{"a NUL byte", index.StartRequest{Targets: []string{other + "\x00"}}, fault.InvalidPath, "NUL"},
		{"a file", index.StartRequest{Targets: []string{file}}, fault.InvalidRequest, "not a folder"},
		{
			"an id that is none",
			index.StartRequest{Targets: []string{other}, RepoID: "a b"},
			fault.InvalidRequest,
			"with repo_id",
		},
		{
			"one id for two targets",
			index.StartRequest{Targets: []string{b.root, other}, RepoID: "x"},
			fault.InvalidRequest,
			"one by one",
		},
		{"neither target nor id", index.StartRequest{}, fault.InvalidRequest, "give targets"},
		{"no target, and an id that is not known", index.StartRequest{RepoID: "x"}, fault.RepoNotFound, "x"},
		{"the same folder twice", index.StartRequest{Targets: []string{other, other}}, fault.InvalidRequest, "both"},
		{
			"an id that another folder has",
			index.StartRequest{Targets: []string{other}, RepoID: repoID},
			fault.Conflict,
			b.root,
		},
		{
			"a folder that has another id",
			index.StartRequest{Targets: []string{b.root}, RepoID: "x"},
			fault.Conflict,
			"ragnav remove acme/api",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := b.service.Start(t.Context(), test.req)
			if got := fault.CodeOf(err); got != test.code {
				t.Fatalf("code %s, want %s: %v", got, test.code, err)
			}
			if got := fault.MessageOf(err); !strings.Contains(got, test.says) {
				t.Errorf("message %q does not say %q", got, test.says)
			}
		})
	}
}

// A repository that is known is indexed again by its id alone.
func TestStartAgain(t *testing.T) {
	b := setUp(t, small)
	b.run()
	res, err := b.service.Start(t.Context(), index.StartRequest{RepoID: "api"})
	if err != nil || len(res.Items) != 1 || res.Items[0].Target != b.root || res.Items[0].RepoID != repoID {
		t.Errorf("got %+v, %v, want a job of %s in %s", res.Items, err, repoID, b.root)
	}
}

func TestOneJobForARepository(t *testing.T) {
	b := setUp(t, small)
	reached, proceed := make(chan struct{}), make(chan struct{})
	b.store.before = func(batch models.Batch) error {
		if len(batch.Put) > 0 {
			b.store.before = nil
			close(reached)
			<-proceed
		}
		return nil
	}
	j := b.start(false)
	<-reached
	_, err := b.service.Start(t.Context(), index.StartRequest{Targets: []string{b.root}, RepoID: repoID})
	if fault.CodeOf(err) != fault.Conflict || !strings.Contains(fault.MessageOf(err), j.ID) {
		t.Errorf("a second job: %v", err)
	}
	if _, err := b.service.Remove(t.Context(), index.RemoveRequest{RepoID: repoID}); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("removing meanwhile: %v", err)
	}
	if done, total, running := b.service.Progress(repoID); !running || total != 9 || done > total {
		t.Errorf("progress %d of %d, %v", done, total, running)
	}
	close(proceed)
	b.wait(j)
	b.run()
	res, err := b.service.Jobs(t.Context(), index.JobsRequest{Limit: new(1)})
	if err != nil || *res.Meta.Total != 2 || res.Items[0].ID == j.ID || res.Meta.NextCursor == "" {
		t.Errorf("jobs %+v, %v", res, err)
	}
	_, err = b.service.Jobs(t.Context(), index.JobsRequest{Cursor: "x"})
	if said := fault.MessageOf(err); !strings.HasPrefix(said, "cursor: not of") {
		t.Errorf("a cursor of another list: %q", said)
	}
	if _, err := b.service.Job(t.Context(), index.JobRequest{ID: "nope"}); fault.CodeOf(err) != fault.JobNotFound {
		t.Errorf("an unknown job: %v", err)
	}
}

func TestOtherEmbedder(t *testing.T) {
	b := setUp(t, small)
	b.run()
	open := func(e vectors.Embedder) {
		t.Helper()
		b.close()
		s, err := index.Open(t.Context(), b.store, e, index.Config{Now: b.clock})
		if err != nil {
			t.Fatal(err)
		}
		b.service = s
	}
	open(embedtest.New(8))
	defer b.close()
	if err := records.CheckEmbedder(t.Context(), b.store,
		embedtest.New(8).Manifest()); fault.CodeOf(err) != fault.IndexNotReady {
		t.Errorf("the check at open: %v", err)
	}
	_, err := b.service.Start(t.Context(), index.StartRequest{Targets: []string{b.root}, RepoID: repoID})
	if fault.CodeOf(err) != fault.IndexNotReady || !strings.Contains(err.Error(), "16") {
		t.Errorf("mixing vectors: %v", err)
	}
	if j := b.wait(b.start(true)); j.State != jobs.Done || j.Changed != 6 {
		t.Errorf("job %+v", j)
	}
	for id, d := range b.store.all() {
		if d.Embedding != nil && len(d.Embedding) != 8 {
			t.Errorf("%s has an old vector", id)
		}
	}
	if err := records.CheckEmbedder(t.Context(), b.store, embedtest.New(8).Manifest()); err != nil {
		t.Error(err)
	}
}

func TestRemove(t *testing.T) {
	b := setUp(t, small)
	b.run()
	docs := len(b.ids())
	res, err := b.service.Remove(t.Context(), index.RemoveRequest{RepoID: repoID})
	if err != nil || res.Items[0].Documents != docs || res.Items[0].Clone {
		t.Errorf("got %+v, %v", res, err)
	}
	if len(b.ids()) != 0 || len(b.store.records) != 0 {
		t.Errorf("left behind: %v, %v", b.ids(), b.store.records)
	}
	if _, err := os.Stat(filepath.Join(b.root, "main.go")); err != nil {
		t.Errorf("the owner's folder was touched: %v", err)
	}
	if _, err := b.service.Remove(t.Context(),
		index.RemoveRequest{RepoID: repoID}); fault.CodeOf(err) != fault.RepoNotFound {
		t.Errorf("removing twice: %v", err)
	}
}

func TestClone(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: git is not installed, so cloning is not tested: ", err)
	}
	b := setUp(t, nil)
	origin := filepath.Join(t.TempDir(), "tool.git")
	work := t.TempDir()
	if err := os.WriteFile(filepath.Join(work, "a.go"), []byte("package a\n\nfunc A() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"init", "-q", work},
		{"-C", work, "add", "."},
		{"-C", work, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "one"},
		{"clone", "-q", "--bare", work, origin},
	} {
		if out, err := exec.CommandContext(t.Context(), "git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	clones := t.TempDir()
	b.open(index.Config{ReposDir: clones})
	start := func() jobs.Job {
		t.Helper()
		res, err := b.service.Start(t.Context(), index.StartRequest{Targets: []string{origin}})
		if err != nil {
			t.Fatal(err)
		}
		return b.wait(res.Items[0])
	}
	if j := start(); j.State != jobs.Done || j.RepoID != "tool" || j.Changed != 1 {
		t.Fatalf("job %+v", j)
	}
	if j := start(); j.State != jobs.Done || j.Changed != 0 {
		t.Errorf("again: %+v", j)
	}
	if _, err := b.service.Remove(t.Context(), index.RemoveRequest{RepoID: "tool"}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(clones, "tool")); !os.IsNotExist(err) {
		t.Errorf("the clone is still there: %v", err)
	}
}

// Folders of one name have ids of their own; one that was moved is not another.
func TestFoldersOfOneName(t *testing.T) {
	b := setUp(t, small)
	parent := t.TempDir()
	var roots []string
	for _, dir := range []string{"x", "y", "z"} {
		root := filepath.Join(parent, dir, "lib")
		if err := os.MkdirAll(root, 0o750); err != nil {
			t.Fatal(err)
		}
		roots = append(roots, root)
	}
	for i, targets := range [][]string{roots[:1], roots[1:]} {
		res, err := b.service.Start(t.Context(), index.StartRequest{Targets: targets})
		if err != nil {
			t.Fatal(err)
		}
		for k, j := range res.Items {
			b.wait(j)
			if want := models.RepoID([]string{"lib", "lib-y", "lib-z"}[i+k]); j.RepoID != want {
				t.Errorf("%s has the id %s, want %s", targets[k], j.RepoID, want)
			}
		}
	}
	moved := filepath.Join(parent, "moved", "lib")
	if err := errors.Join(os.Mkdir(filepath.Dir(moved), 0o750), os.Rename(roots[0], moved)); err != nil {
		t.Fatal(err)
	}
	if _, err := b.service.Start(t.Context(), index.StartRequest{Targets: []string{moved}}); fault.CodeOf(err) !=
		fault.Conflict {
		t.Errorf("the first one, moved: %v", err)
	}
}
