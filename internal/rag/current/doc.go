// Package current knows how the index of repositories stands to their folders,
// and lets searches see the files as they are.
//
// What an index run kept of each file is the manifest of a check of package
// fresh, the one that navigation uses too: exact, and next to free where the
// system tells of changes. Where few files differ, they are read, parsed and
// composed as an index run would, and laid over the index for one request: their
// documents take the place of those that the index has, and are searched with
// all others as one corpus. docs/adr/0018 has the argument.
package current

import (
	"context"
	"sync"
	"time"

	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// A Store has the records that index runs left.
type Store interface {
	Record(ctx context.Context, collection, key string, v any) (bool, error)
}

// An Indexer reads files, and records of files, as index runs do.
type Indexer interface {
	// FileRecords calls yield for the records of the files of a repository.
	FileRecords(ctx context.Context, id models.RepoID, yield func(models.FileRecord)) error
	// Compose makes the documents of files as they are now.
	Compose(ctx context.Context, tree *disk.Folder, known models.Repository, paths []string) ([]index.Made, error)
}

// An Overlayer shows documents over those that it stores.
type Overlayer interface {
	// Overlay returns a context under which all reading sees the overlay, until release.
	Overlay(ctx context.Context, o models.Overlay) (over context.Context, release func(), err error)
}

// Config is what a Service needs.
type Config struct {
	Store   Store
	Indexer Indexer
	// Open opens the files of a repository; without any it is a fault.PathNotFound.
	Open func(ctx context.Context, known models.Repository) (repo.Files, error)
	// Share has Open take a folder under a context of one request, where it would open it
	// again; nil: it is opened by each who reads of it.
	Share func(ctx context.Context, id models.RepoID, tree *disk.Folder)
	// Pin has all reading under a context see one state of the store; nil: each
	// read sees what is there by then.
	Pin func(ctx context.Context) (pinned context.Context, release func(), err error)
	// Overlay is nil where the store has none: files that changed are then told,
	// and not searched.
	Overlay  Overlayer
	Limits   listing.Limits // those of index runs
	Watchers *fresh.Watchers
	Kept     Kept
	// Glance is about how many files the folders have that Lay looks at where several are
	// asked for; 0: all. It is for processes that do one thing, and have to look at each file.
	Glance int
}

// How long a request waits. What takes longer goes on, so that a later request
// finds it done.
const (
	// lookBudget is for how long the folders of a request are looked at: 50,000 files
	// take 50 ms once they are known, and several times that at first. Of a folder that
	// has not answered in time the next request expects less.
	lookBudget = 2 * time.Second
	slowBudget = 200 * time.Millisecond
	// precheckBudget is for how long all of them are pre-checked, which takes a millisecond.
	precheckBudget = time.Second
	// composeBudget is for how long changed files are read and parsed.
	composeBudget = time.Second
	// patience is after how long a look is given up altogether.
	patience = time.Minute
)

// A Service looks at folders. Its methods may be called concurrently. Close it.
type Service struct {
	Config

	ctx  context.Context //nolint:containedctx // of looks, which outlive the requests that began them
	stop context.CancelFunc
	runs sync.WaitGroup

	mu     sync.Mutex
	known  map[models.RepoID]*folder
	closed bool
	made   memory
}

// New returns a Service.
func New(c Config) *Service {
	ctx, stop := context.WithCancel(context.Background())
	return &Service{Config: c, ctx: ctx, stop: stop, known: map[models.RepoID]*folder{}}
}

// Close waits for what looks at folders.
func (s *Service) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.stop()
	s.runs.Wait()
	for id, f := range s.known {
		s.Kept.save(id, f)
		f.close()
	}
}

// Settle learns of the folder of a repository what Close keeps of it, and gives up what
// is kept of repositories that left the index.
func (s *Service) Settle(ctx context.Context, r models.Repository) error {
	s.Kept.clean(ctx, s.Store)
	f, ok := s.folder(r.RepoID)
	if !ok || r.State != models.StateFresh {
		return nil
	}
	tree, err := s.prepare(ctx, f, r)
	if err != nil {
		return err
	}
	defer func() { _ = tree.Close() }()
	for n := 0; n < 2 && !tree.manifest.Complete() && err == nil; n++ {
		_, err = tree.manifest.Check(ctx, tree.Folder, fresh.Options{Limits: s.Limits})
	}
	if err == nil {
		err = tree.manifest.LearnGit(ctx, tree.Folder, fresh.Options{Limits: s.Limits})
	}
	return err
}

// maxLooks is how many folders are looked at side by side.
const maxLooks = 8

// Look looks at the folders of repositories, for a bounded time. The standings are
// in the order of the repositories.
func (s *Service) Look(ctx context.Context, repos []models.Repository) (Standings, error) {
	all := make(Standings, len(repos))
	if len(repos) == 0 {
		return all, nil
	}
	ctx, cancel := context.WithTimeout(ctx, lookBudget)
	defer cancel()
	group, ctx := parallel.NewGroup(ctx)
	group.SetLimit(maxLooks)
	known := precheckOf(ctx, s, repos)
	for i, r := range repos {
		if d := known[i]; d != nil {
			all[i] = Compared(r, *d)
			continue
		}
		group.Go(func() (err error) {
			all[i], err = s.look(ctx, r)
			return err
		})
	}
	return all, group.Wait()
}

// folder is what is known of the folder of a repository.
func (s *Service) folder(id models.RepoID) (*folder, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, false
	}
	f := s.known[id]
	if f == nil {
		s.forget()
		f = newFolder()
		s.known[id] = f
	}
	f.asked = time.Now()
	return f, true
}

// unasked is after how long a folder that nobody asks about is forgotten.
const unasked = 10 * time.Minute

// forget gives up folders that nobody asks about, those of repositories that
// left the index among them.
func (s *Service) forget() {
	for id, f := range s.known {
		if time.Since(f.asked) > unasked && f.waiting.Load() == 0 {
			f.close()
			delete(s.known, id)
		}
	}
}

// running counts what runs in the background; false once everything ends.
func (s *Service) running() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.runs.Add(1)
	return true
}

// look looks at one folder in the background and waits for what is found.
func (s *Service) look(ctx context.Context, r models.Repository) (Standing, error) {
	unknown := Standing{Repo: r, Freshness: models.Unknown}
	if r.State != models.StateFresh {
		unknown.Reason = "it is not indexed yet"
		return unknown, nil
	}
	f, ok := s.folder(r.RepoID)
	if !ok || !f.enter() {
		unknown.Reason = "its folder is being looked at, and does not answer"
		return unknown, nil
	}
	ctx, cancel := context.WithTimeout(ctx, f.budget())
	defer cancel()
	var st Standing
	ended := s.start(f, func(ctx context.Context) { st = s.standing(ctx, f, r) }) //nolint:contextcheck // it outlives the question
	select {
	case err := <-ended:
		f.slow.Store(false)
		return st, err
	case <-ctx.Done():
		f.slow.Store(true)
		unknown.Reason = "the folder could not be looked at in time; ask again"
		return unknown, nil
	}
}

// start calls do in the background, where it may take longer than anybody waits.
func (s *Service) start(f *folder, do func(ctx context.Context)) <-chan error {
	s.runs.Add(1)
	return parallel.Start(func() error {
		defer s.runs.Done()
		defer f.leave()
		ctx, cancel := context.WithTimeout(s.ctx, patience)
		defer cancel()
		do(ctx)
		return nil
	})
}
