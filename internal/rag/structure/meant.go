package structure

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/repo"
)

// mostMeant is how many paths are offered in place of one that is not there.
const mostMeant = 3

// offer is the error of a folder that is not there, with those that may have been meant.
func offer(ctx context.Context, files repo.Files, dir string, err error) error {
	if fault.CodeOf(err) != fault.PathNotFound || errors.Is(err, fs.ErrPermission) {
		return err
	}
	meant := meant(ctx, files, dir)
	if len(meant) == 0 {
		return err
	}
	for i, p := range meant {
		meant[i] = fmt.Sprintf("%q", p)
	}
	where := "this repository now"
	if then, ok := files.(repo.Past); ok {
		where = fmt.Sprintf("commit %.12s", then.Commit)
	}
	return fault.Wrap(fault.PathNotFound, err, "there is no %q in %s; did you mean %s?", dir, where,
		strings.Join(meant, ", "))
}

// meant are paths whose parts, from the root on, are those of the one that is not there,
// or like them where they are not. It ends in a file only where no folder has such a name.
func meant(ctx context.Context, files repo.Files, missing string) []string {
	paths := []string{""}
	parts := strings.Split(missing, "/")
	for i, part := range parts {
		var next []string
		for _, dir := range paths {
			for _, name := range near(ctx, files, dir, part, i == len(parts)-1) {
				next = append(next, path.Join(dir, name))
			}
		}
		paths = next[:min(len(next), mostMeant)]
	}
	return paths
}

// near are the entries of a folder that a part of a path may stand for: the folder of that
// name alone, else those with a name like it.
func near(ctx context.Context, tree repo.Files, dir, part string, last bool) []string {
	entries, err := tree.ReadDir(ctx, dir)
	if err != nil { // its message would be of what nobody asked for
		return nil
	}
	var folders, files []string
	for _, e := range entries {
		switch {
		case e.IsDir && e.Name == part:
			return []string{part}
		case e.IsDir:
			folders = append(folders, e.Name)
		case last:
			files = append(files, e.Name)
		}
	}
	if found := filter.Nearest(part, folders); len(found) > 0 {
		return found
	}
	return filter.Nearest(part, files)
}
