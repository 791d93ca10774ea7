package worker

import (
	"crypto/sha256"
	"sync"

	"github.com/ragnav/ragnav/internal/parse"
)

// maxPoison is how many texts are remembered.
const maxPoison = 10_000

// A poison list remembers the texts that ended a worker, by hash. The zero
// value is empty.
type poison struct {
	mu    sync.Mutex
	texts map[[sha256.Size]byte]error
}

// of says what a file's text did to a worker, or nothing.
func (p *poison) of(f parse.File) error {
	p.mu.Lock()
	empty := len(p.texts) == 0
	p.mu.Unlock()
	if empty { // as it nearly always is: no hash is needed
		return nil
	}
	key := keyOf(f)
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.texts[key]
}

func (p *poison) add(f parse.File, err error) {
	key := keyOf(f)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.texts == nil || len(p.texts) >= maxPoison {
		p.texts = make(map[[sha256.Size]byte]error)
	}
	p.texts[key] = err
}

func keyOf(f parse.File) [sha256.Size]byte {
	return sha256.Sum256([]byte(f.Language + "\x00" + f.Text))
}
