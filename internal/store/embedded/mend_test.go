package embedded_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded"
)

// mending opens a store that mends itself.
func mending(t *testing.T, dir string) *embedded.Store {
	t.Helper()
	s, err := embedded.Open(t.Context(), dir, embedded.Options{Dims: dims, Mend: true})
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	idle(t, dir)
	return s
}

// settled waits until a damaged store says which repositories it has lost, and answers
// for all others.
func settled(t *testing.T, s *embedded.Store, want map[models.RepoID][]models.Document) (lost []models.RepoID) {
	t.Helper()
	for end := time.Now().Add(time.Minute); len(s.Lost()) == 0; time.Sleep(time.Millisecond) {
		_, err := s.Search(t.Context(), fts.Request{Query: fts.Filter(fts.FieldRepo, "o/a"), Size: 10})
		if err != nil && fault.CodeOf(err) != fault.IndexNotReady || time.Now().After(end) {
			t.Fatalf("nothing was lost, and a search says %v", err)
		}
	}
	for id, docs := range want {
		if got := answers(t, s, id); got == nil { // waits until the files are there again
			lost = append(lost, id)
		} else {
			equal(t, "with damage put aside", docs, got)
		}
	}
	return lost
}

// A store whose files are damaged under it goes on with what is whole of it.
func TestMendedInUse(t *testing.T) {
	origin, want := undamaged(t)
	for _, pattern := range []string{"text/*.zap", "rows/*.log"} {
		for _, how := range []string{"empty", "short", "bit", "zeros"} {
			t.Run(pattern+" "+how, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				must(t, os.CopyFS(dir, os.DirFS(origin)))
				s := mending(t, dir)
				must(t, s.Compact(t.Context(), nil)) // else scorch may merge away what is damaged
				files, err := filepath.Glob(filepath.Join(dir, pattern))
				must(t, err)
				copied := t.TempDir()
				must(t, os.CopyFS(copied, os.DirFS(dir)))
				data, err := os.ReadFile(files[0])
				must(t, err)
				seed := rand.Uint64()
				for _, to := range []string{files[0], filepath.Join(copied, filepath.Dir(pattern), filepath.Base(files[0]))} {
					random := rand.New(rand.NewPCG(seed, 1))
					if how == "bit" {
						must(t, os.WriteFile(to, flipped(data, random), 0o600))
						continue
					}
					must(t, damages[how](to, slices.Clone(data), random))
				}
				lost := settled(t, s, want)
				if next := idsOf(open(t, copied).Lost()); len(lost) == 0 || !slices.Equal(next, idsOf(s.Lost())) {
					t.Errorf("it lost %v, the next Open %v", lost, next)
				}
				for _, id := range lost {
					must(t, again(t, s, id))
					equal(t, "indexed again", want[id], answers(t, s, id))
				}
				must(t, s.Close())
				mended(t, dir, want)
			})
		}
	}
}

// flipped is a file with another bit behind its head, as that of a log is read when it is
// opened, and by nothing after.
func flipped(data []byte, random *rand.Rand) []byte {
	const head = 64
	data = slices.Clone(data)
	data[head+random.IntN(len(data)-head)] ^= 1 << random.IntN(8)
	return data
}

func idsOf(repos []models.Repository) (ids []models.RepoID) {
	for _, r := range repos {
		ids = append(ids, r.RepoID)
	}
	return ids
}

// What a run wrote before a part of its repository was lost makes nothing whole.
func TestRunFromBeforeADamage(t *testing.T) {
	for name, finish := range map[string]func(s *embedded.Store, id models.RepoID, b store.Batch) error{
		"without a draft": func(s *embedded.Store, _ models.RepoID, b store.Batch) error { return s.Apply(t.Context(), b) },
		"with a draft": func(s *embedded.Store, id models.RepoID, _ store.Batch) error {
			return s.PublishDraft(t.Context(), id, nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, want := undamaged(t)
			s := mending(t, dir)
			must(t, s.Compact(t.Context(), nil)) // else scorch may merge away what is damaged
			last := map[models.RepoID]store.Batch{}
			for id := range want {
				b := whole(id)
				b.Put = b.Put[:1] // all that it found changed
				last[id] = b
				must(t, s.AppendDraft(t.Context(), id, "run", b))
			}
			must(t, os.Truncate(newest(t, dir), 100))
			lost := settled(t, s, want)
			for _, id := range lost {
				wantFault(t, finish(s, id, last[id]), fault.IndexNotReady, "ragnav index /src/"+string(id))
				if answers(t, s, id) != nil {
					t.Errorf("%s answers", id)
				}
				must(t, again(t, s, id))
				equal(t, "indexed again", want[id], answers(t, s, id))
			}
		})
	}
}

// Without the commit on disk nothing is written; what is mapped is read on.
func TestRootGoneIsReadOn(t *testing.T) {
	dir, want := undamaged(t)
	s := mending(t, dir)
	must(t, os.Remove(filepath.Join(dir, "text", "root.bolt")))
	wantFault(t, s.Apply(t.Context(), whole("o/b")), fault.IndexNotReady, "nothing more is written to it")
	for id, docs := range want {
		equal(t, "without root.bolt", docs, answers(t, s, id))
	}
	if c := s.Checks(t.Context()); len(c) != 1 || !strings.Contains(c[0].Message, "ragnav doctor --repair") {
		t.Errorf("checks: %+v", c)
	}
	must(t, os.Truncate(newest(t, dir), 100)) // there is nothing to open any more
	refused(t, s, want)
}
