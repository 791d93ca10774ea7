package models

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// A RepoID names a repository: "owner/name" when a git remote tells it, else
// the folder's name. It has 1 to 4 segments of [A-Za-z0-9._-]+ joined by "/".
type RepoID string

var repoIDPattern = regexp.MustCompile(`^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+){0,3}$`)

// Valid reports whether id has the documented form. The segments "." and ".."
// are not valid.
func (id RepoID) Valid() bool {
	if len(id) > 200 || !repoIDPattern.MatchString(string(id)) {
		return false
	}
	for seg := range strings.SplitSeq(string(id), "/") {
		if seg == "." || seg == ".." {
			return false
		}
	}
	return true
}

// A DocumentID names a document by its location, never by commit or content:
// indexing again updates a document, it never adds a second generation.
type DocumentID string

// SymbolID is the id of the n-th (from 1) symbol of that qualified name in a file.
func SymbolID(repo RepoID, file, qualified string, n int) DocumentID {
	id := fmt.Sprintf("symbol:%s:%s:%s", repo, file, qualified)
	if n > 1 {
		id += fmt.Sprintf("#%d", n)
	}
	return DocumentID(id)
}

// FileID is the id of a source or config file.
func FileID(repo RepoID, file string) DocumentID {
	return DocumentID(fmt.Sprintf("file:%s:%s", repo, file))
}

// ModuleID is the id of a folder; the repository's root folder is ".".
func ModuleID(repo RepoID, dir string) DocumentID {
	return DocumentID(fmt.Sprintf("module:%s:%s", repo, path.Clean(dir)))
}

// RepoDocID is the id of a repository's summary.
func RepoDocID(repo RepoID) DocumentID { return DocumentID("repo:" + string(repo)) }

// SectionID is the id of the n-th (from 1) section of that slug in a document file.
func SectionID(repo RepoID, file, slug string, n int) DocumentID {
	id := fmt.Sprintf("doc:%s:%s#%s", repo, file, slug)
	if n > 1 {
		id += fmt.Sprintf("#%d", n)
	}
	return DocumentID(id)
}

// Ancestors lists the folders above a slash-separated path, nearest first and
// without the root: "a/b/c.go" has "a/b" and "a".
func Ancestors(file string) []string {
	var dirs []string
	for dir := path.Dir(file); dir != "." && dir != "/"; dir = path.Dir(dir) {
		dirs = append(dirs, dir)
	}
	return dirs
}
