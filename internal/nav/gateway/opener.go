// Package gateway decides what answers a question about a repository: the graph,
// the graph with changed files over it, or a live scan. It finds what a name or a
// place means there, and in the repositories beside it, and reads what an answer
// quotes.
package gateway

import (
	"cmp"
	"context"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/build"
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
	Extract build.Extractor
	// Release lets go of memory that Extract has while it reads the languages of
	// which Needs is true; nil: it has none.
	Release func()
	Needs   func(language string) bool
	// Locals reads the names that mean something in a part of a file only; nil:
	// none are known.
	Locals  func(ctx context.Context, path, language, text string) ([]facts.Local, error)
	Outline reader.Parser // tells signatures and doc comments
	// Revision changes when the same facts are resolved to something else.
	Revision string
	Limits   listing.Limits // those of the index: facts are read of such files, others are only searched
	Workers  int            // 0: as many as there are processors
	Now      func() time.Time
	// Watchers make checks of what is asked about again cheap; nil: none. Their
	// owner closes them.
	Watchers *fresh.Watchers
}

// An Opener opens repositories for questions. It may be used concurrently.
type Opener struct {
	Config

	Listed listing.Limits // of the files that are listed and searched
	Kept   cache
	Facts  *factMemory
	// later builds the graph of a repository in the background and says how that
	// stands; nil: none are built so.
	Later func(id models.RepoID) string

	clock    func() time.Time // of the Config; nil: time.Now
	locals   textMemory[[]facts.Local]
	outlines textMemory[*Described]
}

// New returns an Opener.
func New(c Config) *Opener {
	clock := c.Now
	if c.Now == nil {
		c.Now = time.Now
	}
	o := &Opener{
		Config: c, clock: clock, Listed: c.Limits, Facts: newFactMemory(),
		Kept: cache{graphs: map[string]*Stored{}, broken: map[string]bool{}},
	}
	o.Listed.MaxFileSize = max(MaxSearched, o.Limit())
	return o
}

// MaxSearched is the size in bytes of the largest file that is searched.
const MaxSearched = 64 << 20

// Resolver resolves by all languages there are.
func Resolver(w resolve.World) graph.Resolver { return resolve.New(w, languages.All()) }

// Tree opens the folder of a repository, and tells its whole id.
func (o *Opener) Tree(ctx context.Context, id models.RepoID) (*disk.Folder, models.RepoID, error) {
	known, err := o.Repos.Repository(ctx, id)
	if err != nil {
		return nil, "", err
	}
	tree, err := o.treeOf(ctx, known)
	return tree, known.RepoID, err
}

// treeOf opens the folder of a repository.
func (o *Opener) treeOf(ctx context.Context, known models.Repository) (*disk.Folder, error) {
	files, err := o.Repos.Open(ctx, known)
	if err != nil {
		return nil, err
	}
	if tree, ok := files.(repo.Tree); ok {
		return tree.Folder, nil
	}
	_ = files.Close()
	return nil, fault.New(fault.PathNotFound,
		"the folder %s of repository %s is not on this machine, and navigation needs it; ask the server that has it, or "+
			"share --repos-dir", known.Root, known.RepoID)
}

// Unseen counts what there is in a repository that no search of its text looks into.
func (o *Opener) Unseen(ctx context.Context, id models.RepoID) (listing.Unseen, error) {
	known, err := o.Repos.Repository(ctx, id)
	if err != nil {
		return listing.Unseen{}, err
	}
	tree, err := o.treeOf(ctx, known)
	if err != nil {
		return listing.Unseen{}, err
	}
	defer func() { _ = tree.Close() }()
	listed, err := listing.List(ctx, tree, o.Listed)
	return listed.Unseen(), err
}

// Limit is the size in bytes of the largest file whose facts are read.
func (o *Opener) Limit() int64 {
	return cmp.Or(max(o.Limits.MaxFileSize, 0), listing.DefaultMaxFileSize)
}

// OnForgotten has a function told of roots whose graph is not kept any more, so that nothing keeps
// what was made of it; "" is more than one. It is called while the graphs are locked, and is set
// before anything is asked.
func (o *Opener) OnForgotten(forgotten func(root string)) { o.Kept.forgotten = forgotten }

// An opener is an Opener, or what has one and more.
type opener interface{ base() *Opener }

func (o *Opener) base() *Opener { return o }

// soundAttempts is how often a question is asked while graphs turn out to be
// damaged.
const soundAttempts = 3

// Sound answers a question. Most of a graph is read when it is asked for; when
// something was not what had been written, the graph is given up and the
// question asked again, which the file system then answers. Behind its deadline no answer
// is given: views don't find all then.
func Sound[O opener, Q, R any](
	ctx context.Context, o O, req Q, ask func(context.Context, O, Q) (R, error),
) (R, error) {
	kept := &o.base().Kept
	defer kept.trim()
	for range soundAttempts {
		before := kept.losses.Load()
		res, err := ask(ctx, o, req)
		if kept.losses.Load() == before {
			return res, cmp.Or(err, ctx.Err()) // what took too long may have been left out
		}
		kept.DropDamaged()
	}
	var none R
	return none, fault.New(fault.IndexNotReady,
		"the graph of this repository can't be read; build it again with `ragnav nav build-graph --full`")
}
