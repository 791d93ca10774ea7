package repo

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/filekind"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// Records reads what index runs keep.
type Records interface {
	// Record decodes the value under key into v and reports whether there is one.
	Record(ctx context.Context, collection, key string, v any) (bool, error)
	// Records calls yield for each record of a collection in key order.
	Records(ctx context.Context, collection string, yield func(key string, value json.RawMessage) error) error
}

// A StoredTree is one repository's files as index runs kept them: the record
// of each file and the Content of those that are text. It has every file that
// List finds, not those that are ignored, and no empty folders.
//
// One file costs two look-ups. What needs to know all files (folders, symlinks,
// names that don't exist) reads all file records, once for each StoredTree. It
// is used by one goroutine at a time.
type StoredTree struct {
	records Records
	known   models.Repository
	all     *knownFiles // nil until it is needed
}

// OpenStored opens what was kept of a repository.
func OpenStored(records Records, known models.Repository) *StoredTree {
	return &StoredTree{records: records, known: known}
}

// Close implements Files.
func (t *StoredTree) Close() error { return nil }

// codeStored is the code of the warning that an answer is not from a folder.
const codeStored = "STORED_CONTENT"

// Caveats implements Files.
func (t *StoredTree) Caveats(masked int) []models.Warning {
	from := "an unfinished index"
	switch {
	case t.known.LastIndexedCommit != "":
		from = "the index of commit " + t.known.LastIndexedCommit
	case !t.known.LastIndexedAt.IsZero():
		from = "the index of " + t.known.LastIndexedAt.UTC().Format("2006-01-02 15:04:05 UTC")
	}
	message := fmt.Sprintf("%s is read from %s, not from a working tree", t.known.RepoID, from)
	switch masked {
	case 0:
	case 1:
		message += "; 1 credential is masked"
	default:
		message += fmt.Sprintf("; %d credentials are masked", masked)
	}
	return []models.Warning{{Code: codeStored, Message: message}}
}

// Stat implements Files.
func (t *StoredTree) Stat(ctx context.Context, name string) (disk.Stat, error) {
	rec, err := t.find(ctx, name)
	if err != nil {
		return disk.Stat{}, err
	}
	return disk.Stat{Path: rec.Path, Size: rec.Size, ModTime: rec.ModTime, Changed: rec.Changed}, nil
}

// Read implements Files. What it returns is UTF-8 with credentials masked. A
// file without stored content is the error that says why: BinaryFile, Forbidden
// for secret stores, PathNotFound for all else.
func (t *StoredTree) Read(ctx context.Context, name string, limit int64) ([]byte, disk.Stat, error) {
	rec, err := t.find(ctx, name)
	if err != nil {
		return nil, disk.Stat{}, err
	}
	if err := filekind.Refusal(name, rec.Skipped, rec.Detail); err != nil {
		return nil, disk.Stat{}, err
	}
	var c models.Content
	ok, err := t.records.Record(ctx, models.ContentsCollection(t.known.RepoID), rec.Path, &c)
	if err != nil {
		return nil, disk.Stat{}, fmt.Errorf("read the stored content of %s: %w", rec.Path, err)
	}
	if !ok {
		return nil, disk.Stat{}, notStored(name, rec)
	}
	return []byte(c.Text[:min(int64(len(c.Text)), limit+1)]), disk.Stat{
		Path: rec.Path, Size: rec.Size, ModTime: rec.ModTime, Changed: rec.Changed, Masked: c.Masked,
		MaskedLines: c.MaskedLines,
	}, nil
}

// find is the record of the regular file that a path as clients give it leads to.
func (t *StoredTree) find(ctx context.Context, name string) (models.FileRecord, error) {
	p, err := relpath.Clean(name)
	if err != nil {
		return models.FileRecord{}, err
	}
	if p == "" {
		return models.FileRecord{}, disk.NotAFile(name, fs.ModeDir)
	}
	var rec models.FileRecord
	ok, err := t.records.Record(ctx, models.FilesCollection(t.known.RepoID), p, &rec)
	if err != nil {
		return models.FileRecord{}, fmt.Errorf("read the record of %s: %w", p, err)
	}
	if ok && kindOfRecord(rec) == fileRecord {
		return rec, nil
	}
	all, err := t.files(ctx)
	if err != nil {
		return models.FileRecord{}, err
	}
	return all.file(name, p)
}

// notStored says why there is no content of a file that is known.
func notStored(name string, rec models.FileRecord) error {
	switch {
	case rec.Skipped != "" && rec.Skipped != models.SkipEmpty:
		return fault.New(fault.PathNotFound,
			"%q was not indexed (%s: %s), so its content is not stored; read it where the repository's folder is", name,
			rec.Skipped, rec.Detail)
	case rec.Size > models.MaxContent:
		return fault.New(fault.PathNotFound,
			"%q has more than %d MiB, so its content is not stored; read it where the repository's folder is", name,
			models.MaxContent>>20)
	}
	return fault.New(fault.PathNotFound,
		"the content of %q is not stored yet; index the repository again, with --content stored", name)
}
