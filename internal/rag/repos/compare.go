package repos

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
)

// maxCompared is how many repositories a Comparison looks at from its begin, and
// whose new files it finds. Others are looked at when they are asked for.
const maxCompared = 8

// A Comparison tells how the index of some repositories stands to their folders.
// It is used by one goroutine. Close it.
type Comparison struct {
	service *Service
	known   []models.Repository
	all     map[models.RepoID]*compared
}

// A compared is one repository, looked at in the background.
type compared struct {
	known  models.Repository
	ready  chan struct{}
	failed error      // a panic
	tree   *repo.Tree // nil: the folder is not here
	gone   bool       // nor anything else that the files could be read from
	head   string
	added  []string // files, in order
}

// wait waits until the repository was looked at. A panic of that goes on here.
func (c *compared) wait() {
	if <-c.ready; c.failed != nil {
		panic(c.failed)
	}
}

// Compare begins to look at the folders of repositories.
func (s *Service) Compare(ctx context.Context, known []models.Repository) *Comparison {
	c := &Comparison{service: s, known: known, all: map[models.RepoID]*compared{}}
	for _, k := range known[:min(len(known), maxCompared)] {
		c.begin(k, func(one *compared) {
			if one.open(ctx, s); one.tree != nil {
				one.added = one.additions(ctx, s)
			}
		})
	}
	return c
}

func (c *Comparison) begin(known models.Repository, look func(*compared)) {
	one := &compared{known: known, ready: make(chan struct{})}
	c.all[known.RepoID] = one
	parallel.Start(func() error {
		defer close(one.ready)
		one.failed = parallel.Call(func() error { look(one); return nil })
		return nil
	})
}

// Look begins to look at those of some repositories that nobody looked at yet.
func (c *Comparison) Look(ctx context.Context, ids []models.RepoID) {
	for _, k := range c.known {
		if c.all[k.RepoID] == nil && slices.Contains(ids, k.RepoID) {
			c.begin(k, func(one *compared) { one.open(ctx, c.service) })
		}
	}
}

func (c *compared) open(ctx context.Context, s *Service) {
	files, err := s.Open(ctx, c.known)
	if err != nil {
		c.gone = fault.CodeOf(err) == fault.PathNotFound
		return
	}
	tree, ok := files.(*repo.Tree)
	if !ok {
		_ = files.Close()
		return
	}
	if c.head, err = tree.Head(ctx); err != nil {
		_ = tree.Close()
		return
	}
	c.tree = tree
}

// Close releases the folders.
func (c *Comparison) Close() {
	for _, one := range c.all {
		if <-one.ready; one.tree != nil {
			_ = one.tree.Close()
		}
	}
}

// Gone reports whether the folder of a repository is not there, nor anything
// else that its files could be read from.
func (c *Comparison) Gone(id models.RepoID) bool {
	one := c.all[id]
	if one == nil {
		return false
	}
	one.wait()
	return one.gone
}

// Knows reports whether the repository's folder could be looked at, and whether
// the commit that is checked out is the one that was indexed.
func (c *Comparison) Knows(id models.RepoID) (known, sameCommit bool) {
	one := c.all[id]
	if one == nil {
		return false, false
	}
	one.wait()
	return one.tree != nil, one.tree != nil && one.head == one.known.LastIndexedCommit
}

// Files compares files with what was indexed of them: by size and time, and by
// content where these differ.
func (c *Comparison) Files(ctx context.Context, id models.RepoID, paths []string) map[string]models.FileState {
	states := make(map[string]models.FileState, len(paths))
	if known, _ := c.Knows(id); !known {
		return states
	}
	group, ctx := parallel.NewGroup(ctx)
	found := make([]models.FileState, len(paths))
	for i, p := range paths {
		group.Go(func() error { found[i] = c.file(ctx, c.all[id].tree, id, p); return nil })
	}
	if err := group.Wait(); err != nil {
		panic(err) // it was one there
	}
	for i, p := range paths {
		states[p] = found[i]
	}
	return states
}

func (c *Comparison) file(ctx context.Context, tree *repo.Tree, id models.RepoID, p string) models.FileState {
	var rec models.FileRecord
	ok, err := c.service.records.Record(ctx, models.FilesCollection(id), p, &rec)
	if err != nil || !ok {
		return models.FileUnknown
	}
	now, err := tree.Stat(ctx, p)
	switch {
	case fault.CodeOf(err) == fault.PathNotFound:
		return models.FileGone
	case err != nil:
		return models.FileUnknown
	case now.Size == rec.Size && now.ModTime == rec.ModTime && !rec.Racy:
		return models.FileSame
	case now.Size != rec.Size:
		return models.FileChanged
	}
	content, _, err := tree.Read(ctx, p, rec.Size)
	if err != nil {
		return models.FileUnknown
	}
	if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != rec.Hash {
		return models.FileChanged
	}
	return models.FileSame
}
