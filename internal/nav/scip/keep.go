package scip

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/fresh/artifact"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/repo/disk"
)

// tableName is the file in .llmc that holds the table of a repository.
const tableName = "rag_scip.bin"

// indexName is what indexers call what they write.
const indexName = "index.scip"

// Load reads the table of a repository; nil when there is none that can be used.
func Load(tree *disk.Folder) *Table {
	data, err := artifact.ReadArtifact(tree, tableName, 2*MaxBytes)
	if err != nil {
		return nil
	}
	t, err := decode(data)
	if err != nil {
		return nil
	}
	return t
}

// Save keeps a table, which is complete, in place of the one before.
func Save(tree *disk.Folder, t *Table) error {
	return artifact.WriteArtifact(tree, tableName, func(w io.Writer) error {
		_, err := w.Write(t.Encode())
		return err
	})
}

// Drop forgets the table of a repository.
func Drop(tree *disk.Folder) error {
	return artifact.WriteArtifact(tree, tableName, func(io.Writer) error { return nil })
}

// Find finds the indexes that lie in folders, where indexers leave them.
func Find(tree *disk.Folder, folders []string) ([]Source, error) {
	root, err := tree.Inner("")
	if err != nil {
		return nil, fault.Wrap(fault.PathNotFound, err, "the folder %s is gone", tree.Root())
	}
	defer func() { _ = root.Close() }()
	var all []Source
	for _, dir := range folders {
		p := path.Join(dir, indexName)
		info, err := root.Lstat(p)
		if err == nil && info.Mode().IsRegular() && info.Size() <= MaxBytes {
			all = append(all, Source{Path: p, Size: info.Size(), ModTime: info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b Source) int { return strings.Compare(a.Path, b.Path) })
	return all, nil
}

// maxDepth is how deep below the root folders are that indexes are looked for in.
const maxDepth = 3

// Folders are those of files in which indexes are looked for.
func Folders(files func(yield func(p string, hash fresh.Hash) bool)) []string {
	seen := map[string]bool{"": true}
	for p := range files {
		for dir := path.Dir(p); dir != "." && !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = strings.Count(dir, "/") < maxDepth
		}
	}
	var all []string
	for dir, near := range seen {
		if near {
			all = append(all, dir)
		}
	}
	slices.Sort(all)
	return all
}

// A Listing is the files of a repository as a graph is built of them.
type Listing interface {
	Hash(path string) (fresh.Hash, bool)
}

// An Import makes a table of indexes for a repository.
type Import struct {
	Tree  *disk.Folder
	Files Listing
	Limit int64 // size in bytes of the largest file
	Now   time.Time
}

// Of makes the table of indexes in the repository. Files that were written after
// an index are left out.
func (m Import) Of(ctx context.Context, found []Source) (*Table, Report, error) {
	inputs, newest := make([]Input, 0, len(found)), time.Time{}
	for _, s := range found {
		data, stat, err := m.Tree.Read(ctx, s.Path, MaxBytes)
		if err != nil {
			return nil, Report{}, err
		}
		inputs = append(inputs, Input{data, Source{Path: s.Path, ModTime: time.Unix(0, stat.ModTime)}})
		if newest.IsZero() || s.ModTime.Before(newest) {
			newest = s.ModTime // of several the oldest
		}
	}
	return m.make(ctx, inputs, newest)
}

// Imported makes the table of an index that somebody hands over. It is taken to be of
// the files as they are.
func (m Import) Imported(ctx context.Context, data []byte) (*Table, Report, error) {
	return m.make(ctx, []Input{{Data: data}}, time.Time{})
}

func (m Import) make(ctx context.Context, inputs []Input, newest time.Time) (*Table, Report, error) {
	t, report, err := newTable(inputs, m.Tree.Root(), func(p string) bool { _, ok := m.Files.Hash(p); return ok },
		func(p string) (string, Hash, bool) {
			want, _ := m.Files.Hash(p)
			content, stat, err := m.Tree.Read(ctx, p, m.Limit)
			if err != nil || !newest.IsZero() && stat.ModTime > newest.UnixNano() || fresh.Hash(sha256.Sum256(content)) != want {
				return "", Hash{}, false
			}
			text, ok := parse.Decode(content)
			return text, Hash(want), ok
		})
	switch {
	case ctx.Err() != nil:
		return nil, report, ctx.Err()
	case errors.Is(err, errDamaged):
		return nil, report, fault.Wrap(fault.InvalidRequest, err, "%s; make it anew with the indexer", err)
	case err != nil:
		return nil, report, err
	}
	t.Made = m.Now.Truncate(time.Second)
	return t, report, nil
}
