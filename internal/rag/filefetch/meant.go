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

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/repo"
	"github.com/ragnav/ragnav/internal/repo/disk"
)

// How many paths are offered in place of one that is not there, and how many files
// are looked at to find them.
const (
	mostMeant  = 3
	mostWalked = 20_000
)

// offer is the error of a file that is not there, with those that may have been
// meant: files beside it whose names are like its own, else those of its name in
// other folders. A file that is listed is there, whatever keeps it from being read.
func offer(ctx context.Context, files repo.Files, file string, err error) error {
	if fault.CodeOf(err) != fault.PathNotFound || errors.Is(err, fs.ErrPermission) {
		return err
	}
	meant := beside(ctx, files, file)
	if len(meant) == 0 {
		meant = named(ctx, files, file)
	}
	if len(meant) == 0 || slices.Contains(meant, file) { // it is there, and err says why it can't be read
		return err
	}
	for i, p := range meant {
		meant[i] = fmt.Sprintf("%q", p)
	}
	return fault.Wrap(fault.PathNotFound, err, "there is no %q in this repository now; did you mean %s?", file,
		strings.Join(meant, ", "))
}

// beside are the files of the same folder with a name like that of file.
func beside(ctx context.Context, files repo.Files, file string) []string {
	dir, base := path.Split(file)
	entries, err := files.ReadDir(ctx, path.Clean(dir))
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir {
			names = append(names, e.Name)
		}
	}
	near := filter.Nearest(base, names)
	near = near[:min(len(near), mostMeant)]
	for i := range near {
		near[i] = dir + near[i]
	}
	return near
}

var errEnough = errors.New("enough files were looked at")

// named are the files with the name of file, most alike first: those whose folders
// have most names of its path.
func named(ctx context.Context, files repo.Files, file string) (found []string) {
	base, looked := path.Base(file), 0
	err := files.Walk(ctx, "", func(e disk.Entry) error {
		if looked++; looked > mostWalked {
			return errEnough
		}
		if strings.EqualFold(path.Base(e.Path), base) {
			found = append(found, e.Path)
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return nil
	}
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
