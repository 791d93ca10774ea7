package ondisk

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/graph"
)

var (
	errNoPair  = errors.New("rag_graph.json and its sidecar do not belong together")
	errNotOurs = errors.New("rag_graph.json does not begin as ours does")
	errVersion = errors.New("rag_graph.json is of another schema version")
)

// loadAttempts is how often a pair that was being replaced is looked at again.
const loadAttempts = 5

// Load reads the graph of a repository. It fails with fault.IndexNotReady when
// there is none, or none that can be used: then it has to be built again. Rows are
// read, and checked, when they are asked for; see Damaged and Verify.
func Load(root string) (*graph.Graph, error) {
	return load(root, whole)
}

// LoadCounter is Load of what the graph knows of uses: the other columns are not read.
func LoadCounter(root string) (*graph.Counter, error) {
	return load(root, usesOnly)
}

func load[T any](root string, want wanted[T]) (*T, error) {
	dir, err := openFolder(root)
	if err != nil {
		return nil, unloadable(err)
	}
	defer dir.Close()
	for range loadAttempts {
		var loaded *T
		if loaded, err = loadPair(dir, want); err == nil {
			return loaded, nil
		}
	}
	return nil, unloadable(err)
}

// Stored returns the identity of the graph that Load would read, from the first
// bytes of rag_graph.json.
func Stored(root string) (graph.ID, error) {
	if head := make([]byte, headSize); straightHead(root, head) {
		if id, err := headID(head); err == nil {
			return id, nil
		}
	}
	dir, err := openFolder(root)
	if err != nil {
		return graph.ID{}, unloadable(err)
	}
	defer dir.Close()
	id, _, err := jsonHead(dir)
	if err != nil {
		return graph.ID{}, unloadable(err)
	}
	return id, nil
}

func unloadable(err error) error {
	if _, known := errors.AsType[*fault.Error](err); known {
		return err
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fault.Wrap(fault.IndexNotReady, err,
			"no graph of this repository was built; build it with: ragnav nav build-graph")
	}
	if errors.Is(err, errVersion) {
		return fault.Wrap(fault.IndexNotReady, err,
			"the graph of this repository was built by another version of ragnav; build it again with: ragnav nav build-graph")
	}
	return graph.Damage(err)
}

// openPlain opens a file that is no symlink.
func openPlain(dir *os.Root, name string) (*os.File, error) {
	info, err := dir.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errSymlink(Folder + "/" + name)
	}
	return dir.Open(name)
}

// loadPair reads the sidecar that belongs to the JSON.
func loadPair[T any](dir *os.Root, want wanted[T]) (*T, error) {
	id, size, err := jsonHead(dir)
	if err != nil {
		return nil, err
	}
	result := errNoPair
	for _, name := range []string{SidecarName, nextName} {
		loaded, json, err := loadSidecar(dir, name, id, want)
		switch {
		case err == nil && json.size == size:
			return loaded, nil
		case err != nil && !errors.Is(err, errNoPair) && !errors.Is(err, fs.ErrNotExist):
			result = err
		}
	}
	return nil, result
}

// jsonHead reads the identity that a JSON artifact begins with, and its size.
func jsonHead(dir *os.Root) (graph.ID, int64, error) {
	f, err := openPlain(dir, JSONName)
	if err != nil {
		return graph.ID{}, 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return graph.ID{}, 0, err
	}
	head := make([]byte, headSize)
	if _, err := io.ReadFull(f, head); err != nil {
		return graph.ID{}, 0, fmt.Errorf("%w: %w", errNotOurs, err)
	}
	id, err := headID(head)
	return id, info.Size(), err
}

// headSize is how many bytes of a JSON artifact tell its identity.
const headSize = len(jsonStart) + 2*len(graph.ID{})

// headID is the identity that the first bytes of a JSON artifact tell.
func headID(head []byte) (id graph.ID, err error) {
	switch {
	case string(head[:len(jsonStart)]) == jsonStart:
	case strings.HasPrefix(string(head), jsonVersion):
		return graph.ID{}, errVersion
	default:
		return graph.ID{}, errNotOurs
	}
	if _, err := hex.Decode(id[:], head[len(jsonStart):]); err != nil {
		return graph.ID{}, errNotOurs
	}
	return id, nil
}

// loadSidecar reads a sidecar if it is of that graph. Its file stays open as
// long as the graph is used.
func loadSidecar[T any](dir *os.Root, name string, of graph.ID, want wanted[T]) (*T, binding, error) {
	f, err := openPlain(dir, name)
	if err != nil {
		return nil, binding{}, err
	}
	loaded, json, err := readSidecarOf(f, of, want)
	if err != nil || !keepsOpen {
		return loaded, json, errors.Join(err, f.Close())
	}
	return loaded, json, nil
}

func readSidecarOf[T any](f *os.File, of graph.ID, want wanted[T]) (*T, binding, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, binding{}, err
	}
	head := make([]byte, min(info.Size(), headerSize+rowSize*int64(graph.Parts)))
	if _, err := f.ReadAt(head, 0); err != nil {
		return nil, binding{}, fmt.Errorf("%w: %w", errSidecar, err)
	}
	id, _, err := readHead(head)
	if err != nil {
		return nil, binding{}, err
	}
	if id != of {
		return nil, binding{}, errNoPair
	}
	return readSidecar(f, info.Size(), want)
}
