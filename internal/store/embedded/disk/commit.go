package disk

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/vector"
)

// A Commit is what makes the index and the log belong together. It is stored
// with the batch that it describes.
type Commit struct {
	Seq    uint64      `json:"seq"` // counts commits
	Rows   vector.Mark `json:"rows"`
	Serial uint32      `json:"serial"` // of the next row
	Draft  DraftMark   `json:"draft,omitzero"`
}

// CommitKey is under what the text index has its commit.
const CommitKey = "commit"

// A DraftMark says, in the commit, how many batches of a draft are in the index.
type DraftMark struct {
	ID      string        `json:"id"`
	Applied int           `json:"applied"`
	Of      int           `json:"of,omitempty"`
	Repo    models.RepoID `json:"repo,omitempty"`
}

// A Committed is the last commit of a data directory as it is on disk.
type Committed struct {
	Root

	Commit Commit
	Value  string // the commit as it is written
}

// ErrNoCommit wraps why there is none in a directory that has a store's files.
var ErrNoCommit = errors.New("no commit")

// ReadCommit reads the last commit, changing nothing. Without the files of a store
// the error is fs.ErrNotExist.
func ReadCommit(dir string, seals *Seals) (*Committed, error) {
	return commitIn(dir, filepath.Join(dir, TextDir), seals)
}

// commitIn is ReadCommit with root.bolt in the folder text.
func commitIn(dir, text string, seals *Seals) (*Committed, error) {
	root, err := readRoot(text, seals.Root())
	if err == nil {
		value, there := root.Internal[CommitKey]
		c := &Committed{Root: root, Value: string(value)}
		if there {
			err = json.Unmarshal(value, &c.Commit)
		}
		if err == nil && there {
			return c, nil
		}
		err = &Damage{File: RootFile, Reason: "has no commit"}
	}
	d, certain := errors.AsType[*Damage](err)
	if !certain && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	used, err := hasStore(dir)
	used = used || len(seals.Held()) > 0
	if err != nil {
		return nil, err
	}
	switch {
	case !used:
		return nil, fs.ErrNotExist
	case d == nil:
		d = &Damage{File: RootFile, Reason: Missing}
	}
	d.File = SegmentName(d.File)
	return nil, fmt.Errorf("%w: %w", ErrNoCommit, d)
}

// hasStore reports whether a directory has any file of a store that has been
// written to. The creation of a store that was cut off leaves none.
func hasStore(dir string) (bool, error) {
	for _, folder := range []string{TextDir, RowsDir, DraftsDir, quarantineDir} {
		entries, err := os.ReadDir(filepath.Join(dir, folder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
		for _, e := range entries {
			info, err := e.Info()
			if err != nil {
				return false, err
			}
			if e.Name() != RootFile && (info.Size() > 0 || strings.HasSuffix(e.Name(), ".zap")) {
				return true, nil
			}
		}
	}
	_, err := os.Stat(filepath.Join(dir, RegistrationsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Files are those of the commit's segments.
func (c *Committed) Files() []string {
	files := make([]string, len(c.Segments))
	for i, s := range c.Segments {
		files[i] = s.File
	}
	return files
}

// ReadCommitted is ReadCommit of a directory that another process may have open:
// it reads a copy of the file with the commit, which that one has locked.
func ReadCommitted(dir string, seals *Seals) (*Committed, error) {
	data, err := os.ReadFile(filepath.Join(dir, TextDir, RootFile))
	if err != nil {
		return ReadCommit(dir, seals) // says what that means
	}
	return CommitOf(dir, data, seals)
}

// CommitOf is ReadCommit with the content of root.bolt.
func CommitOf(dir string, root []byte, seals *Seals) (*Committed, error) {
	temp, err := os.MkdirTemp("", "ragnav-commit-")
	if err != nil {
		return nil, errTemporary(err)
	}
	defer func() { _ = os.RemoveAll(temp) }()
	if err := os.WriteFile(filepath.Join(temp, RootFile), root, 0o600); err != nil {
		return nil, errTemporary(err)
	}
	return commitIn(dir, temp, seals)
}

// errTemporary says that the directory for temporary files is to blame, not that of the data.
func errTemporary(err error) error {
	return fault.Wrap(fault.RAGUnavailable, err,
		"no temporary file can be written: %v; nothing was changed; name a folder that has room by TMPDIR", err)
}

// Attempts is how often a commit is read that changes meanwhile.
const Attempts = 20
