// Package relpath has the rules for paths in a repository: the one form that the
// index uses, and names that are never served, or can't be shown.
package relpath

import (
	"strings"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/fault"
)

const maxPathBytes = 4096

// Clean checks a path that a client gave and returns it in the one form
// that the index uses: relative to the root, slashes, no "." and no slash at
// the end; "" is the root. Anything else is InvalidPath with the rule that it
// breaks.
func Clean(p string) (string, error) {
	switch {
	case len(p) > maxPathBytes:
		return "", fault.New(fault.InvalidPath, "the path is longer than %d bytes", maxPathBytes)
	case strings.ContainsRune(p, 0):
		return "", Invalid(p, "has a NUL byte")
	case !utf8.ValidString(p):
		return "", Invalid(p, "is not valid UTF-8")
	case strings.HasPrefix(p, "/"), strings.HasPrefix(p, `\`), HasDrive(p):
		return "", Invalid(p, "is absolute; give it relative to the repository's root")
	}
	p = strings.TrimSuffix(p, "/")
	if p == "" {
		return "", nil
	}
	var segments []string
	for seg := range strings.SplitSeq(p, "/") {
		if rule := brokenRule(seg); rule != "" {
			return "", Invalid(p, rule)
		}
		if seg != "." {
			segments = append(segments, seg)
		}
	}
	return strings.Join(segments, "/"), nil
}

func brokenRule(seg string) string {
	if seg == "" {
		return "has an empty segment"
	}
	for part := range strings.SplitSeq(seg, `\`) {
		if part == ".." {
			return `has a ".."; paths can't leave the repository`
		}
		if IsGitFolder(part) {
			return "is inside .git, which is not served"
		}
	}
	return ""
}

// Invalid is the error of a path that breaks a rule.
func Invalid(p, rule string) error {
	return fault.New(fault.InvalidPath, "the path %q %s", p, rule)
}

// HasDrive reports whether a path begins with the name of a drive.
func HasDrive(p string) bool {
	return len(p) >= 2 && p[1] == ':' && ('a' <= p[0]|0x20 && p[0]|0x20 <= 'z') &&
		(len(p) == 2 || p[2] == '/' || p[2] == '\\')
}

// IsGitFolder reports whether a file system may take name for ".git": case,
// final dots and spaces, streams and short names don't count everywhere.
func IsGitFolder(name string) bool {
	name, _, _ = strings.Cut(name, ":")
	name = strings.TrimRight(name, ". ")
	return strings.EqualFold(name, ".git") || strings.EqualFold(name, "git~1")
}

// OwnFolder is where ragnav keeps the graph of a repository.
const OwnFolder = ".llmc"

// Hidden reports whether files and folders of that name are never listed: those of
// version control, our own, and what Obsidian keeps in a folder of notes, which are
// its settings, plugins, and the notes that were deleted.
func Hidden(name string) bool {
	return IsGitFolder(name) || name == ".hg" || name == ".svn" || name == OwnFolder || name == ".obsidian" ||
		name == ".trash"
}
