package filefetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/repo"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/filekind"
	"github.com/ragnav/ragnav/internal/repo/listing"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// How many paths are offered in place of one that is not there, and how many files
// are looked at to find them.
const (
	mostMeant  = 3
	mostWalked = 20_000
)

// A pathFinder finds what may have been meant by paths that are not in a repository's
// files. It reads each folder once and walks the files once, for however many paths.
type pathFinder struct {
	files repo.Files

	mu      sync.Mutex
	folders map[string][]string // names of the files in a folder
	paths   map[string][]string // of the files by their names, in lower case; nil before they were walked
}

// offer is the error of a file that is not there, with those that may have been
// meant: files beside it whose names are like its own, else those of its name in
// other folders. A file that is listed is there, whatever keeps it from being read.
func (n *pathFinder) offer(ctx context.Context, file string, err error) error {
	if fault.CodeOf(err) != fault.PathNotFound || errors.Is(err, fs.ErrPermission) {
		return err
	}
	if commit := n.outside(ctx, file); commit != "" {
		return fault.Wrap(fault.PathNotFound, err, "%q is outside of the sparse checkout: commit %.12s has it, and "+
			"`git sparse-checkout add %s` brings it into the folder", file, commit, path.Dir(file))
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	meant := n.beside(ctx, file)
	if len(meant) == 0 {
		meant = n.named(ctx, file)
	}
	if len(meant) == 0 {
		return escaped(file, err)
	}
	if slices.Contains(meant, file) { // it is there, and err says why it can't be read
		return err
	}
	for i, p := range meant {
		meant[i] = fmt.Sprintf("%q", p)
	}
	return fault.Wrap(fault.PathNotFound, err, "there is no %q in this repository now; did you mean %s?", file,
		strings.Join(meant, ", "))
}

// outside is the commit that is checked out, if that has a file and git keeps it out of the
// folder; else it is "".
func (n *pathFinder) outside(ctx context.Context, file string) (commit string) {
	tree, ok := n.files.(repo.Tree)
	if !ok {
		return ""
	}
	if sparse, err := listing.Sparse(ctx, tree.Folder); !sparse || err != nil {
		return ""
	}
	commit, err := tree.Head(ctx)
	if err != nil || commit == "" {
		return ""
	}
	head, err := repo.At(ctx, n.files, "", commit)
	if err == nil {
		_, err = head.Stat(ctx, file)
	}
	if err != nil {
		return ""
	}
	return commit
}

// escaped is the error of a file that is not there, with what to do if its name is
// one that coverage writes with escapes.
func escaped(file string, err error) error {
	odd, ok := relpath.OddOf(file)
	if !ok {
		return err
	}
	hint := "has control characters: ask for it with these in place of the escapes"
	if relpath.Odd(odd) == relpath.NotUTF8 {
		hint = "is not valid UTF-8, and no request can name it: rename the file"
	}
	return fault.Wrap(fault.PathNotFound, err,
		"there is no %q in this repository now; if `ragnav coverage` lists it, its name %s", file, hint)
}

// beside are the files of the same folder with a name like that of file.
func (n *pathFinder) beside(ctx context.Context, file string) []string {
	dir, base := path.Split(file)
	names, known := n.folders[dir]
	if !known {
		entries, err := n.files.ReadDir(ctx, path.Clean(dir))
		if err != nil {
			entries = nil
		}
		for _, e := range entries {
			if !e.IsDir && !unserved(e.Path) {
				names = append(names, e.Name)
			}
		}
		if n.folders == nil {
			n.folders = map[string][]string{}
		}
		n.folders[dir] = names
	}
	near := filter.Nearest(base, names)
	near = near[:min(len(near), mostMeant)]
	for i := range near {
		near[i] = dir + near[i]
	}
	return near
}

// unserved reports whether a file is never served, so that it can't have been meant.
func unserved(file string) bool {
	_, secret := filekind.Secret(file)
	return secret
}

var errEnough = errors.New("enough files were looked at")

// named are the files with the name of file, most alike first: those whose folders
// have most names of its path.
func (n *pathFinder) named(ctx context.Context, file string) []string {
	if n.paths == nil {
		n.walk(ctx)
	}
	found := slices.Clone(n.paths[strings.ToLower(path.Base(file))])
	folders := strings.Split(path.Dir(file), "/")
	alike := func(p string) (n int) {
		for folder := range strings.SplitSeq(path.Dir(p), "/") {
			if slices.Contains(folders, folder) {
				n++
			}
		}
		return n
	}
	slices.SortStableFunc(found, func(a, b string) int { return cmp.Compare(alike(b), alike(a)) })
	return found[:min(len(found), mostMeant)]
}

// walk lists the files by their names. What can't be listed is not offered.
func (n *pathFinder) walk(ctx context.Context) {
	n.paths = map[string][]string{}
	looked := 0
	err := n.files.Walk(ctx, "", func(e disk.Entry) error {
		if looked++; looked > mostWalked {
			return errEnough
		}
		if !unserved(e.Path) {
			name := strings.ToLower(path.Base(e.Path))
			n.paths[name] = append(n.paths[name], e.Path)
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		n.paths = map[string][]string{}
	}
}
