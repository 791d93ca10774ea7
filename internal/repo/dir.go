package repo

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// A DirEntry is one file or folder in a folder.
type DirEntry struct {
	Entry

	Name  string
	IsDir bool
}

// ReadDir lists what is on disk in a folder, by name: indexed or not, without
// .git, our own .llmc, special files and symlinks that leave the repository. A symlink that
// stays inside is listed as what it leads to.
func (t *Tree) ReadDir(ctx context.Context, name string) ([]DirEntry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p, err := CleanPath(name)
	if err != nil {
		return nil, err
	}
	folder, err := t.resolve(p)
	if err != nil {
		return nil, fileFault(name, err)
	}
	found, err := t.readFolder(folder)
	if err != nil {
		return nil, fileFault(name, err)
	}
	entries := make([]DirEntry, 0, len(found))
	for _, d := range found {
		if e, ok := t.dirEntry(p, path.Join(folder, d.Name()), d.Name()); ok {
			entries = append(entries, e)
		}
	}
	slices.SortFunc(entries, func(a, b DirEntry) int { return cmp.Compare(a.Name, b.Name) })
	return entries, ctx.Err()
}

func (t *Tree) dirEntry(dir, file, name string) (DirEntry, bool) {
	if isGitFolder(name) || name == ownFolder || oddName(name) != "" {
		return DirEntry{}, false
	}
	file, err := t.resolve(file)
	if err != nil {
		return DirEntry{}, false
	}
	info, err := t.dir.Lstat(orDot(file))
	if err != nil || !info.IsDir() && !info.Mode().IsRegular() {
		return DirEntry{}, false
	}
	return DirEntry{Entry: entryOf(path.Join(dir, name), info), Name: name, IsDir: info.IsDir()}, true
}

// Walk calls yield for each file below a folder in path order until yield
// returns an error, which Walk then returns. The files are those of List
// together with those that List skips for their size or as secret stores:
// ignored build output and symlinks don't flood a "**" pattern. A symlink to a
// folder inside the repository stands for that folder.
func (t *Tree) Walk(ctx context.Context, dir string, yield func(Entry) error) error {
	p, err := CleanPath(dir)
	if err != nil {
		return err
	}
	if p, err = t.resolve(p); err != nil {
		return fileFault(dir, err)
	}
	if err := t.checkFolder(p); err != nil {
		return fileFault(dir, err)
	}
	found, err := t.scan(ctx, p, Limits{})
	if err != nil {
		return err
	}
	for _, f := range found {
		if !f.regular || p != "" && !strings.HasPrefix(f.Path, p+"/") {
			continue
		}
		if err := yield(f.Entry); err != nil {
			return err
		}
	}
	return nil
}

func (t *Tree) readFolder(p string) ([]fs.DirEntry, error) {
	if err := t.checkFolder(p); err != nil {
		return nil, err
	}
	f, err := t.dir.OpenFile(orDot(p), os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return f.ReadDir(-1)
}

func (t *Tree) checkFolder(p string) error {
	info, err := t.dir.Lstat(orDot(p))
	if err == nil && !info.IsDir() {
		err = invalidPath(p, "is not a folder")
	}
	return err
}
