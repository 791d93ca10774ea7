package gateway_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/inotify"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// plain reads no language.
type plain struct{}

func (plain) Revision(string) string { return "" }

func (plain) Facts(context.Context, string, string, string) (*facts.File, error) { return nil, nil }

// A place is where the one repository is.
type place string

func (p place) Repository(context.Context, models.RepoID) (models.Repository, error) {
	return models.Repository{RepoID: "o/a", Root: string(p)}, nil
}

func (p place) Open(ctx context.Context, known models.Repository) (repo.Files, error) {
	return repo.Open(ctx, known.Root)
}

// TestUnchanged: a repository that nothing happened to is opened as it was before, and
// whatever happens is seen by the next question.
func TestUnchanged(t *testing.T) {
	if dir, err := os.Open(t.TempDir()); err != nil || !inotify.Local(int(dir.Fd())) {
		t.Skipf("SKIPPED: no notifications on the file system of temporary files (%v)", err)
	}
	build := func(t *testing.T, c gateway.Config, full bool) {
		t.Helper()
		if _, err := nav.New(c).Build(t.Context(), nav.BuildRequest{RepoID: "o/a", Full: full}); err != nil {
			t.Fatal(err)
		}
	}
	for name, change := range map[string]func(t *testing.T, c gateway.Config, dir string){
		"nothing": nil,
		"edited": func(t *testing.T, _ gateway.Config, dir string) {
			repotest.Write(t, dir, map[string]string{"a/1": "other"})
		},
		"added": func(t *testing.T, _ gateway.Config, dir string) {
			repotest.Write(t, dir, map[string]string{"b/new": "text"})
		},
		"deleted": func(t *testing.T, _ gateway.Config, dir string) { repotest.Remove(t, dir, "a/1") },
		"committed": func(t *testing.T, _ gateway.Config, dir string) {
			repotest.Run(t, dir, "commit", "-q", "--allow-empty", "-m", "next")
		},
		"built again": func(t *testing.T, c gateway.Config, dir string) {
			repotest.Write(t, dir, map[string]string{"a/1": "other"})
			build(t, c, false)
		},
		"status gone": func(t *testing.T, _ gateway.Config, dir string) {
			repotest.Remove(t, dir, ".llmc/rag_index_status.json")
		},
		"another folder": func(t *testing.T, _ gateway.Config, dir string) {
			must(t, os.Rename(dir, dir+"-away"))
			must(t, os.Mkdir(dir, 0o750))
			repotest.Write(t, dir, map[string]string{"a/1": "1"})
		},
		"git gone": func(t *testing.T, _ gateway.Config, dir string) {
			must(t, os.Rename(filepath.Join(dir, ".git"), dir+"-git"))
		},
		"folder above with git": func(t *testing.T, _ gateway.Config, dir string) {
			must(t, os.Mkdir(filepath.Join(filepath.Dir(dir), ".git"), 0o750))
		},
		"sparse": func(t *testing.T, _ gateway.Config, dir string) {
			repotest.Write(t, dir, map[string]string{".git/info/sparse-checkout": "/*\n"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(repotest.Dir(t), "root")
			files := map[string]string{}
			for i := range 5 {
				files[fmt.Sprintf("a/%d", i)] = fmt.Sprint(i)
			}
			repotest.Write(t, dir, files)
			repotest.Run(t, dir, "init", "-q")
			repotest.Run(t, dir, "add", ".")
			repotest.Run(t, dir, "commit", "-q", "-m", "first")
			c := gateway.Config{Repos: place(dir), Extract: plain{}, Watchers: fresh.NewWatchers(0)}
			t.Cleanup(func() { must(t, c.Watchers.Close()) })
			build(t, c, true)
			known, opener := models.Repository{RepoID: "o/a", Root: dir}, gateway.New(c)
			unchanged := func() bool {
				g := gateway.NewGlance(opener).Unchanged(t.Context(), known)
				if g != nil {
					g.Close()
				}
				return g != nil
			}
			before := state(t, opener, known)
			for began := time.Now(); !unchanged(); time.Sleep(50 * time.Millisecond) {
				if time.Since(began) > time.Minute {
					t.Fatal("it is not known to be unchanged after a minute")
				}
				state(t, opener, known)
			}
			if diff := cmp.Diff(before, state(t, opener, known)); diff != "" {
				t.Errorf("opened without a look (-want +got):\n%s", diff)
			}
			if change == nil {
				return
			}
			change(t, c, dir)
			if unchanged() {
				t.Error("it is called unchanged")
			}
			if diff := cmp.Diff(state(t, gateway.New(c), known), state(t, opener, known)); diff != "" {
				t.Errorf("against one that knew nothing before (-want +got):\n%s", diff)
			}
		})
	}
}

// state is how a repository is opened.
func state(t *testing.T, o *gateway.Opener, known models.Repository) (s struct {
	Meta                    models.Meta
	Changed, Added, Deleted []string
	Graph, Sparse           bool
	Error                   string
},
) {
	t.Helper()
	g, err := o.OpenKnown(t.Context(), known)
	if err != nil {
		s.Error = err.Error()
		return s
	}
	defer g.Close()
	g.Head(&s.Meta)
	if s.Graph = g.Verdict.Graph; g.Delta != nil {
		s.Changed, s.Added, s.Deleted = g.Delta.Changed, g.Delta.Added, g.Delta.Deleted
	}
	s.Sparse, err = g.Sparse(t.Context())
	must(t, err)
	return s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
