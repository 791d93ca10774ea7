package fresh

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/parallel"
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
	// Watchers spare checks most of the looks; nil: each looks at everything.
	Watchers *Watchers
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
	glancing sync.Mutex // held by Unchanged, which waits for no check
	known    atomic.Pointer[knowledge]

	joining sync.Mutex
	next    *round // of checks, that did not begin yet

	watching watching
	git      gitMemory // used by the one check
	clean    clean     // guarded by checking
}

// Commit is the commit that was checked out; "" when there was none.
func (m *Manifest) Commit() string { return m.commit }

// TakenAt is when the manifest was begun: content is at least as new.
func (m *Manifest) TakenAt() time.Time { return m.takenAt }

// Complete reports whether the manifest has all that the next check has to know, so
// that it may be stored: one that was made of records learns it by two checks.
func (m *Manifest) Complete() bool {
	k := m.known.Load()
	return !k.unlisted && !slices.ContainsFunc(k.files, func(f file) bool { return f.recorded })
}

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

// Closed are the folders of a manifest in which List would look, has found nothing and may not look,
// in order, as of the last check. What is asked for may be in them.
func Closed(m *Manifest, tree *disk.Folder) (all []string) {
	k, open := m.known.Load(), "" // the last one that may be read, as may those that it is in
	for _, d := range slices.Backward(k.dirs) {
		if d.outside {
			continue
		}
		if !slices.ContainsFunc(k.files[d.first:d.end], present) {
			inner := d.path + "/"
			if strings.HasPrefix(open, inner) {
				continue
			}
			if _, err := tree.ReadFolder(d.path); errors.Is(err, fs.ErrPermission) {
				all = slices.DeleteFunc(all, func(p string) bool { return strings.HasPrefix(p, inner) })
				all = append(all, d.path)
				continue
			}
		}
		open = d.path
	}
	slices.Reverse(all)
	return all
}

func present(f file) bool { return f.mark.kind == regular && !f.unlisted }

