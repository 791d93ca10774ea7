package embedded_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/embedded"
	"github.com/ragnav/ragnav/internal/store/embedded/backup"
)

// A store whose files are cut or changed under it says so, whatever is read of it,
// and is whole again after the next Open.
func TestDamageInUse(t *testing.T) {
	origin, want := undamaged(t)
	for _, pattern := range []string{"text/*.zap", "rows/*.log"} {
		for _, how := range []string{"empty", "short", "bit", "zeros"} {
			t.Run(pattern+" "+how, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				must(t, os.CopyFS(dir, os.DirFS(origin)))
				s := open(t, dir)
				must(t, s.Compact(t.Context(), nil)) // else scorch may merge away what is damaged
				for id := range want {
					answers(t, s, id)
				}
				files, err := filepath.Glob(filepath.Join(dir, pattern))
				must(t, err)
				data, err := os.ReadFile(files[0])
				must(t, err)
				must(t, damages[how](files[0], data, rand.New(rand.NewPCG(rand.Uint64(), 1))))
				refused(t, s, want)
				must(t, s.Close())
				mended(t, dir, want)
			})
		}
	}
}

// refused waits until a store says that it is damaged; then nothing else is answered.
func refused(t *testing.T, s *embedded.Store, want map[models.RepoID][]models.Document) {
	t.Helper()
	var err error
	for end := time.Now().Add(time.Minute); err == nil && time.Now().Before(end); {
		_, err = s.Search(t.Context(), fts.Request{Query: fts.Filter(fts.FieldRepo, "o/a"), Size: 10})
	}
	wantFault(t, err, fault.IndexNotReady, "ragnav doctor --repair")
	_, err = s.Documents(t.Context(), []models.DocumentID{want["o/a"][0].ID})
	wantFault(t, err, fault.IndexNotReady, "ragnav doctor --repair")
	_, err = s.Record(t.Context(), models.CollectionRepos, "o/a", nil)
	wantFault(t, err, fault.IndexNotReady, "ragnav doctor --repair")
	_, err = s.Embeddings(t.Context(), []models.EmbeddingKey{want["o/a"][0].EmbeddingKey}, nil)
	wantFault(t, err, fault.IndexNotReady, "ragnav doctor --repair")
	wantFault(t, s.Apply(t.Context(), whole("o/b")), fault.IndexNotReady, "ragnav doctor --repair")
}

// A record that makes no sense to who reads it is damage, where the files are damaged.
func TestRecordDamagedWhileListed(t *testing.T) {
	dir, want := undamaged(t)
	s := open(t, dir)
	must(t, s.Compact(t.Context(), nil)) // else scorch merges what it opened, at any moment
	file := newest(t, dir)
	strange := errors.New("no JSON")
	list := func(then func()) error {
		return s.Records(t.Context(), models.FilesCollection("o/a"), func(string, json.RawMessage) error {
			then()
			return strange
		})
	}
	if err := list(func() {}); !errors.Is(err, strange) {
		t.Errorf("%v, want the error of the reader", err)
	}
	wantFault(t, list(func() {
		data, err := os.ReadFile(file)
		must(t, err)
		must(t, damages["bit"](file, data, rand.New(rand.NewPCG(1, 1))))
	}), fault.IndexNotReady, "ragnav doctor --repair")
	must(t, s.Close())
	mended(t, dir, want)
}

// A segment that is whole, but another one, is not what was written.
func TestSegmentOfAnotherName(t *testing.T) {
	older, _ := undamaged(t)
	dir, want := undamaged(t)
	s := open(t, dir)
	must(t, s.Apply(t.Context(), whole("o/later")))
	must(t, s.Compact(t.Context(), nil)) // else the newest file may be none of the commit
	must(t, s.Close())
	file, other := newest(t, dir), newest(t, older)
	data, err := os.ReadFile(other)
	must(t, err)
	if own, err := os.ReadFile(file); err != nil || bytes.Equal(own, data) {
		t.Fatalf("%s: want another segment: %v", file, err)
	}
	must(t, os.WriteFile(file, data, 0o600))
	if v, err := backup.Verify(t.Context(), dir, dims); err != nil || len(v.Damages) != 1 {
		t.Errorf("Verify found %v, %v; want the segment", v.Damages, err)
	}
	mended(t, dir, want)
}

