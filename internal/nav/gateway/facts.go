package gateway

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"sync"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph/build"
	"github.com/ragnav/ragnav/internal/nav/project"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

// FactLanguage is the language that the facts of a file are read as: by its name alone,
// so that it never depends on who looks.
func FactLanguage(p string) string {
	if lang := project.LanguageOf(p); lang != "" {
		return lang
	}
	if lang := filekind.Language(p); !project.IsLanguage(lang) {
		return lang
	}
	return "" // no manifest
}

// maxFacts is how many files' facts are remembered.
const maxFacts = 2000

// A factMemory remembers the facts of files that were read lately, and why others
// have none.
type factMemory struct {
	mu  sync.Mutex
	all map[factKey]*facts.File
	bad map[factKey]error
}

type factKey struct{ path, hash string }

func newFactMemory() *factMemory {
	return &factMemory{all: map[factKey]*facts.File{}, bad: map[factKey]error{}}
}

// why is why the facts of a text can't be read, if that is known to be of the text.
func (m *factMemory) why(p, hash string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.bad[factKey{p, hash}]
}

// Has reports whether the facts of a text are remembered.
func (m *factMemory) Has(p string, content []byte) bool {
	sum := sha256.Sum256(content)
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.all[factKey{p, hex.EncodeToString(sum[:])}] != nil
}

// Get reads the facts of a text. When they can't be read it is a file without
// facts. That is remembered if it is for the text; the reader may have been away.
func (m *factMemory) Get(ctx context.Context, extract build.Extractor, p string, content []byte) (f *facts.File,
	hash string, err error,
) {
	sum := sha256.Sum256(content)
	key := factKey{p, hex.EncodeToString(sum[:])}
	m.mu.Lock()
	f, err = m.all[key], m.bad[key]
	m.mu.Unlock()
	lang := FactLanguage(p)
	switch {
	case f != nil:
		return f, key.hash, nil
	case err != nil:
		return &facts.File{Path: p, Language: lang}, key.hash, err
	}
	if text, ok := parse.Decode(content); ok {
		f, err = extract.Facts(ctx, p, lang, text)
	}
	if f == nil || err != nil {
		f = &facts.File{}
	}
	f.Path, f.Language = p, cmp.Or(f.Language, lang)
	if ctx.Err() != nil || errors.Is(err, parse.ErrAway) || fault.CodeOf(err) == fault.Timeout {
		return f, key.hash, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err != nil {
		if len(m.bad) >= maxFacts {
			clear(m.bad)
		}
		m.bad[key] = err
		return f, key.hash, err
	}
	if len(m.all) >= maxFacts {
		clear(m.all)
	}
	m.all[key] = f
	return f, key.hash, nil
}
