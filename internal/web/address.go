package web

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// repoURL is the address of a repository.
func repoURL(id models.RepoID) string { return "/r/" + escapePath(string(id)) }

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
	u := fileURL(id, file)
	if start < 1 {
		return u
	}
	switch {
	case start > nearLines:
		u += fmt.Sprintf("?line=%d", start)
	case isMarkdown(file):
		u += "?plain=1"
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
