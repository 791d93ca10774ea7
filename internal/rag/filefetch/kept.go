package filefetch

import (
	"bytes"
	"container/list"
	"context"
	"sync"
	"time"

	"github.com/ragnav/ragnav/internal/repo"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// The texts of files that lines were read of more than once stay in memory: searches
// show lines of the same ones again and again. They are used while the files look as when
// they were read.
const (
	maxKept = 32 << 20 // bytes of texts
	maxOnce = 4096     // files that were read once
)

// A keptKey is a path as it was asked for in a folder.
type keptKey struct{ root, path string }

// kept are the texts of files.
type kept struct {
	mu    sync.Mutex
	order list.List // of *keptText, the one that was used last first
	by    map[keptKey]*list.Element
	size  int
	once  map[keptKey]bool // what was read once of late
}

type keptText struct {
	key keptKey
	text
}

// read reads a file of a repository, unless it is kept.
func (k *kept) read(ctx context.Context, from openRepository, name string, into *memory) (text, error) {
	tree, ok := from.files.(repo.Tree)
	file, err := relpath.Clean(name)
	if !ok || err != nil {
		return from.text(ctx, name, into)
	}
	key := keptKey{tree.Root(), file}
	if t, ok := k.recall(tree.Folder, key); ok {
		t.repo, t.caveats = from.record.RepoID, from.files.Caveats
		return t, ctx.Err()
	}
	began := time.Now()
	t, err := from.text(ctx, name, into)
	if err == nil && t.path == file && t.stat.Look.Settled(began) {
		k.keep(key, t)
	}
	return t, err
}

// recall is the text of a file, if that looks as when it was read.
func (k *kept) recall(tree *disk.Folder, key keptKey) (text, bool) {
	k.mu.Lock()
	e := k.by[key]
	if e == nil {
		k.mu.Unlock()
		return text{}, false
	}
	k.order.MoveToFront(e)
	t := e.Value.(*keptText).text
	k.mu.Unlock()
	now, ok := tree.Looks(key.path)
	return t, ok && now == t.stat.Look
}

// keep keeps a text that is read again, in memory of its own.
func (k *kept) keep(key keptKey, t text) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.by == nil {
		k.by, k.once = map[keptKey]*list.Element{}, map[keptKey]bool{}
	}
	if old := k.by[key]; old != nil {
		k.drop(old)
	} else if !k.once[key] {
		if len(k.once) >= maxOnce {
			clear(k.once)
		}
		k.once[key] = true
		return
	}
	delete(k.once, key)
	if len(t.data) > maxKept/8 {
		return
	}
	t.data, t.marks, t.caveats = bytes.Clone(t.data), marksOf(t.data), nil
	k.by[key] = k.order.PushFront(&keptText{key, t})
	for k.size += len(t.data); k.size > maxKept; {
		k.drop(k.order.Back())
	}
}

func (k *kept) drop(e *list.Element) {
	old := k.order.Remove(e).(*keptText)
	delete(k.by, old.key)
	k.size -= len(old.data)
}
