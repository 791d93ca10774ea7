package disk

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// SealsFile has what is known to be whole of a data directory.
const SealsFile = "seals.json"

// Seals are the files of a data directory that were found whole, or were just
// written, each with how it looked then: as long as it looks the same it need
// not be read again. Files without a seal are read before they are used. So the
// loss of all seals costs time and nothing else. Methods may be called
// concurrently.
type Seals struct {
	dir string

	mu      sync.Mutex
	changed bool
	known   seals
}

type seals struct {
	Root  RootSeal        `json:"root,omitzero"`
	Files map[string]Seal `json:"files"` // by name, relative to the data directory
}

// A Seal is what is known of a file that was whole.
type Seal struct {
	Stamp

	At    time.Time `json:"at"`              // when it was looked at
	Sum   uint32    `json:"sum,omitempty"`   // the checksum that a segment ends with; 0 where that isn't known
	Holds []string  `json:"holds,omitempty"` // the repositories that have something in it; nil where that isn't known
}

// OpenSeals reads the seals of a data directory, none where they are damaged.
func OpenSeals(dir string) (*Seals, error) {
	s := &Seals{dir: dir}
	err := ReadJSON(filepath.Join(dir, SealsFile), &s.known)
	if _, broken := errors.AsType[*Damage](err); err != nil && !broken && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err != nil || s.known.Files == nil {
		s.known = seals{Files: map[string]Seal{}}
	}
	return s, nil
}

// Root is the seal of root.bolt.
func (s *Seals) Root() RootSeal {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known.Root
}

// SetRoot takes note of root.bolt as it is.
func (s *Seals) SetRoot(r RootSeal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changed = s.changed || s.known.Root != r
	s.known.Root = r
}

// Of is the seal of a file.
func (s *Seals) Of(name string) (Seal, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	seal, ok := s.known.Files[name]
	return seal, ok
}

// Held are the repositories that had something in a file.
func (s *Seals) Held() []models.RepoID {
	s.mu.Lock()
	defer s.mu.Unlock()
	held := map[models.RepoID]bool{}
	for _, seal := range s.known.Files {
		for _, id := range seal.Holds {
			held[models.RepoID(id)] = true
		}
	}
	return slices.Sorted(maps.Keys(held))
}

// Whole reports whether a file that looks like that is known to be whole.
func (s *Seals) Whole(name string, now Stamp) bool {
	seal, ok := s.Of(name)
	return ok && seal.Stamp == now && seal.settled(seal.At)
}

// Touched reports whether a file does not look as it did when it was sealed, or
// could have been written to since without looking different.
func (s *Seals) Touched(name string) (bool, error) {
	seal, ok := s.Of(name)
	if !ok {
		return true, nil
	}
	info, err := os.Stat(filepath.Join(s.dir, filepath.FromSlash(name)))
	if err != nil {
		return true, damaged(name, err)
	}
	return StampOf(info) != seal.Stamp || !seal.settled(seal.At), nil
}

// Put seals a file that is whole, or was just written, as of now.
func (s *Seals) Put(name string, seal Seal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changed = true
	seal.At = time.Now()
	s.known.Files[name] = seal
}

// Settle waits until files that were sealed as they were written would look different
// after they were written to again, and seals them as of then where they look the
// same. Without it they are read before they are used again.
func (s *Seals) Settle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	var young []string
	var last Stamp
	for name, seal := range s.known.Files {
		if seal.Stamp != (Stamp{}) && !seal.settled(seal.At) {
			young, last = append(young, name), later(last, seal.Stamp)
		}
	}
	last.settle()
	for _, name := range young {
		seal := s.known.Files[name]
		now := time.Now()
		info, err := os.Stat(filepath.Join(s.dir, filepath.FromSlash(name)))
		if err == nil && StampOf(info) == seal.Stamp {
			seal.At, s.changed = now, true
			s.known.Files[name] = seal
		}
	}
}

// Keep forgets the files of a folder but those that are named, and saves that:
// other files may get the names of those that are forgotten.
func (s *Seals) Keep(folder string, names []string) error {
	s.mu.Lock()
	before := len(s.known.Files)
	maps.DeleteFunc(s.known.Files, func(name string, _ Seal) bool {
		dir, file := path.Split(name)
		return dir == folder+"/" && !slices.Contains(names, file)
	})
	s.changed = s.changed || len(s.known.Files) != before
	s.mu.Unlock()
	return s.Save()
}

// Distrust makes all files be read again before they are used.
func (s *Seals) Distrust() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, seal := range s.known.Files {
		seal.Stamp = Stamp{}
		s.known.Files[name] = seal
	}
}

// Forget is the end of a file.
func (s *Seals) Forget(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.known.Files[name]; ok {
		delete(s.known.Files, name)
		s.changed = true
	}
}

// Save writes the seals, without those of files that are gone, if they changed.
// They need not survive a crash.
func (s *Seals) Save() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.changed {
		return nil
	}
	for name := range maps.Clone(s.known.Files) {
		if _, err := os.Lstat(filepath.Join(s.dir, filepath.FromSlash(name))); errors.Is(err, fs.ErrNotExist) {
			delete(s.known.Files, name)
		}
	}
	if err := writeJSON(filepath.Join(s.dir, SealsFile), s.known, false); err != nil {
		return err
	}
	s.changed = false
	return nil
}
