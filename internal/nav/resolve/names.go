package resolve

import (
	"path"
	"strings"
)

// What readers of several languages need.

// CleanDir is a folder in its shortest form, "" for the root.
func CleanDir(p string) string {
	if p = path.Clean(p); p == "." {
		return ""
	}
	return p
}

// Set is the set of words of a text.
func Set(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

// Said returns what a file says of a kind, by key.
func Said(q *Query, id FileID, kind string) (keys, values []string) {
	for i := range q.File(id).Imports {
		if x := &q.File(id).Imports[i]; x.Local == kind {
			keys, values = append(keys, x.Name), append(values, x.Path)
		}
	}
	return keys, values
}

// FolderOf is the folder of a path, "" for the root.
func FolderOf(p string) string { return p[:max(strings.LastIndexByte(p, '/'), 0)] }

// Shared is how many folders two paths have in common.
func Shared(a, b string) int {
	n := 0
	for a != "" && b != "" {
		x, restA, _ := strings.Cut(a, "/")
		y, restB, _ := strings.Cut(b, "/")
		if x != y {
			break
		}
		a, b, n = restA, restB, n+1
	}
	return n
}
