package embedded_test

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded"
	"github.com/ragnav/ragnav/internal/store/embedded/backup"
)

var damagedRepos = []models.RepoID{"o/a", "o/b", "o/c"}

// whole is a repository as an index run leaves it.
func whole(id models.RepoID) store.Batch {
	repo := models.Repository{
		RepoID: id, Root: "/src/" + string(id), State: models.StateFresh, DocCount: batchDocs,
		SchemaVersion: models.SchemaVersion,
	}
	b := store.Batch{PutRecords: []store.Record{{Collection: models.CollectionRepos, Key: string(id), Value: repo}}}
	for i := range batchDocs {
		d := numbered(len(id), i, int(id[2]))
		d.ID, d.RepoID = models.FileID(id, d.FilePath), id
		d.Content = fmt.Sprintf("content of %s", d.ID)
		copy(d.EmbeddingKey[:], string(d.ID)[len(d.ID)-8:]+strings.Repeat("k", 64))
		b.Put = append(b.Put, d)
		b.PutRecords = append(b.PutRecords,
			store.Record{Collection: models.FilesCollection(id), Key: d.FilePath, Value: models.FileRecord{Path: d.FilePath}})
	}
	return b
}

// again has a run index a repository, which says so first.
func again(t *testing.T, s *embedded.Store, id models.RepoID) error {
	t.Helper()
	begun := models.Repository{RepoID: id, Root: "/src/" + string(id), State: models.StateIndexing}
	must(t, s.Apply(t.Context(), store.Batch{PutRecords: []store.Record{
		{Collection: models.CollectionRepos, Key: string(id), Value: begun},
	}}))
	return s.Apply(t.Context(), whole(id))
}

// answers is what readers see of a repository: nil of one that says it can't answer.
func answers(t *testing.T, s *embedded.Store, id models.RepoID) []models.Document {
	t.Helper()
	var r models.Repository
	found, err := s.Record(t.Context(), models.CollectionRepos, string(id), &r)
	if err != nil || !found {
		t.Fatalf("record of %s: %v, %v; no repository may be lost", id, found, err)
	}
	if r.State != models.StateFresh {
		if r.Root != "/src/"+string(id) || !strings.Contains(r.LastError, "ragnav index /src/"+string(id)) {
			t.Errorf("%s says %+v, want its root and what to do", id, r)
		}
		return nil
	}
	res := find(t, s, fts.Request{Query: fts.Filter(fts.FieldRepo, string(id)), Size: 1000})
	ids := make([]models.DocumentID, 0, len(res.Hits))
	for _, h := range res.Hits {
		ids = append(ids, h.ID)
	}
	docs, err := s.Documents(t.Context(), ids)
	must(t, err)
	if docs == nil {
		docs = []models.Document{}
	}
	files := 0
	must(t, s.Records(t.Context(), models.FilesCollection(id),
		func(string, json.RawMessage) error { files++; return nil }))
	if files != batchDocs {
		t.Errorf("%s has %d records of files, want %d", id, files, batchDocs)
	}
	return docs
}

// contents are the sums of all files below a folder.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	sums := map[string]string{}
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "LOCK" {
			return err
		}
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) && filepath.Ext(path) == ".zap" { // tidied up by scorch
			return nil
		}
		sums[strings.TrimPrefix(path, dir)] = fmt.Sprintf("%x", sha256.Sum256(data))
		return err
	}))
	return sums
}

// damages are ways to damage a file.
var damages = map[string]func(file string, data []byte, random *rand.Rand) error{
	"gone":  func(file string, _ []byte, _ *rand.Rand) error { return os.Remove(file) },
	"empty": func(file string, _ []byte, _ *rand.Rand) error { return os.Truncate(file, 0) },
	"short": func(file string, data []byte, r *rand.Rand) error {
		return os.Truncate(file, r.Int64N(int64(len(data))))
	},
	"bit": func(file string, data []byte, r *rand.Rand) error {
		data[r.IntN(len(data))] ^= 1 << r.IntN(8)
		return os.WriteFile(file, data, 0o600)
	},
	"folder": func(file string, _ []byte, _ *rand.Rand) error {
		return errors.Join(os.Remove(file), os.Mkdir(file, 0o700))
	},
	"zeros": func(file string, data []byte, r *rand.Rand) error {
		from := r.IntN(len(data))
		clear(data[from:min(from+512, len(data))])
		return os.WriteFile(file, data, 0o600)
	},
}

