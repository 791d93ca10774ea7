package nav

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/repo"
)

// A filter chooses files by path, as path_filter of a search does.
type filter struct {
	path     string // a folder, a file or a doublestar glob; "" takes all
	language string // in lower case
	only     string // tests, code or ""
}

func newFilter(path, language, only string) (filter, error) {
	if strings.HasPrefix(path, "/") || slices.Contains(strings.Split(path, "/"), "..") {
		return filter{}, fault.New(fault.InvalidPath, "path_filter %q leaves the repository; give a folder or glob relative to its root", path)
	}
	p := strings.Trim(strings.TrimPrefix(path, "./"), "/")
	if !doublestar.ValidatePattern(p) || strings.ContainsRune(p, 0) || !utf8.ValidString(p) {
		return filter{}, fault.New(fault.InvalidRequest, "path_filter %q is not a folder or a glob such as src/**/*.go", path)
	}
	return filter{p, strings.ToLower(language), only}, nil
}

// takes reports whether a file is one of those that are asked for.
func (f filter) takes(p string) bool {
	switch {
	case f.path != "" && p != f.path && !strings.HasPrefix(p, f.path+"/") && !doublestar.MatchUnvalidated(f.path, p):
		return false
	case f.language != "" && strings.ToLower(language(p)) != f.language:
		return false
	}
	return f.only == "" || isTest(p) == (f.only == "tests")
}

func isTest(p string) bool { return repo.Classify(p, nil).Test }

// all reports that the filter takes every file.
func (f filter) all() bool { return f == filter{} }
