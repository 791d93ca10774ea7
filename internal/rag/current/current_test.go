package current_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/rag/current"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
	"github.com/ragnav/ragnav/internal/repo/disk"
)

// A store has one repository without files.
type store struct{ known models.Repository }

func (s store) Record(_ context.Context, _, _ string, v any) (bool, error) {
	data, err := json.Marshal(s.known)
	if err != nil {
		return false, err
	}
	return true, json.Unmarshal(data, v)
}

func (store) FileRecords(context.Context, models.RepoID, func(models.FileRecord)) error { return nil }

func (store) Compose(context.Context, *disk.Folder, models.Repository, []string) ([]index.Made, error) {
	return nil, nil
}

var known = models.Repository{RepoID: "o/a", Root: "/o/a", State: models.StateFresh, Runs: 3}

// look is how one repository stands.
func look(t *testing.T, s *current.Service, r models.Repository) current.Standing {
	t.Helper()
	all, err := s.Look(t.Context(), []models.Repository{r})
	if err != nil {
		t.Fatal(err)
	}
	return all[0]
}

// A folder that does not answer holds nobody up for long, and it is said; what
// it says in the end is for those who ask then.
func TestSlowFolder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answers := make(chan struct{})
		s := current.New(current.Config{
			Store: store{known}, Indexer: store{},
			Open: func(context.Context, models.Repository) (repo.Files, error) {
				<-answers
				return nil, fault.New(fault.PathNotFound, "the folder is gone")
			},
		})
		for i, most := range []time.Duration{3 * time.Second, time.Second} {
			began := time.Now()
			if st := look(t, s, known); st.Freshness != models.Unknown || !strings.Contains(st.Reason, "in time") ||
				time.Since(began) > most {
				t.Errorf("request %d: %s, %q after %v", i, st.Freshness, st.Reason, time.Since(began))
			}
		}
		close(answers)
		synctest.Wait()
		if st := look(t, s, known); !st.Gone || st.Reason != "the folder is gone" {
			t.Errorf("once it answers: %+v", st)
		}
		s.Close()
	})
}

// An index is compared with the records of its own run only.
func TestOtherRun(t *testing.T) {
	s := current.New(current.Config{Store: store{known}, Indexer: store{}})
	older := known
	older.Runs--
	if st := look(t, s, older); st.Freshness != models.Unknown || !strings.Contains(st.Reason, "changed meanwhile") {
		t.Errorf("of an index that is no more: %s, %q", st.Freshness, st.Reason)
	}
	s.Close()
}

// What was looked at before the first request is not opened again for it, and read by it
// where it is as indexed. Many files are left for who asks.
func TestWarm(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := known
	r.Root = root
	large, failed := r, r
	large.RepoID, large.FileCount = "o/large", 1_000_000
	failed.RepoID, failed.State = "o/failed", models.StateError
	opens, shared := 0, false
	watchers := fresh.NewWatchers(0)
	s := current.New(current.Config{
		Store: store{r}, Indexer: store{}, Watchers: watchers,
		Open: func(ctx context.Context, r models.Repository) (repo.Files, error) {
			opens++
			return repo.Open(ctx, r.Root)
		},
		Share: func(_ context.Context, id models.RepoID, tree *disk.Folder) {
			shared = id == r.RepoID && tree.Root() == root
		},
	})
	looked := current.Warm(t.Context(), s, []models.Repository{large, failed, r})
	if len(looked) != 1 || looked[0].RepoID != r.RepoID || opens != 1 {
		t.Errorf("looked at %v, opened %d", looked, opens)
	}
	for end := time.Now().Add(time.Minute); !shared && time.Now().Before(end); time.Sleep(time.Millisecond) {
		if st := look(t, s, r); st.Freshness != models.Fresh || opens != 1 {
			t.Fatalf("%s, %q, opened %d", st.Freshness, st.Reason, opens)
		}
	}
	if !shared && runtime.GOOS == "linux" {
		t.Error("a folder that is as indexed is not shared")
	}
	s.Close()
	if err := watchers.Close(); err != nil {
		t.Error(err)
	}
}

// What the first run has not come to did not change since it was indexed.
func TestReason(t *testing.T) {
	indexed, cutOff := known, known
	indexed.LastIndexedAt = time.Unix(1_700_000_000, 0)
	for _, test := range []struct {
		name string
		of   models.Repository
		d    fresh.Delta
		want string
	}{
		{"indexed", indexed, fresh.Delta{Changed: []string{"a", "b"}}, "2 files changed since it was indexed"},
		{"indexed, too many", indexed, fresh.Delta{TooMany: true}, "more than 200 files changed since it was indexed"},
		{"cut off", cutOff, fresh.Delta{Added: []string{"a", "b"}}, "2 files are not indexed yet"},
		{"cut off at the last", cutOff, fresh.Delta{Changed: []string{"a"}}, "1 file is not indexed yet"},
		{"cut off early", cutOff, fresh.Delta{TooMany: true}, "more than 200 files are not indexed yet"},
		{"as it is", cutOff, fresh.Delta{}, ""},
	} {
		if got := current.Compared(test.of, test.d).Reason; got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
