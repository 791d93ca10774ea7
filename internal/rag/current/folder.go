package current

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// A folder is what is known of the folder of one repository.
type folder struct {
	waiting atomic.Int32
	slow    atomic.Bool // it has not answered in time lately
	asked   time.Time   // guarded by the service

	loading  chan struct{} // holds one element while records are read or the folder is opened
	manifest *fresh.Manifest
	of       generation // of the index that the manifest is of
	closed   []string   // folders that its run could not read
	tree     *disk.Held

	mu   sync.Mutex // guards what follows
	seen map[string]content
	laid *laid // the last one
}

func newFolder() *folder { return &folder{loading: make(chan struct{}, 1)} }

// A generation tells one state of a repository's index from another.
type generation struct {
	root    string
	indexed time.Time
	runs    int
}

func generationOf(r models.Repository) generation {
	return generation{r.Root, r.LastIndexedAt.UTC(), r.Runs}
}

// maxWaiting is how many requests wait for one folder; more are told at once
// that it does not answer.
const maxWaiting = 256

func (f *folder) enter() bool {
	if f.waiting.Add(1) > maxWaiting {
		f.waiting.Add(-1)
		return false
	}
	return true
}

// budget is for how long a request waits.
func (f *folder) budget() time.Duration {
	if f.slow.Load() {
		return slowBudget
	}
	return lookBudget
}

func (f *folder) leave() { f.waiting.Add(-1) }

func (f *folder) close() {
	f.loading <- struct{}{}
	defer f.unlock()
	if f.manifest != nil {
		f.manifest.Release()
	}
	f.drop()
}

// drop gives the open folder up.
func (f *folder) drop() {
	if f.tree != nil {
		_ = f.tree.Close() // was read only
		f.tree = nil
	}
}

// standing looks at the folder.
func (s *Service) standing(ctx context.Context, f *folder, r models.Repository) Standing {
	st := Standing{Repo: r, Freshness: models.Unknown}
	for again := false; ; again = true {
		tree, err := s.prepare(ctx, f, r)
		if err != nil {
			st.Reason, st.Gone = words(err), fault.CodeOf(err) == fault.PathNotFound
			st.Absent = st.Gone || errors.Is(err, errNotHere)
			return st
		}
		delta, err := tree.manifest.Check(ctx, tree.Folder, fresh.Options{Limits: s.Limits, Watchers: s.Watchers})
		if fault.CodeOf(err) == fault.PathNotFound && !again {
			_ = tree.Close()
			f.replaced(tree.Held)
			continue // the folder is another one than was opened
		}
		defer func() { _ = tree.Close() }()
		if err == nil && !f.still(ctx, r) {
			err = errMoved
		}
		outside := false
		if err == nil {
			outside, err = listing.Sparse(ctx, tree.Folder)
		}
		if err != nil {
			st.Reason = words(err)
			return st
		}
		delta.Deleted = slices.DeleteFunc(delta.Deleted, tree.stillClosed)
		st = Compared(r, delta)
		if st.Sparse = outside; st.few() && s.Overlay != nil {
			if st.laid, err = s.lay(ctx, f, tree.Folder, r, delta); err != nil {
				st.Reason += "; " + words(err)
			}
		}
		return st
	}
}

var (
	errNotHere = errors.New("its folder is not on this machine")
	errMoved   = errors.New("its index changed meanwhile; ask again")
)

