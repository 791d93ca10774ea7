package history

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/git"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// maxFollowed is how many symlinks of a folder are followed when it is listed,
// each by a few gits; those behind are left out.
const maxFollowed = 32

// ReadDir lists a folder, by name. A symlink that stays inside is listed as what
// it leads to, a submodule as a folder.
func (t *Tree) ReadDir(ctx context.Context, name string) ([]disk.DirEntry, error) {
	folder, found, err := t.list(ctx, name)
	if err != nil {
		return nil, err
	}
	var all []disk.DirEntry
	followed := 0
	for _, e := range found {
		p := path.Join(folder, e.path)
		size, isDir := e.size, e.mode == modeFolder || e.mode == modeSubmodule
		if e.mode == modeLink {
			if followed++; followed > maxFollowed {
				continue
			}
			to, err := t.resolve(ctx, p)
			switch {
			case err != nil && fault.CodeOf(err) == fault.Internal:
				return nil, err
			case err != nil: // it leads nowhere that can be read
				continue
			}
			size, isDir = to.size, to.mode == modeFolder
		}
		all = append(all, disk.DirEntry{Entry: disk.Entry{Path: p, Size: size}, Name: e.path, IsDir: isDir})
	}
	slices.SortFunc(all, func(a, b disk.DirEntry) int { return cmp.Compare(a.Name, b.Name) })
	return all, ctx.Err()
}

// Walk calls yield for each regular file below a folder, in path order, until
// yield returns an error, which Walk then returns.
func (t *Tree) Walk(ctx context.Context, dir string, yield func(disk.Entry) error) error {
	folder, found, err := t.list(ctx, dir, "-r")
	if err != nil {
		return err
	}
	slices.SortFunc(found, func(a, b entry) int { return cmp.Compare(a.path, b.path) })
	for _, e := range found {
		if e.mode == modeLink || e.mode == modeSubmodule {
			continue
		}
		if err := yield(disk.Entry{Path: path.Join(folder, e.path), Size: e.size}); err != nil {
			return err
		}
	}
	return nil
}

// list is what git says is in a folder, whose own path it returns too, without
// what is never listed.
func (t *Tree) list(ctx context.Context, name string, options ...string) (folder string, found []entry, err error) {
	e, err := t.resolve(ctx, name)
	if err != nil {
		return "", nil, err
	}
	if e.mode != modeFolder {
		return "", nil, fault.New(fault.InvalidPath, "%q is a file in commit %.12s", name, t.Commit)
	}
	args := append([]string{"ls-tree", "-z", "--long", "--full-tree"}, options...)
	out, err := git.Run(ctx, t.folder.Root(), append(args, e.object)...)
	if err != nil {
		return "", nil, git.Fault(err)
	}
	for in := range entries(out) {
		if first, _, _ := strings.Cut(in.path, "/"); first == relpath.OwnFolder {
			continue
		}
		if p, err := relpath.Clean(in.path); err == nil && p == in.path {
			found = append(found, in)
		}
	}
	return e.path, found, nil
}

// maxTogether bounds the bytes of the files that Each holds at a time.
const maxTogether = 32 << 20

// Each calls yield with the text of each of some files that have at most limit
// bytes, as their entries say. Those that are not there are left out.
func (t *Tree) Each(ctx context.Context, files []disk.Entry, limit int64, yield func(name, text string)) error {
	for len(files) > 0 {
		var paths []string
		sizes := map[string]int64{}
		held, n := int64(0), 0
		for ; n < len(files) && (held == 0 || held+files[n].Size <= maxTogether); n++ {
			if f := files[n]; f.Size <= limit && !strings.Contains(f.Path, "\n") {
				paths, sizes[f.Path], held = append(paths, f.Path), f.Size, held+f.Size
			}
		}
		files = files[n:]
		texts, err := Blobs(ctx, t.folder, t.Commit, paths)
		if err != nil {
			return git.Fault(err)
		}
		for _, p := range paths {
			text, ok := texts[p]
			if ok && int64(len(text)) != sizes[p] { // of a symlink, not of what it leads to
				data, _, err := t.Read(ctx, p, limit)
				text, ok = string(data), err == nil
			}
			if ok {
				yield(p, text)
			}
		}
	}
	return nil
}