// newest is the last segment of a directory.
func newest(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "text/*.zap"))
	must(t, err)
	return files[len(files)-1]
}

// What fails at the end says what to do, too.
func TestCloseFails(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	must(t, s.Apply(t.Context(), whole("o/a")))
	must(t, os.RemoveAll(filepath.Join(dir, "text")))
	wantFault(t, s.Close(), fault.IndexNotReady, "ragnav doctor --repair")
}

// The folder of the rows goes while the store is open: the next batch is written
// or refused, and nothing is lost.
func TestRowsGoInUse(t *testing.T) {
	dir, want := undamaged(t)
	s := open(t, dir)
	for id := range want {
		answers(t, s, id)
	}
	must(t, os.RemoveAll(filepath.Join(dir, "rows")))
	for range 2 {
		if err := s.Apply(t.Context(), whole("o/b")); err != nil && fault.CodeOf(err) != fault.IndexNotReady &&
			fault.CodeOf(err) != fault.RAGUnavailable {
			t.Errorf("Apply: %v (%s)", err, fault.CodeOf(err))
		}
	}
	must(t, s.Close())
	mended(t, dir, want)
}

// Without root.bolt nothing is acknowledged, and nobody waits.
func TestRootGoesInUse(t *testing.T) {
	dir, want := undamaged(t)
	s := open(t, dir)
	must(t, os.Remove(filepath.Join(dir, "text", "root.bolt")))
	for range 2 {
		wantFault(t, s.Apply(t.Context(), whole("o/b")), fault.IndexNotReady, "ragnav doctor --repair")
	}
	must(t, s.Close())
	mended(t, dir, want)
}

// idle waits until scorch has merged the segments that it found when it was opened: it
// writes, and tidies up, by the path of the directory, whatever is there.
func idle(t *testing.T, dir string) {
	t.Helper()
	var last []string
	for since := time.Now(); time.Since(since) < 200*time.Millisecond; time.Sleep(time.Millisecond) {
		files, err := filepath.Glob(filepath.Join(dir, "text", "*.zap"))
		if must(t, err); !slices.Equal(files, last) {
			last, since = files, time.Now()
		}
	}
}

// The directory goes, or another comes in its place, while the store is open: the
// checks say so before anything is written, nothing more is acknowledged, and what is
// there now is left alone.
func TestDirectoryGoesInUse(t *testing.T) {
	for name, replaced := range map[string]bool{"gone": false, "another in its place": true} {
		t.Run(name, func(t *testing.T) {
			dir, _ := undamaged(t)
			other, _ := undamaged(t)
			s := open(t, dir)
			idle(t, dir)
			if c := s.Checks(t.Context()); len(c) != 0 {
				t.Errorf("checks before: %+v", c)
			}
			must(t, os.Rename(dir, filepath.Join(t.TempDir(), "away")))
			if replaced {
				must(t, os.Rename(other, dir))
			}
			if c := s.Checks(t.Context()); len(c) != 1 || c[0].OK || !strings.Contains(c[0].Message, "LOCK") {
				t.Errorf("checks after: %+v", c)
			}
			wantFault(t, s.Apply(t.Context(), whole("o/b")), fault.IndexNotReady, "ragnav doctor --repair")
			if !replaced {
				must(t, os.Mkdir(dir, 0o700)) // somebody begins anew
			}
			before := contents(t, dir)
			_ = s.Close()
			after := contents(t, dir)
			// What scorch began when it was opened may tidy up among segments yet.
			maps.DeleteFunc(before, func(file, _ string) bool { return strings.HasSuffix(file, ".zap") && after[file] == "" })
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("Close changed what is there now (-before +after):\n%s", diff)
			}
		})
	}
}
