package worker

import (
	"crypto/sha256"
	"sync"
	"time"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/parse"
)

// What is kept at most: bytes, which are the facts of some 100 MB of source, and
// for how long after the last ones came.
const (
	maxKept = 64 << 20
	keptFor = 5 * time.Minute
)

// A kept list has the facts that were found together with an outline, encoded,
// until they are asked for. The zero value is empty.
type kept struct {
	mu    sync.Mutex
	files map[[sha256.Size]byte][]byte
	bytes int
	timer *time.Timer
}

func keptKey(f parse.File) [sha256.Size]byte {
	return sha256.Sum256([]byte(f.Path + "\x00" + f.Language + "\x00" + f.Text))
}

// put keeps the facts of a file, unless there are too many.
func (k *kept) put(f parse.File, encoded []byte) {
	if encoded == nil {
		return
	}
	key := keptKey(f)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.bytes-len(k.files[key])+len(encoded) > maxKept {
		return
	}
	if k.files == nil {
		k.files = map[[sha256.Size]byte][]byte{}
		k.timer = time.AfterFunc(keptFor, k.drop)
	}
	k.timer.Reset(keptFor)
	k.bytes += len(encoded) - len(k.files[key])
	k.files[key] = encoded
}

// take gives away the facts of a file, if they are here.
func (k *kept) take(f parse.File) (found facts.File, ok bool) {
	k.mu.Lock()
	empty := len(k.files) == 0
	k.mu.Unlock()
	if empty { // no hash is needed
		return facts.File{}, false
	}
	key := keptKey(f)
	k.mu.Lock()
	encoded, ok := k.files[key]
	delete(k.files, key)
	k.bytes -= len(encoded)
	k.mu.Unlock()
	return found, ok && decode(encoded, &found) == nil
}

// drop forgets all.
func (k *kept) drop() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.timer != nil {
		k.timer.Stop()
	}
	k.files, k.bytes, k.timer = nil, 0, nil
}
