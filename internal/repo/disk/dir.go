package disk

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path"
	"slices"

	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// ReadDir lists what is on disk in a folder, by name: indexed or not, without
// .git, our own .llmc, special files and symlinks that leave the repository. A symlink that
// stays inside is listed as what it leads to.
func (t *Folder) ReadDir(ctx context.Context, name string) ([]DirEntry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p, err := relpath.Clean(name)
	if err != nil {
		return nil, err
	}
	folder, err := t.Resolve(p)
	if err != nil {
		return nil, Fault(name, err)
	}
	found, err := t.ReadFolder(folder)
	if err != nil {
		return nil, Fault(name, err)
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

// Odd counts what ReadDir leaves out of a folder because of its name, see relpath.Odd.
func (t *Folder) Odd(name string) (n int) {
	folder, err := t.Resolve(name)
	if err != nil {
		return 0
	}
	found, _ := t.ReadFolder(folder) // as far as it can be read
	for _, d := range found {
		if relpath.Odd(d.Name()) != "" {
			n++
		}
	}
	return n
}

func (t *Folder) dirEntry(dir, file, name string) (DirEntry, bool) {
	if relpath.IsGitFolder(name) || name == relpath.OwnFolder || relpath.Odd(name) != "" {
		return DirEntry{}, false
	}
	file, err := t.Resolve(file)
	if err != nil {
		return DirEntry{}, false
	}
	info, err := t.dir.Lstat(relpath.OrDot(file))
	if err != nil || !info.IsDir() && !info.Mode().IsRegular() {
		return DirEntry{}, false
	}
	return DirEntry{Entry: EntryOf(path.Join(dir, name), info), Name: name, IsDir: info.IsDir()}, true
}

// ReadFolder is what is in a folder of the tree itself, in no order.
func (t *Folder) ReadFolder(p string) ([]fs.DirEntry, error) {
	if f, ok := t.straight.folder(t.dir, p); ok {
		defer func() { _ = f.Close() }()
		return f.ReadDir(-1)
	}
	if err := t.CheckFolder(p); err != nil {
		return nil, err
	}
	f, err := t.dir.OpenFile(relpath.OrDot(p), os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return f.ReadDir(-1)
}

// CheckFolder is the error of what is not a folder of the tree itself.
func (t *Folder) CheckFolder(p string) error {
	info, err := t.Lstat(p)
	if err == nil && !info.IsDir() {
		err = relpath.Invalid(p, "is not a folder")
	}
	return err
}
