package gateway

import (
	"context"
	"crypto/sha256"
	"sync"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/parse"
)

// maxParsed is of how many bytes of text a textMemory remembers what was read.
const maxParsed = 4 << 20

// A textMemory remembers what was read of texts lately: about a file that is asked
// about there is mostly more than one question. It goes by the whole text, which is
// read from disk each time, so that no edit is missed. The zero value is empty.
type textMemory[T any] struct {
	mu    sync.Mutex
	all   map[textKey]T
	bytes int
}

type textKey struct {
	path string
	sum  [sha256.Size]byte
}

// get is what read returns, now or of the same text before. What does not last is not
// remembered.
func (m *textMemory[T]) get(path, text string, read func() (found T, lasts bool)) T {
	key := textKey{path, sha256.Sum256([]byte(text))}
	m.mu.Lock()
	found, known := m.all[key]
	m.mu.Unlock()
	if known {
		return found
	}
	found, lasts := read()
	if !lasts || len(text) > maxParsed {
		return found
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.all == nil || m.bytes+len(text) > maxParsed {
		m.all, m.bytes = map[textKey]T{}, 0
	}
	if _, known := m.all[key]; !known {
		m.bytes += len(text)
	}
	m.all[key] = found
	return found
}

// localsOf are the names that mean something in a part of a file only.
func (o *Opener) localsOf(ctx context.Context, p, text string) (locals []facts.Local, err error) {
	locals = o.locals.get(p, text, func() (all []facts.Local, lasts bool) {
		all, err = o.Locals(ctx, p, FactLanguage(p), text)
		return all, err == nil && ctx.Err() == nil
	})
	return locals, err
}

// described is the outline of a file.
func (o *Opener) described(ctx context.Context, p, text string) *Described {
	return o.outlines.get(p, text, func() (*Described, bool) {
		d := Describe(ctx, o.Outline, p, text, parse.WantSymbols)
		return d, !d.Outline.Away && ctx.Err() == nil
	})
}
