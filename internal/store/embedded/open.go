package embedded

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/vector"
)

// Options are what an index cannot change during its life.
type Options struct {
	Dims int // components of a vector, from 1
}

// Open opens the store in dir, which it creates. Only one process can have it
// open: others get fault.Conflict naming the one that has. An index of another
// format or with vectors of another size is fault.RAGUnavailable.
func Open(ctx context.Context, dir string, opts Options) (*Store, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("data directory: %w", err)
	}
	s := &Store{dir: dir, dims: opts.Dims, analyser: fts.NewAnalyser(), writing: make(chan struct{}, 1)}
	s.drafts = drafts{dir: filepath.Join(dir, "drafts"), open: map[models.RepoID]*draftFile{}, vectors: map[models.RepoID]*draftVectors{}}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, s.unavailable(ctx, "create it", err)
	}
	if s.lock, err = takeLock(ctx, dir); err != nil {
		return nil, err
	}
	s.queue = index.NewAnalysisQueue(runtime.GOMAXPROCS(0))
	err = checkFormat(dir, opts.Dims)
	if err == nil {
		err = s.openFiles()
	}
	if err == nil {
		err = s.resumeDrafts(ctx)
	}
	if err != nil {
		return nil, errors.Join(s.unavailable(ctx, "open it", err), s.closeFiles())
	}
	return s, nil
}

// A commit is what makes the index and the log belong together. It is stored
// with the batch that it describes.
type commit struct {
	Seq    uint64      `json:"seq"` // counts commits
	Rows   vector.Mark `json:"rows"`
	Serial uint32      `json:"serial"` // of the next row
	Draft  draftMark   `json:"draft,omitzero"`
}

const commitKey = "commit"

// openFiles opens the index and the log at the index's last commit. What is
// open already stays.
func (s *Store) openFiles() error {
	if s.text == nil {
		text, err := openText(filepath.Join(s.dir, "text"), s.queue)
		if err != nil {
			return err
		}
		s.text = text
	}
	reader, err := s.text.Reader()
	if err != nil {
		return fmt.Errorf("read the last commit: %w", err)
	}
	defer reader.Close()
	value, err := reader.GetInternal([]byte(commitKey))
	if err != nil {
		return fmt.Errorf("read the last commit: %w", err)
	}
	s.commit = commit{}
	if value != nil {
		if err := json.Unmarshal(value, &s.commit); err != nil {
			return fmt.Errorf("read the last commit: %w", err)
		}
	}
	if s.rows == nil {
		s.rows, err = vector.Open(filepath.Join(s.dir, "rows"), s.dims, s.commit.Rows)
	}
	return err
}

func openText(dir string, queue *index.AnalysisQueue) (*scorch.Scorch, error) {
	registerThrottle()
	registerBuilder()
	opened, err := scorch.NewScorch(scorch.Name, map[string]any{
		"path":                   dir,
		"bolt_timeout":           "2s",
		"numSnapshotsToKeep":     1,
		"asyncErrorCallbackName": throttleName,
		"scorchMergePlanOptions": mergePlan,
	}, queue)
	if err != nil {
		return nil, fmt.Errorf("configure the text index: %w", err)
	}
	text, ok := opened.(*scorch.Scorch)
	if !ok {
		return nil, fmt.Errorf("configure the text index: unexpected %T", opened)
	}
	if err := text.Open(); err != nil {
		return nil, fmt.Errorf("open the text index: %w", err)
	}
	return text, nil
}

// formatVersion is that of the layout in the package comment, and of what it
// says of bleve's fields.
const formatVersion = 1

type format struct {
	Version int `json:"version"`
	Dims    int `json:"dims"`
}

// checkFormat writes format.json or compares it.
func checkFormat(dir string, dims int) error {
	file := filepath.Join(dir, "format.json")
	want := format{formatVersion, dims}
	data, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return writeJSON(file, want)
	}
	if err != nil {
		return err
	}
	var got format
	switch err := json.Unmarshal(data, &got); {
	case err != nil || got.Version < 1:
		return fault.New(fault.RAGUnavailable, "%s is damaged; remove the data directory and index again", file)
	case got.Version > formatVersion:
		return fault.New(fault.RAGUnavailable,
			"the data directory %s has format %d, this program knows %d; use a newer program, or another directory", dir, got.Version, formatVersion)
	case got.Version < formatVersion:
		return fault.New(fault.RAGUnavailable,
			"the data directory %s has the old format %d, this program needs %d; remove it and index again", dir, got.Version, formatVersion)
	case got.Dims != dims:
		return fault.New(fault.RAGUnavailable,
			"the data directory %s has vectors of %d components, the embedder makes %d; use the embedder it was made with, or remove it and index again",
			dir, got.Dims, dims)
	}
	return nil
}

// writeJSON replaces a file as a whole.
func writeJSON(file string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*")
	if err != nil {
		return err
	}
	_, err = temp.Write(append(data, '\n'))
	if err = errors.Join(err, temp.Sync(), temp.Close()); err == nil {
		err = os.Rename(temp.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return nil
}
