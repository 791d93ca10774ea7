package fresh

import (
	"context"
	"iter"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// DefaultMaxChanged is how many files may differ for an answer that mixes the
// graph with files parsed now; beyond, the whole answer is a live scan.
const DefaultMaxChanged = 200

// Options say what belongs to a manifest and how much a check may do.
type Options struct {
	Limits listing.Limits // those that the graph's files were listed with
	// MaxChanged is how many files may differ before a check gives up hashing
	// and says TooMany; 0 means DefaultMaxChanged, less than 0 no limit.
	MaxChanged int
	Now        func() time.Time // time.Now when nil
	// Witnesses spare checks most of the looks; nil: each looks at everything.
	Witnesses *Witnesses
}

func (o Options) now() time.Time {
	if o.Now == nil {
		return time.Now()
	}
	return o.Now()
}

func (o Options) tooMany(n int) bool {
	switch {
	case o.MaxChanged < 0:
		return false
	case o.MaxChanged == 0:
		return n > DefaultMaxChanged
	}
	return n > o.MaxChanged
}

// A Manifest is what a graph was built from: the files that List had, each with
// the hash of its content, and all that has to be looked at to tell whether that
// is still so. What checks learn about looks stays in it, in memory. Its
// methods may be called concurrently.
type Manifest struct {
	commit  string
	takenAt time.Time

	checking sync.Mutex // held by the one check that may publish
	known    atomic.Pointer[knowledge]

	joining sync.Mutex
	next    *round // of checks, that did not begin yet

	attendance attendance
	git        gitMemory // used by the one check
}

// A knowledge is what a manifest holds and the last check learnt. It does not
// change once it is published.
type knowledge struct {
	*state

	unlisted bool // the files are of records, nothing was listed yet
	git      bool
	limits   listing.Limits
	settings string          // of git
	deciders []decider       // files outside the folders that decide about a listing
	nested   map[string]bool // folders with an entry ".git": whether they are repositories of their own
	// ignored is what is known to be left out for as long as the rules stay and
	// it is of that kind. It spares questions, and need not be complete.
	ignored map[string]kind

	index indexed
	odd   []int // the files of state that are not as in the manifest, or were not so when last looked at
	// exposed are the folders, in order, with something that can change without an
	// event.
	exposed []int
}

// Commit is the commit that was checked out; "" when there was none.
func (m *Manifest) Commit() string { return m.commit }

// TakenAt is when the manifest was begun: content is at least as new.
func (m *Manifest) TakenAt() time.Time { return m.takenAt }

// Files are the files of the manifest with their content, in an order of its own.
func (m *Manifest) Files() iter.Seq2[string, Hash] {
	k := m.known.Load()
	return func(yield func(string, Hash) bool) {
		for i := range k.files {
			if f := &k.files[i]; f.inBase && !yield(k.path(f), f.base) {
				return
			}
		}
	}
}

// Len is the number of files.
func (m *Manifest) Len() int {
	n := 0
	for range m.Files() {
		n++
	}
	return n
}

// Hash is the content of a file in the manifest; false when it is not in it.
func (m *Manifest) Hash(path string) (Hash, bool) {
	k := m.known.Load()
	i := k.find(path)
	if i < 0 || !k.files[i].inBase {
		return Hash{}, false
	}
	return k.files[i].base, true
}

// A Visit is told of each file that is read, with its content, which stays
// unchanged, and its hash. It is called concurrently; an error ends the reading.
type Visit func(path string, content []byte, hash Hash) error

// Take makes the manifest of a tree: it lists, reads and hashes every file. What
// visit is given is exactly what later checks compare with, whatever happens to
// the files meanwhile; it may be nil. Files that can't be read are in the
// manifest, and not visited.
//
// Call Prepare before, if the graph is to be kept in the tree: the folder Dir is
// new in the root folder, and would have to be looked into by every check.
func Take(ctx context.Context, tree *disk.Folder, opts Options, visit Visit) (*Manifest, error) {
	c, err := begin(ctx, tree, opts)
	if err != nil {
		return nil, err
	}
	m := &Manifest{commit: c.git.Head, takenAt: c.now}
	c.known = &knowledge{state: newState(nil, nil)}
	if err := c.listAgain(ctx); err != nil {
		return nil, err
	}
	if err := c.rebase(ctx, visit); err != nil {
		return nil, err
	}
	m.known.Store(c.known)
	return m, nil
}

// Renew makes the next manifest of the tree from this one, by a Check without a
// limit: it reads what changed and was added, and tells visit of these. This
// manifest stays as it is.
func (m *Manifest) Renew(ctx context.Context, tree *disk.Folder, opts Options, visit Visit) (*Manifest, Delta, error) {
	opts.MaxChanged, opts.Witnesses = -1, nil
	m.checking.Lock()
	defer m.checking.Unlock()
	c, err := m.check(ctx, tree, opts)
	if err != nil {
		return nil, Delta{}, err
	}
	d := c.delta(m.commit)
	c.owned = false // what m knows is published
	if err := c.rebase(ctx, visit); err != nil {
		return nil, Delta{}, err
	}
	next := &Manifest{commit: c.git.Head, takenAt: c.now}
	next.known.Store(c.known)
	return next, d, nil
}
