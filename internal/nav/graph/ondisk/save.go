package ondisk

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/ragnav/ragnav/internal/nav/graph"
)

// How a pair is replaced. Both files are written under other names and synced.
// The new sidecar then waits at rag_graph.bin.next for the JSON to be renamed,
// which is the commit; after that it is renamed too. Who loads takes the
// sidecar that has the identity that the JSON begins with, from either place.

// Saved tells what is on disk.
type Saved struct {
	ID       graph.ID
	JSONHash [32]byte // SHA-256 of rag_graph.json
	JSONSize int64
}

// Save replaces the artifact in the repository that l is the lock of. Whoever
// loads at the same time gets the old or the new graph; so it is after a crash.
func (l *Lock) Save(g *graph.Graph) (saved Saved, err error) {
	defer func() {
		if err != nil { // the disk may be full
			_ = l.dir.Remove(JSONName + tmp)
			_ = l.dir.Remove(nextName + tmp)
		}
	}()
	json, err := l.saveJSON(g)
	if err != nil {
		return Saved{}, unwritable(err)
	}
	write := func(w io.Writer) error { return writeSidecar(w, g, json) }
	steps := []func() error{
		func() error { return l.write(nextName+tmp, write) },
		func() error { return l.dir.Rename(nextName+tmp, nextName) },
		l.sync,
		func() error { return l.dir.Rename(JSONName+tmp, JSONName) },
		l.sync,
		func() error { return l.dir.Rename(nextName, SidecarName) },
		l.sync,
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return Saved{}, unwritable(err)
		}
	}
	return Saved{ID: g.ID(), JSONHash: json.hash, JSONSize: json.size}, nil
}

func (l *Lock) saveJSON(g *graph.Graph) (binding, error) {
	h, n := sha256.New(), &counter{}
	err := l.write(JSONName+tmp, func(w io.Writer) error { return writeJSON(io.MultiWriter(w, h, n), g) })
	return binding{hash: [32]byte(h.Sum(nil)), size: n.n}, err
}

// write writes a file anew and syncs it.
func (l *Lock) write(name string, content func(io.Writer) error) error {
	// What lies there may be the remains of a build that died, or a symlink.
	if err := l.dir.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	f, err := l.dir.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<18)
	err = content(w)
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// sync makes renames last.
func (l *Lock) sync() error {
	d, err := l.dir.Open(".")
	if err != nil {
		return err
	}
	return errors.Join(ignoreUnsupported(d.Sync()), d.Close())
}

// A counter counts what is written to it.
type counter struct{ n int64 }

func (c *counter) Write(b []byte) (int, error) {
	c.n += int64(len(b))
	return len(b), nil
}