// Whatever is damaged, nothing is lost without a word, and all of it can be mended.
func TestDamage(t *testing.T) {
	origin, want := undamaged(t)
	for file := range contents(t, origin) {
		for how := range damages {
			t.Run(strings.TrimPrefix(file, "/")+" "+how, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				must(t, os.CopyFS(dir, os.DirFS(origin)))
				data, err := os.ReadFile(filepath.Join(dir, file))
				must(t, err)
				must(t, damages[how](filepath.Join(dir, file), data, rand.New(rand.NewPCG(rand.Uint64(), 1))))
				mended(t, dir, want)
			})
		}
	}
}

// So it is where a file is in place of a folder, or a folder in place of a file.
func TestOfAnotherKind(t *testing.T) {
	origin, want := undamaged(t)
	for _, name := range []string{"text", "rows", "drafts", "quarantine", "LOCK", "owner.json"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			must(t, os.CopyFS(dir, os.DirFS(origin)))
			at := filepath.Join(dir, name)
			must(t, os.RemoveAll(at))
			if strings.ToLower(name) == name && !strings.Contains(name, ".") {
				must(t, os.WriteFile(at, []byte("a file"), 0o600))
			} else {
				must(t, os.MkdirAll(filepath.Join(at, "a folder"), 0o700))
			}
			if v, err := backup.Verify(t.Context(), dir, dims); err != nil || len(v.Damages) != 1 ||
				v.Damages[0].File != name {
				t.Errorf("Verify found %v, %v; want %s", v.Damages, err, name)
			}
			for _, o := range []embedded.Options{{Dims: dims}, {Dims: dims, ReadOnly: true}} {
				_, err := embedded.Open(t.Context(), dir, o)
				wantFault(t, err, fault.IndexNotReady, name+" is not a f")
				wantFault(t, err, fault.IndexNotReady, "ragnav doctor --repair")
			}
			mended(t, dir, want)
		})
	}
}

// The rows of another store are nobody's, also where these are as many bytes.
func TestRowsOfAnotherStore(t *testing.T) {
	for _, strange := range [][]models.RepoID{{"strange/x"}, {"p/a", "p/b", "p/c"}} {
		t.Run(fmt.Sprint(strange), func(t *testing.T) {
			dir, want := undamaged(t)
			other := t.TempDir()
			s := open(t, other)
			for _, id := range strange {
				must(t, s.Apply(t.Context(), whole(id)))
			}
			must(t, s.Close())
			data, err := os.ReadFile(filepath.Join(other, "rows", "vectors-0.log"))
			must(t, err)
			must(t, os.WriteFile(filepath.Join(dir, "rows", "vectors-0.log"), data, 0o600))
			mended(t, dir, want)
		})
	}
}

// undamaged is a directory with all repositories, and what they answer.
func undamaged(t *testing.T) (dir string, want map[models.RepoID][]models.Document) {
	t.Helper()
	dir, want = t.TempDir(), map[models.RepoID][]models.Document{}
	s := open(t, dir)
	for _, id := range damagedRepos {
		must(t, s.Apply(t.Context(), whole(id)))
	}
	for _, id := range damagedRepos {
		want[id] = answers(t, s, id)
	}
	must(t, s.Close())
	return dir, want
}

// mended checks each step from a damaged directory to a whole one.
func mended(t *testing.T, dir string, want map[models.RepoID][]models.Document) {
	before := contents(t, dir)
	read, err := embedded.Open(t.Context(), dir, embedded.Options{Dims: dims, ReadOnly: true})
	if err == nil {
		for id, docs := range want {
			if got := answers(t, read, id); got != nil {
				equal(t, "to be read", docs, got)
			}
		}
		must(t, read.Close())
	} else {
		wantFault(t, err, fault.IndexNotReady, "ragnav doctor --repair")
	}
	if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
		t.Errorf("reading changed (-before +after):\n%s", diff)
	}
	s, err := embedded.Open(t.Context(), dir, embedded.Options{Dims: dims})
	if err != nil {
		wantFault(t, err, fault.IndexNotReady, "ragnav doctor --repair")
		s, err = embedded.Open(t.Context(), dir, embedded.Options{Dims: dims, Repair: true})
		must(t, err)
	}
	for id, docs := range want {
		if got := answers(t, s, id); got != nil {
			equal(t, "to be written", docs, got)
			continue
		}
		must(t, again(t, s, id))
		equal(t, "indexed again", docs, answers(t, s, id))
	}
	must(t, s.Close())
	s = open(t, dir)
	for id, docs := range want {
		equal(t, "in the end", docs, answers(t, s, id))
	}
}

func equal(t *testing.T, when string, want, got []models.Document) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", when, diff)
	}
}
