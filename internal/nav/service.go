package nav

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/nav/resolve/languages"
	"github.com/ragnav/ragnav/internal/parse/reader"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// Repositories finds a repository; an unknown id is a fault.RepoNotFound.
type Repositories interface {
	Repository(ctx context.Context, id models.RepoID) (models.Repository, error)
	// Open opens the files of a repository; without any it is a fault.PathNotFound.
	Open(ctx context.Context, known models.Repository) (repo.Files, error)
}

// Config is what a Service needs. Now may be nil.
type Config struct {
	Repos Repositories
	// Match returns the repositories that a filter means; nil where there is one.
	Match   func(ctx context.Context, filter string) ([]models.Repository, error)
	Extract graph.Extractor
	// Locals reads the names that mean something in a part of a file only; nil:
	// none are known.
	Locals  func(ctx context.Context, path, language, text string) ([]facts.Local, error)
	Outline reader.Parser // tells signatures and doc comments
	// Revision changes when the same facts are resolved to something else.
	Revision string
	Limits   listing.Limits // those of the index: facts are read of such files, others are only searched
	Workers  int            // 0: as many as there are processors
	Now      func() time.Time
	// Witnesses make checks of what is asked about again cheap; nil: none. Their
	// owner closes them.
	Witnesses *fresh.Witnesses
}

// A Service answers for repositories that have a folder on this machine. Its
// methods may be called concurrently.
type Service struct {
	Config

	listed listing.Limits // of the files that are listed and searched

	builds *builds // nil: none are built in the background

	losses atomic.Int64 // graphs that turned out to be damaged while they were used

	mu      sync.Mutex
	graphs  map[string]*stored  // by root
	joints  map[string]*jointed // by root
	headers map[viewPair][]string
	broken  map[string]bool // by root: a graph of it was damaged, so the next one is read through when it is loaded
	facts   *factMemory
}

// New returns a Service.
func New(c Config) *Service {
	if c.Now == nil {
		c.Now = time.Now
	}
	s := &Service{
		Config: c, listed: c.Limits, graphs: map[string]*stored{}, joints: map[string]*jointed{},
		broken: map[string]bool{}, headers: map[viewPair][]string{}, facts: newFactMemory(),
	}
	s.listed.MaxFileSize = max(maxSearched, s.limit())
	return s
}

// maxSearched is the size in bytes of the largest file that is searched.
const maxSearched = 64 << 20

// resolver resolves by all languages there are.
func resolver(w resolve.World) graph.Resolver { return resolve.New(w, languages.All()) }

// tree opens the folder of a repository, and tells its whole id.
func (s *Service) tree(ctx context.Context, id models.RepoID) (*disk.Folder, models.RepoID, error) {
	known, err := s.Repos.Repository(ctx, id)
	if err != nil {
		return nil, "", err
	}
	files, err := s.Repos.Open(ctx, known)
	if err != nil {
		return nil, "", err
	}
	if tree, ok := files.(repo.Tree); ok {
		return tree.Folder, known.RepoID, nil
	}
	_ = files.Close()
	return nil, "", fault.New(fault.PathNotFound,
		"the folder %s of repository %s is not on this machine, and navigation needs it; ask the server that has it, or "+
			"share --repos-dir", known.Root, id)
}

// limit is the size in bytes of the largest file whose facts are read.
func (s *Service) limit() int64 {
	return cmp.Or(max(s.Limits.MaxFileSize, 0), listing.DefaultMaxFileSize)
}

// soundAttempts is how often a question is asked while graphs turn out to be
// damaged.
const soundAttempts = 3

// sound answers a question. Most of a graph is read when it is asked for; when
// something was not what had been written, the graph is given up and the
// question asked again, which the file system then answers.
func sound[Q, R any](ctx context.Context, s *Service, req Q, ask func(context.Context, Q) (R, error)) (R, error) {
	for range soundAttempts {
		before := s.losses.Load()
		res, err := ask(ctx, req)
		if s.losses.Load() == before {
			return res, err
		}
		s.dropDamaged()
	}
	var none R
	return none, fault.New(fault.IndexNotReady,
		"the graph of this repository can't be read; build it again with: ragnav nav build-graph --full")
}

// dropDamaged forgets graphs that can't be read, and what was made of them.
func (s *Service) dropDamaged() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for root, g := range s.graphs {
		if g.graph.Damaged() {
			s.broken[root] = true
			s.drop(root)
		}
	}
	clear(s.joints)
}
