package nav

import (
	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

// A fileFilter chooses files by path, as the filters of a search do.
type fileFilter struct {
	path      filter.Path
	languages filter.Languages
	only      string // tests, code or ""
}

func newFilter(path, language, only string) (f fileFilter, err error) {
	if f.path, err = filter.ParsePath(path); err != nil {
		return f, err
	}
	f.languages, err = filter.ParseLanguage(language)
	f.only = only
	return f, err
}

// takes reports whether a file is one of those that are asked for.
func (f fileFilter) takes(p string) bool {
	return f.path.Match(p) && (len(f.languages) == 0 || f.languages.Match(language(p))) &&
		(f.only == "" || isTest(p) == (f.only == "tests"))
}

func isTest(p string) bool { return filekind.IsTest(p) }

// all reports that the filter takes every file.
func (f fileFilter) all() bool { return f.path.All() && len(f.languages) == 0 && f.only == "" }
