package filefetch

import (
	"context"
	"hash/crc32"
	"sync"
	"time"
	"weak"

	"github.com/ragnav/ragnav/internal/repo"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// A rest is the text that the last reply had only a part of: whoever reads a long file
// asks for the next part at once, and there may be hundreds. It takes no memory of its
// own: the collector may have it at any time, and the file is read again then.
type rest struct {
	mu sync.Mutex
	of weak.Pointer[wholeText]
}

// A wholeText is a file of a folder that a reply was cut of.
type wholeText struct {
	text

	key keptKey
	sum uint32 // by which cursors are of this text
}

// read reads a file of a repository, unless it is what the last reply was cut of.
func (r *rest) read(ctx context.Context, from openRepository, name string) (text, error) {
	tree, ok := from.files.(repo.Tree)
	file, err := relpath.Clean(name)
	if !ok || err != nil {
		return from.text(ctx, name, nil)
	}
	key := keptKey{tree.Root(), file}
	r.mu.Lock()
	last := r.of.Value()
	r.mu.Unlock()
	if last != nil && last.key == key {
		if now, ok := tree.Looks(file); ok && now == last.stat.Look {
			t := last.text
			t.repo, t.caveats, t.whole = from.record.RepoID, from.files.Caveats, last
			return t, ctx.Err()
		}
	}
	began := time.Now()
	t, err := from.text(ctx, name, nil)
	if err == nil && len(t.data) > maxCode && t.path == file && t.stat.Look.Settled(began) {
		t.whole = &wholeText{t, key, crc32.ChecksumIEEE(t.data)}
	}
	return t, err
}

// keep is told of which text a reply has a part.
func (r *rest) keep(t text) {
	if t.whole != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.of = weak.Make(t.whole)
	}
}

// checksum is what cursors know a text by.
func (t text) checksum() uint32 {
	if t.whole != nil {
		return t.whole.sum
	}
	return crc32.ChecksumIEEE(t.data)
}
