package web

import (
	"cmp"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// repoURL is the address of a repository. A dash between slashes, which ends the
// id in addresses of files, is escaped in an id.
func repoURL(id models.RepoID) string {
	segments := strings.Split(escapePath(string(id)), "/")
	for i, s := range segments {
		if s == "-" {
			segments[i] = "%2D"
		}
	}
	return "/r/" + strings.Join(segments, "/")
}

// A target is what an address names; File is "" for a repository alone.
type target struct {
	RepoID models.RepoID
	File   string
}

// targets are what an address may name behind "/r/", by every dash that may end
// the id; an address of ours names the first.
func targets(escaped string) ([]target, error) {
	var all []target
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
		all = append(all, target{models.RepoID(plainID), plainFile})
	}
	return all, nil
}

// fileURL is the address of a file or folder of a repository.
func fileURL(id models.RepoID, file string) string {
	return repoURL(id) + "/-/" + escapePath(file)
}

// historyURL is the address of the runs that indexed a repository.
func historyURL(id models.RepoID) string {
	return "/jobs?" + url.Values{"repo": {string(id)}}.Encode()
}

// nearLines are surely on the first page of a file.
const nearLines = pageLines / 2

// linesURL is the address of lines of a file. Those that are not on the file's
// first page are also named where the server sees it.
func linesURL(id models.RepoID, file string, start, end int) string {
	return linesAt(id, file, start, end, "")
}

// atCommit is an address without a query, in a commit if that isn't "".
func atCommit(address, commit string) string {
	if commit == "" {
		return address
	}
	return address + "?" + url.Values{"commit": {commit}}.Encode()
}

// linesAt is linesURL in a commit, if that isn't "".
func linesAt(id models.RepoID, file string, start, end int, commit string) string {
	u, v := fileURL(id, file), url.Values{}
	if commit != "" {
		v.Set("commit", commit)
	}
	switch {
	case start > nearLines:
		v.Set("line", strconv.Itoa(start))
	case start > 0 && isMarkdown(file):
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

// usesURL is the address of the line of a definition, with what uses it beside.
func usesURL(id models.RepoID, file, name string, line int) string {
	n := strconv.Itoa(line)
	return fileURL(id, file) + "?" + url.Values{"uses": {name}, "at": {n}, "line": {n}}.Encode() + "#L" + n
}

// escapePath escapes the segments of a path.
func escapePath(p string) string {
	segments := strings.Split(p, "/")
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	return strings.Join(segments, "/")
}
