package structure

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// A place is a file or a folder that was found.
type place struct {
	disk.Entry

	isDir bool
}

// find lists what is in the folder, or below it what matches the pattern:
// folders first, each kind in path order.
func (x *explorer) find(ctx context.Context, pattern string) ([]place, error) {
	if err := checkPattern(pattern); err != nil {
		return nil, err
	}
	var found []place
	if isDeep(pattern) {
		deep, err := x.findDeep(ctx, pattern)
		if err != nil {
			return nil, err
		}
		found = deep
	} else {
		wanted := newGlob(pattern)
		for _, e := range x.entries {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if wanted.matches(e.Name) {
				found = append(found, place{e.Entry, e.IsDir})
			}
		}
	}
	slices.SortFunc(found, func(a, b place) int {
		if a.isDir != b.isDir {
			return map[bool]int{true: -1, false: 1}[a.isDir]
		}
		return cmp.Compare(a.Path, b.Path)
	})
	return found, nil
}

// A glob is a pattern, "" for all, and what it is with its brackets as a part of names.
type glob []string

func newGlob(pattern string) glob {
	pattern = strings.TrimPrefix(pattern, "./")
	switch named, has := filter.BracketsNamed(pattern); {
	case pattern == "":
		return nil
	case has:
		return glob{pattern, named}
	}
	return glob{pattern}
}

func (g glob) matches(name string) bool {
	return g == nil ||
		slices.ContainsFunc(g, func(pattern string) bool { return doublestar.MatchUnvalidated(pattern, name) })
}

// isDeep reports whether a pattern is about more than the entries of the folder.
func isDeep(pattern string) bool {
	return strings.Contains(strings.TrimPrefix(pattern, "./"), "/") || strings.Contains(pattern, "**")
}

// maxAlternatives bounds what a pattern costs for each path: doublestar matches
// the globs that braces stand for one after the other.
const maxAlternatives = 256

func checkPattern(glob string) error {
	switch {
	case !utf8.ValidString(glob), strings.ContainsRune(glob, 0), !doublestar.ValidatePattern(glob):
		return fault.New(fault.InvalidRequest, "pattern %q is not a glob such as *.go or src/**/*.ts", glob)
	case pattern.Alternatives(glob) > maxAlternatives:
		return fault.New(fault.InvalidRequest, "pattern stands for more than %d globs without braces; give one with fewer",
			maxAlternatives)
	case strings.HasPrefix(glob, "/"), slices.Contains(strings.Split(glob, "/"), ".."):
		return fault.New(fault.InvalidRequest, "pattern %q leaves the folder; it is relative to path", glob)
	}
	return nil
}

// findDeep walks the folder and matches files, and the folders that they are
// in, by their paths relative to it. A pattern that ends in "/" is for folders.
func (x *explorer) findDeep(ctx context.Context, pattern string) ([]place, error) {
	pattern, onlyDirs := strings.CutSuffix(pattern, "/")
	wanted := newGlob(pattern)
	matches := func(p string) bool {
		return wanted.matches(strings.TrimPrefix(strings.TrimPrefix(p, x.dir), "/"))
	}
	var found []place
	seen := map[string]bool{x.dir: true}
	files, err := x.below(ctx)
	for _, e := range files {
		for _, dir := range models.Ancestors(e.Path) {
			if seen[dir] {
				break
			}
			seen[dir] = true
			if matches(dir) && len(dir) > len(x.dir) {
				found = append(found, place{disk.Entry{Path: dir}, true})
			}
		}
		if !onlyDirs && matches(e.Path) {
			found = append(found, place{e, false})
		}
	}
	return found, cmp.Or(err, ctx.Err())
}

// below are all files below the folder. What is beside them is noted.
func (x *explorer) below(ctx context.Context) (files []disk.Entry, err error) {
	if tree, ok := x.files.(repo.Tree); ok {
		files, x.beside, err = listing.Below(ctx, tree.Folder, x.dir)
		return files, err
	}
	err = x.files.Walk(ctx, x.dir, func(e disk.Entry) error {
		files = append(files, e)
		return ctx.Err()
	})
	return files, err
}

// describeFiles tells about the files of a page.
func (x *explorer) describeFiles(ctx context.Context, page []disk.Entry) ([]models.FileInfo, error) {
	if then, ok := x.files.(repo.Past); ok {
		return describeThen(ctx, x, then, page)
	}
	files := []models.FileInfo{}
	for _, e := range page {
		file, err := x.describeFile(ctx, e)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// describeFile tells about a file what its record says, while that is of the
// file as it is, else what is found by reading it.
func (x *explorer) describeFile(ctx context.Context, e disk.Entry) (models.FileInfo, error) {
	info := models.FileInfo{Name: path.Base(e.Path), Path: e.Path}
	rec, err := recordOf(ctx, x, e.Path)
	if err != nil {
		return info, err
	}
	info.HasSummary = rec.indexed
	if rec.indexed && rec.Size == e.Size && rec.ModTime == e.ModTime {
		info.Language, info.LineCount = rec.Language, rec.Lines
		return info, nil
	}
	info.Language, info.LineCount = countLines(ctx, x.files, e)
	return info, ctx.Err()
}
