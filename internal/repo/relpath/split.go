package relpath

import (
	"slices"
	"strings"
)

// Base is the last name of a path.
func Base(p string) string { return p[strings.LastIndexByte(p, '/')+1:] }

// Segments are the parts of a path that name something.
func Segments(p string) []string {
	return slices.DeleteFunc(strings.Split(p, "/"), func(s string) bool { return s == "" || s == "." })
}

// Parent is the folder of a path, "" for the root.
func Parent(p string) string {
	return p[:max(0, strings.LastIndexByte(p, '/'))]
}

// OrDot is the path in the form that os.Root takes.
func OrDot(p string) string {
	if p == "" {
		return "."
	}
	return p
}
