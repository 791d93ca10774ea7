package repo

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// A knownFiles is the file records of a repository in the order of their paths,
// without those of odd names.
type knownFiles struct{ records []models.FileRecord }

func (t *StoredTree) files(ctx context.Context) (*knownFiles, error) {
	if t.all != nil {
		return t.all, nil
	}
	var l knownFiles
	err := t.records.Records(ctx, models.FilesCollection(t.known.RepoID), func(_ string, value json.RawMessage) error {
		var rec models.FileRecord
		if err := json.Unmarshal(value, &rec); err != nil {
			return err
		}
		if kindOfRecord(rec) != oddRecord {
			l.records = append(l.records, rec)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the file records of %s: %w", t.known.RepoID, err)
	}
	t.all = &l
	return t.all, nil
}

// ReadDir implements Files.
func (t *StoredTree) ReadDir(ctx context.Context, name string) ([]disk.DirEntry, error) {
	p, real, all, err := t.folder(ctx, name)
	if err != nil {
		return nil, err
	}
	var entries []disk.DirEntry
	below := all.below(real)
	for i := 0; i < len(below); {
		child, _, deeper := strings.Cut(relative(below[i].Path, real), "/")
		if deeper {
			entries = append(entries, disk.DirEntry{Entry: disk.Entry{Path: path.Join(p, child)}, Name: child, IsDir: true})
			i += len(all.below(path.Join(real, child)))
			continue
		}
		if e, ok := all.entry(below[i]); ok {
			e.Name, e.Path = child, path.Join(p, child)
			entries = append(entries, e)
		}
		i++
	}
	slices.SortFunc(entries, func(a, b disk.DirEntry) int { return cmp.Compare(a.Name, b.Name) })
	return entries, ctx.Err()
}

// Walk implements Files.
func (t *StoredTree) Walk(ctx context.Context, dir string, yield func(disk.Entry) error) error {
	_, real, all, err := t.folder(ctx, dir)
	if err != nil {
		return err
	}
	for _, rec := range all.below(real) {
		if kindOfRecord(rec) != fileRecord {
			continue
		}
		if err := yield(entryOfRecord(rec)); err != nil {
			return err
		}
	}
	return nil
}

// folder is the clean path of a folder and the one that it leads to. What is
// not a folder, or one whose files are not known, is an error.
func (t *StoredTree) folder(ctx context.Context, name string) (p, real string, all *knownFiles, err error) {
	if p, err = relpath.Clean(name); err != nil {
		return "", "", nil, err
	}
	if all, err = t.files(ctx); err != nil {
		return "", "", nil, err
	}
	if real, err = all.resolve(p); err != nil {
		return "", "", nil, disk.Fault(name, err)
	}
	return p, real, all, all.checkFolder(name, real)
}

func (l *knownFiles) checkFolder(name, p string) error {
	rec, ok := l.at(p)
	switch {
	case p == "", len(l.below(p)) > 0:
		return nil
	case !ok:
		return notInIndex(name)
	case kindOfRecord(rec) == folderRecord:
		return fault.New(fault.PathNotFound, "the files in %q are not in the index (%s)", name, rec.Detail)
	}
	return relpath.Invalid(p, "is not a folder")
}

// file is the record of the regular file that a clean path leads to.
func (l *knownFiles) file(name, p string) (models.FileRecord, error) {
	p, err := l.resolve(p)
	if err != nil {
		return models.FileRecord{}, disk.Fault(name, err)
	}
	rec, ok := l.at(p)
	switch {
	case ok && kindOfRecord(rec) == fileRecord:
		return rec, nil
	case p == "", len(l.below(p)) > 0, ok && kindOfRecord(rec) == folderRecord:
		return models.FileRecord{}, disk.NotAFile(name, fs.ModeDir)
	case ok && kindOfRecord(rec) == specialRecord:
		return models.FileRecord{}, disk.NotAFile(name, fs.ModeIrregular)
	}
	return models.FileRecord{}, notInIndex(name)
}

func notInIndex(name string) error {
	return fault.New(fault.PathNotFound,
		"there is no %q in the index of this repository, whose folder is not on this machine", name)
}

// at is the record of a path.
func (l *knownFiles) at(p string) (models.FileRecord, bool) {
	i, ok := slices.BinarySearchFunc(l.records, p,
		func(rec models.FileRecord, p string) int { return cmp.Compare(rec.Path, p) })
	if !ok {
		return models.FileRecord{}, false
	}
	return l.records[i], true
}

// below are the records of the files below a folder.
func (l *knownFiles) below(dir string) []models.FileRecord {
	if dir == "" {
		return l.records
	}
	search := func(prefix string) int {
		i, _ := slices.BinarySearchFunc(l.records, prefix,
			func(rec models.FileRecord, p string) int { return cmp.Compare(rec.Path, p) })
		return i
	}
	return l.records[search(dir+"/"):search(dir+"0")] // "0" follows "/"
}

func relative(p, dir string) string { return strings.TrimPrefix(strings.TrimPrefix(p, dir), "/") }