// lock is false when the context ends before.
func (f *folder) lock(ctx context.Context) bool {
	select {
	case f.loading <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (f *folder) unlock() { <-f.loading }

// still reports whether the manifest is that of the index which r is of.
func (f *folder) still(ctx context.Context, r models.Repository) bool {
	if !f.lock(ctx) {
		return false
	}
	defer f.unlock()
	return f.of == generationOf(r)
}

// A prepared folder is one with the manifest to compare it with.
type prepared struct {
	*disk.Held

	manifest *fresh.Manifest
	closed   []string
}

// stillClosed reports that a path is a folder which could not be read when the
// index was made either: it doesn't differ.
func (p prepared) stillClosed(path string) bool {
	if !slices.Contains(p.closed, path) {
		return false
	}
	_, err := p.ReadFolder(path)
	return errors.Is(err, fs.ErrPermission)
}

// prepare reads the records of the index, if they are not the ones from before,
// and opens the folder. Release it.
func (s *Service) prepare(ctx context.Context, f *folder, r models.Repository) (prepared, error) {
	if !f.lock(ctx) {
		return prepared{}, ctx.Err()
	}
	defer f.unlock()
	if f.manifest == nil {
		f.manifest, f.of, f.closed = s.Kept.load(r)
	}
	if f.manifest == nil || f.of != generationOf(r) {
		if err := s.load(ctx, f, r); err != nil {
			return prepared{}, err
		}
	}
	if f.tree == nil || !f.tree.Current(disk.Above{}) {
		f.drop()
		files, err := s.Open(ctx, r)
		if err != nil {
			return prepared{}, err
		}
		tree, ok := files.(repo.Tree)
		if !ok {
			return prepared{}, errors.Join(errNotHere, files.Close())
		}
		f.tree = disk.Hold(tree.Folder)
	}
	f.tree.Retain()
	return prepared{f.tree, f.manifest, f.closed}, nil
}

// replaced has the folder opened again.
func (f *folder) replaced(tree *disk.Held) {
	f.loading <- struct{}{}
	defer f.unlock()
	if f.tree == tree {
		f.drop()
	}
}

// reading calls read under a context in which the index is the one that r is of.
func (s *Service) reading(ctx context.Context, r models.Repository, read func(ctx context.Context) error) error {
	if s.Pin != nil {
		pinned, release, err := s.Pin(ctx)
		if err != nil {
			return err
		}
		defer release()
		ctx = pinned
	}
	var now models.Repository
	if ok, err := s.Store.Record(ctx, models.CollectionRepos, string(r.RepoID), &now); err != nil || !ok {
		return errors.Join(err, errMoved)
	}
	if generationOf(now) != generationOf(r) {
		return errMoved
	}
	return read(ctx)
}

// load reads the records of the index.
func (s *Service) load(ctx context.Context, f *folder, r models.Repository) error {
	var records []fresh.Record
	var closed []string
	err := s.reading(ctx, r, func(ctx context.Context) error {
		return s.Indexer.FileRecords(ctx, r.RepoID, func(rec models.FileRecord) {
			if kept, ok := recordOf(rec); ok {
				records = append(records, kept)
			}
			if rec.Detail == listing.UnreadableFolder {
				closed = append(closed, rec.Path)
			}
		})
	})
	if err != nil {
		return fmt.Errorf("read the records of %s: %w", r.RepoID, err)
	}
	if f.manifest != nil && f.of.root == r.Root {
		f.manifest.Rebase(records)
	} else {
		if f.manifest != nil {
			f.manifest.Release()
		}
		f.manifest = fresh.Recorded(r.LastIndexedAt, s.Limits, records)
	}
	f.of, f.closed = generationOf(r), closed
	f.mu.Lock()
	defer f.mu.Unlock()
	f.laid = nil
	return nil
}

// neverListed are details of records of what stays as it is, and is no file to a check.
var neverListed = []string{listing.DeepFolder, relpath.NotUTF8, relpath.HasControls}

// recordOf is what a check needs of a file's record. It is false for files that
// are left out whatever is in them.
func recordOf(rec models.FileRecord) (fresh.Record, bool) {
	r := fresh.Record{
		Path: strings.Clone(rec.Path), Size: rec.Size, ModTime: rec.ModTime, Changed: rec.Changed, Racy: rec.Racy,
	}
	hash, err := hex.DecodeString(rec.Hash)
	switch {
	case rec.Skipped == models.SkipUnreadable && slices.Contains(neverListed, rec.Detail):
		return r, false
	case rec.Skipped == models.SkipUnreadable:
		r.Unread = true
		return r, true
	case err != nil || len(hash) != len(r.Hash):
		return r, rec.Skipped == "" // an intent: a run has not come to its end, and the file differs
	}
	copy(r.Hash[:], hash)
	return r, rec.Skipped != models.SkipTooLarge
}

// words is what people are told of an error.
func words(err error) string {
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return f.Message
	}
	for _, known := range []error{errNotHere, errMoved} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	return "its folder could not be looked at"
}
