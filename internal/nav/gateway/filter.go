package gateway

import (
	"fmt"
	"strings"

	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

// A FileFilter chooses files by path, as the filters of a search do.
type FileFilter struct {
	path      filter.Path
	languages filter.Languages
	only      string // tests, code or ""
}

// NewFilter reads the filters of a request.
func NewFilter(path, language, only string) (f FileFilter, err error) {
	if f.path, err = filter.ParsePath(path); err != nil {
		return f, err
	}
	f.languages, err = filter.ParseLanguage(language)
	f.only = only
	return f, err
}

// Match reports whether a file is one of those that are asked for.
func (f FileFilter) Match(p string) bool {
	return f.path.Match(p) && (len(f.languages) == 0 || f.languages.Match(language(p))) &&
		(f.only == "" || IsTest(p) == (f.only == "tests"))
}

// None says that the filter takes no file.
func (f FileFilter) None() string {
	var fits []string
	if !f.path.All() {
		fits = append(fits, fmt.Sprintf("matches path_filter %q", f.path))
	}
	if len(f.languages) > 0 {
		fits = append(fits, "is in "+f.languages[0])
	}
	if f.only != "" {
		fits = append(fits, "is of "+f.only)
	}
	return "no file " + strings.Join(fits, " and ")
}

// IsTest reports whether a path is that of a test.
func IsTest(p string) bool { return filekind.IsTest(p) }

// All reports that the filter takes every file.
func (f FileFilter) All() bool { return f.path.All() && len(f.languages) == 0 && f.only == "" }