// Len is the number of files.
func (m *Manifest) Len() int {
	n, files := 0, m.known.Load().files
	for i := range files {
		if files[i].inBase {
			n++
		}
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
	if err := listAgain(ctx, c); err != nil {
		return nil, err
	}
	if err := rebase(ctx, c, visit); err != nil {
		return nil, err
	}
	m.known.Store(c.known)
	return m, nil
}

// Renew makes the next manifest of the tree from this one, by a Check without a
// limit: it reads what changed and was added, and tells visit of these. This
// manifest stays as it is.
func (m *Manifest) Renew(ctx context.Context, tree *disk.Folder, opts Options, visit Visit) (*Manifest, Delta, error) {
	opts.MaxChanged, opts.Watchers = -1, nil
	m.checking.Lock()
	defer m.checking.Unlock()
	c, err := m.check(ctx, tree, opts)
	if err != nil {
		return nil, Delta{}, err
	}
	d := c.delta(m.commit)
	c.owned = false // what m knows is published
	if err := rebase(ctx, c, visit); err != nil {
		return nil, Delta{}, err
	}
	next := &Manifest{commit: c.git.Head, takenAt: c.now}
	next.known.Store(c.known)
	return next, d, nil
}

// Verify looks again at files that an answer quotes as the manifest has them, and
// returns those that are no longer so, in order: by one look each, and by their
// content where that does not tell. It neither waits for checks nor tells them.
func (m *Manifest) Verify(ctx context.Context, tree *disk.Folder, paths []string) ([]string, error) {
	r, err := newReacher(tree)
	if err != nil {
		return nil, err
	}
	defer r.close()
	k, doubtful := m.known.Load(), map[string]Hash{}
	var stale []string
	for _, p := range paths {
		i := k.find(p)
		if i < 0 || !k.files[i].inBase || k.files[i].unread {
			stale = append(stale, p)
			continue
		}
		f := &k.files[i]
		seen, err := r.look(p)
		switch {
		case err != nil:
			return nil, err
		case seen.kind != regular || seen.size != f.baseSize:
			stale = append(stale, p)
		case f.mark.racy || !f.same || f.mark.stat != seen:
			doubtful[p] = f.base
		}
	}
	more, err := moved(ctx, tree, doubtful)
	stale = append(stale, more...)
	slices.Sort(stale)
	return slices.Compact(stale), err
}

// moved returns those of the files whose content has another hash now, or that
// can't be read, in order. It is how answers from files that were read a moment
// ago are verified.
func moved(ctx context.Context, tree *disk.Folder, want map[string]Hash) ([]string, error) {
	var moved []string
	for p, hash := range want {
		_, now, err := read(ctx, tree, p, listing.Limits{MaxFileSize: maxVerified})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil || now != hash {
			moved = append(moved, p)
		}
	}
	slices.Sort(moved)
	return moved, nil
}

// maxVerified is above every limit of files that are listed.
const maxVerified = 1 << 30

// A Record is what is known of one file by whoever read it.
type Record struct {
	Path string
	Hash Hash // of its content; zero for a file that could not be read
	// What the file looked like before it was read, as in disk.Entry.
	Size, ModTime, Changed int64
	// Racy tells that a later version may look the same; Unread, that the file was
	// there and could not be read.
	Racy, Unread bool
}

// Recorded makes a manifest of files that were read before, by somebody who
// listed them under these limits. A file that looks as its record says, and is
// not racy, has that content. It is of no commit.
func Recorded(takenAt time.Time, limits listing.Limits, records []Record) *Manifest {
	files := make([]listedFile, len(records))
	for i, r := range records {
		files[i] = listedFile{r.Path, r.file()}
	}
	m := &Manifest{takenAt: takenAt}
	m.known.Store(&knowledge{state: newState(nil, files), limits: limits, unlisted: true})
	return m
}

func (r Record) file() file {
	seen := stat{size: r.Size, mtime: r.ModTime, ctime: r.Changed, kind: regular}
	return file{
		mark: mark{seen, r.Racy || r.Unread}, recorded: true,
		base: r.Hash, baseSize: r.Size, inBase: true, same: !r.Unread, unread: r.Unread,
	}
}

// adopt takes note of the first look at a recorded file, and reports whether it
// is the file of the record.
func (f *file) adopt(s stat, now time.Time) bool {
	was, known := f.mark, f.recorded && !f.mark.racy
	f.recorded = false
	if !known || s.kind != regular || s.size != was.size || s.mtime != was.mtime || s.ctime != was.ctime {
		return false
	}
	f.mark = mark{s, s.racy(now)}
	return true
}

// Rebase makes other records the manifest: all of them, in place of those that
// there were, and what is known of the folder stays.
func (m *Manifest) Rebase(records []Record) {
	m.checking.Lock()
	defer m.checking.Unlock()
	c := check{known: m.known.Load()}
	k := c.own()
	for i := range k.files {
		k.files[i].inBase = false
	}
	var added []listedFile
	for _, r := range records {
		if i := k.find(r.Path); i >= 0 {
			k.files[i].rebase(r)
			continue
		}
		f := r.file() // it came and went between two checks, or comes with the next one
		f.unlisted = !k.unlisted
		added = append(added, listedFile{r.Path, f})
	}
	if len(added) > 0 {
		k.state = k.with(map[string]dir{}, added)
	}
	k.findOdd()
	m.known.Store(k)
}

// rebase compares a file with another record than before, by what was last seen
// of it where that tells.
func (f *file) rebase(r Record) {
	known := !f.recorded && f.mark.kind == regular && f.same && !f.unsure && !f.unread && f.base == r.Hash
	was := f.mark.stat
	looks := !r.Racy && !f.mark.racy && was.kind == regular && was.size == r.Size && was.mtime == r.ModTime &&
		was.ctime == r.Changed
	f.inBase, f.base, f.baseSize, f.unread = true, r.Hash, r.Size, r.Unread
	f.same = !r.Unread && (known || looks)
	f.unsure = !f.same && was.kind == regular && (r.Unread || was.size == r.Size)
}

// check is one comparison; the caller holds checking.
func (m *Manifest) check(ctx context.Context, tree *disk.Folder, opts Options) (*check, error) {
	c := check{tree: tree, opts: opts, now: opts.now(), known: m.known.Load()}
	if opts.Watchers != nil {
		c.memory = &m.git
	}
	concluded := m.hear(&c) //nolint:contextcheck // what runs in the background outlives the question
	err := c.run(ctx)
	if err == nil && c.vouched && c.linked {
		c.vouched = false
		err = c.run(ctx)
	}
	if err == nil {
		m.known.Store(c.known)
	}
	concluded(err == nil)
	return &c, err
}

// Check compares the tree with the manifest. The package documentation says how
// it can be exact. An error means that nothing is known: the folder is gone, git
// fails, the context ended.
//
// While a check runs, those who ask meanwhile share the next one; its delta is
// not to be written to.
func (m *Manifest) Check(ctx context.Context, tree *disk.Folder, opts Options) (Delta, error) {
	for {
		r, lead := m.join(tree, opts)
		if lead {
			m.lead(ctx, r)
			return r.delta, r.err
		}
		select {
		case <-ctx.Done():
			return Delta{}, ctx.Err()
		case <-r.done:
		}
		code := fault.CodeOf(r.err)
		if r.err == nil || code != fault.Canceled && code != fault.Timeout {
			return r.delta, r.err
		}
		if ctx.Err() != nil {
			return Delta{}, ctx.Err()
		} // whoever led it went away
	}
}

// join is the round that did not begin yet, or a new one to be led.
func (m *Manifest) join(tree *disk.Folder, opts Options) (r *round, lead bool) {
	m.joining.Lock()
	defer m.joining.Unlock()
	if m.next != nil && m.next.serves(tree, opts) {
		return m.next, false
	}
	r = &round{tree: tree, opts: opts, done: make(chan struct{})}
	if m.next == nil {
		m.next = r
	}
	return r, true
}

// lead waits for the check that runs, closes the round to others and checks.
func (m *Manifest) lead(ctx context.Context, r *round) {
	defer close(r.done)
	m.checking.Lock()
	defer m.checking.Unlock()
	m.joining.Lock()
	if m.next == r {
		m.next = nil
	}
	m.joining.Unlock()
	r.err = parallel.Call(func() error { // a panic is that of all who wait
		m.clean = clean{}
		c, err := m.check(ctx, r.tree, r.opts)
		if err != nil {
			return err
		}
		if r.delta = c.delta(m.commit); r.delta.Clean() && !c.known.unlisted {
			m.clean = clean{c.known, r.delta}
		}
		return nil
	})
}

// A round is one check for all who wait for it. They joined before it looked at
// anything, so that what they did before they asked is seen.
type round struct {
	tree  *disk.Folder
	opts  Options
	done  chan struct{}
	delta Delta
	err   error
}

// serves reports whether a round answers this question too.
func (r *round) serves(tree *disk.Folder, opts Options) bool {
	return r.tree == tree && r.opts.Now == nil && opts.Now == nil &&
		r.opts.MaxChanged == opts.MaxChanged && sameLimits(r.opts.Limits, opts.Limits, tree.Root())
}
