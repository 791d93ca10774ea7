package index_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A folder of repositories: each is indexed under the id of its remote, and one
// that can't be stops nobody.
func TestEachRepository(t *testing.T) {
	b := setUp(t, map[string]string{
		"a/main.go": "package a\n", "deep/b/main.go": "package b\n", "deep/b/nested/x.go": "package x\n",
		"twin/main.go": "package a\n", "z/twin/main.go": "package a\n", "plain/x.go": "package x\n",
	})
	for name, remote := range map[string]string{
		"a": "https://example.com/acme/a.git", "deep/b": "git@example.com:acme/b.git",
		"deep/b/nested": "https://example.com/acme/nested.git",
		"twin":          "https://example.com/acme/a.git", "z/twin": "https://example.com/acme/a.git",
	} {
		gitIn(t, filepath.Join(b.root, name), "init", "-q")
		gitIn(t, filepath.Join(b.root, name), "remote", "add", "origin", remote)
	}
	req := index.StartRequest{Targets: []string{b.root, filepath.Join(b.root, "deep")}, Each: true}

	req.DryRun = true
	dry, err := b.service.Preview(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	req.DryRun = false
	res, err := b.service.Start(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	var started, previewed []models.RepoID
	for i, j := range res.Items {
		started, previewed = append(started, j.RepoID), append(previewed, dry.Repositories[i].RepoID)
		if j = b.wait(j); j.State != jobs.Done {
			t.Errorf("job %+v", j)
		}
	}
	if diff := cmp.Diff([]models.RepoID{"acme/a", "acme/b", "acme/a-twin"}, started); diff != "" {
		t.Errorf("jobs (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(started, previewed); diff != "" || len(dry.Repositories) != len(started) {
		t.Errorf("%d repositories in the preview (-started +previewed):\n%s", len(dry.Repositories), diff)
	}
	for _, warnings := range [][]models.Warning{res.Meta.Warnings, dry.Meta.Warnings} {
		if len(warnings) != 1 || warnings[0].Code != "NOT_STARTED" || !strings.Contains(warnings[0].Message, "twin: ") {
			t.Errorf("warnings %+v", warnings)
		}
	}
}

func TestEachRefuses(t *testing.T) {
	b := setUp(t, small)
	for name, test := range map[string]struct {
		req  index.StartRequest
		want fault.Code
	}{
		"no repository":  {index.StartRequest{Targets: []string{b.root}}, fault.InvalidRequest},
		"no folder":      {index.StartRequest{Targets: []string{filepath.Join(b.root, "nope")}}, fault.PathNotFound},
		"a file":         {index.StartRequest{Targets: []string{filepath.Join(b.root, "main.go")}}, fault.InvalidRequest},
		"a URL":          {index.StartRequest{Targets: []string{"https://example.com/a/b"}}, fault.InvalidRequest},
		"a relative one": {index.StartRequest{Targets: []string{"x"}}, fault.InvalidRequest},
		"an id":          {index.StartRequest{Targets: []string{b.root}, RepoID: "x"}, fault.InvalidRequest},
	} {
		test.req.Each = true
		if res, err := b.service.Start(t.Context(), test.req); fault.CodeOf(err) != test.want {
			t.Errorf("%s: %+v, %v; want %s", name, res.Items, err, test.want)
		}
		test.req.DryRun = true
		if res, err := b.service.Preview(t.Context(), test.req); fault.CodeOf(err) != test.want {
			t.Errorf("preview of %s: %+v, %v; want %s", name, res.Items, err, test.want)
		}
	}
	// When nothing can be started that is an error, not an empty list: two
	// other folders have both ids that this one could have.
	b.run()
	work := filepath.Join(t.TempDir(), "work")
	gitIn(t, t.TempDir(), "init", "-q", work)
	gitIn(t, work, "remote", "add", "origin", "https://example.com/acme/api.git")
	other, err := b.service.Start(t.Context(), index.StartRequest{Targets: []string{t.TempDir()}, RepoID: "acme/api-work"})
	if err != nil {
		t.Fatal(err)
	}
	b.wait(other.Items[0])
	if res, err := b.service.Start(t.Context(),
		index.StartRequest{Targets: []string{work}, Each: true}); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("all refused: %+v, %v", res.Items, err)
	}
}

// A folder that is registered keeps its id, whatever its remote is called.
func TestRegisteredFolderKeepsItsID(t *testing.T) {
	b := setUp(t, small)
	first := b.run()
	gitIn(t, b.root, "init", "-q")
	gitIn(t, b.root, "remote", "add", "origin", "https://example.com/other/name.git")
	res, err := b.service.Start(t.Context(), index.StartRequest{Targets: []string{b.root}})
	if err != nil || res.Items[0].RepoID != first.RepoID {
		t.Fatalf("%+v, %v, want repository %s", res.Items, err, first.RepoID)
	}
	b.wait(res.Items[0])
}
