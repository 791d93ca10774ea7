// Package address is where the pages of repositories, files and lines are, and what
// an address names.
package address

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Repo is the address of a repository. A dash between slashes, which ends the
// id in addresses of files, is escaped in an id.
func Repo(id models.RepoID) string {
	segments := strings.Split(escapePath(string(id)), "/")
	for i, s := range segments {
		if s == "-" {
			segments[i] = "%2D"
		}
	}
	return "/r/" + strings.Join(segments, "/")
}

// A Target is what an address names; File is "" for a repository alone.
type Target struct {
	RepoID models.RepoID
	File   string
}

// Targets are what an address may name behind "/r/", by every dash that may end
// the id; an address of ours names the first.
func Targets(escaped string) ([]Target, error) {
	var all []Target
	for i := 0; i < len(escaped); i++ {
		id, file, found := strings.Cut(escaped[i:], "/-/")
		if found {
			i += len(id)
		} else {
			i = len(escaped)
		}
		if id = strings.TrimSuffix(escaped[:i], "/"); !found {
			file = ""
		}
		plainID, err := url.PathUnescape(id)
		plainFile, fileErr := url.PathUnescape(file)
		if err = cmp.Or(err, fileErr); err != nil {
			return nil, fault.Wrap(fault.InvalidPath, err, "the address can't be read")
		}
		all = append(all, Target{models.RepoID(plainID), plainFile})
	}
	return all, nil
}

// File is the address of a file or folder of a repository.
func File(id models.RepoID, file string) string {
	return Repo(id) + "/-/" + escapePath(file)
}

// History is the address of the runs that indexed a repository.
func History(id models.RepoID) string {
	return "/jobs?" + url.Values{"repo": {string(id)}}.Encode()
}

// PageLines is how many lines of a file are on one page.
const PageLines = 400

// nearLines are surely on the first page of a file.
const nearLines = PageLines / 2

// Lines is the address of lines of a file. Those that are not on the file's
// first page are also named where the server sees it.
func Lines(id models.RepoID, file string, start, end int) string {
	return LinesAt(id, file, start, end, "")
}

// AtCommit is an address without a query, in a commit if that isn't "".
func AtCommit(address, commit string) string {
	if commit == "" {
		return address
	}
	return address + "?" + url.Values{"commit": {commit}}.Encode()
}

// LinesAt is Lines in a commit, if that isn't "".
func LinesAt(id models.RepoID, file string, start, end int, commit string) string {
	u, v := File(id, file), url.Values{}
	if commit != "" {
		v.Set("commit", commit)
	}
	switch {
	case start > nearLines:
		v.Set("line", strconv.Itoa(start))
	case start > 0 && IsMarkdown(file):
		v.Set("plain", "1")
	}
	if len(v) > 0 {
		u += "?" + v.Encode()
	}
	if start < 1 {
		return u
	}
	u += fmt.Sprintf("#L%d", start)
	if end > start {
		u += fmt.Sprintf("-L%d", end)
	}
	return u
}

// Uses is the address of the line of a definition, with what uses it beside.
func Uses(id models.RepoID, file, name string, line int) string {
	n := strconv.Itoa(line)
	return File(id, file) + "?" + url.Values{"uses": {name}, "at": {n}, "line": {n}}.Encode() + "#L" + n
}

// escapePath escapes the segments of a path.
func escapePath(p string) string {
	segments := strings.Split(p, "/")
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	return strings.Join(segments, "/")
}

// IsMarkdown reports whether a file is shown as a document, by its name.
func IsMarkdown(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".md", ".markdown":
		return true
	}
	return false
}
