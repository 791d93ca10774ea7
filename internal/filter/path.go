// Package filter says what the filters of requests mean, for every operation
// that takes them: paths, languages and repositories. A filter that cannot mean
// anything is an error that names what comes near; one that is well-formed and
// selects nothing is for the operation to say.
package filter

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/ragnav/ragnav/internal/fault"
)

// A Path selects files by their paths relative to a repository's root. The zero
// value selects all.
type Path struct {
	given    string
	anywhere bool           // it is about base names
	literal  string         // a folder or a file, if it is no glob
	expr     string         // RE2 of whole paths, beside literal
	re       *regexp.Regexp // expr, anchored
}

// ParsePath understands a path_filter:
//
//   - src/net: the folder and all below it, or the file
//   - src/**/*.go: a doublestar glob of the whole path
//   - *.go, Makefile: without a slash, the base name of files in any folder; a
//     name without wildcards is also the folder or file at the root
//   - ./*.go: the root's own
//   - testdata/, *_gen/: only folders, and all below them
//   - routes/[slug]: brackets are a class of characters, or a part of a name, as web frameworks
//     have them in names of files and folders: what fits either is selected
//
// Case counts. A path that leaves the repository is a fault.InvalidPath.
func ParsePath(given string) (Path, error) {
	if strings.HasPrefix(given, "/") || slices.Contains(strings.Split(given, "/"), "..") {
		return Path{}, fault.New(fault.InvalidPath,
			"path_filter %q leaves the repository; give a folder or glob relative to its root", given)
	}
	rest, atRoot := strings.CutPrefix(given, "./")
	p := strings.Trim(rest, "/")
	switch {
	case !isPattern(p):
		return Path{}, fault.New(fault.InvalidRequest, "path_filter %q is not a folder or a glob such as *.go or src/**/*.go",
			given)
	case tooLong(p):
		return Path{}, fault.New(fault.InvalidRequest, "path_filter has more than %d wildcards; give a shorter one",
			maxWildcards)
	case p == "", p == ".":
		return Path{}, nil
	}
	return compile(given, p, strings.HasSuffix(rest, "/"), !atRoot && !strings.Contains(p, "/"))
}

func compile(given, p string, folder, anywhere bool) (f Path, err error) {
	f.given, f.anywhere = given, anywhere
	isGlob := strings.ContainsAny(p, wildcards)
	glob, forms := globRegexp(p), PathForms(p)
	if len(forms) > 1 {
		glob = "(?:" + globRegexp(forms[0]) + "|" + globRegexp(forms[1]) + ")"
	} else if !isGlob {
		f.literal = p
	}
	if isGlob {
		glob = eitherWay(glob, forms)
	}
	if isGlob || anywhere && !folder {
		f.expr = glob
		if anywhere {
			f.expr = "(?:.*/)?" + f.expr
		}
		if folder {
			f.expr += "/.*"
		}
	}
	switch { // a folder or file, in both forms
	case isGlob || len(forms) == 1:
	case f.expr == "":
		f.expr = glob + "(?:/.*)?"
	default:
		f.expr = "(?:" + f.expr + "|" + glob + "/.*)"
	}
	if f.expr == "" {
		return f, nil
	}
	if f.re, err = anchored(f.expr); err != nil {
		return Path{}, fault.Wrap(fault.InvalidRequest, err,
			"path_filter %q can't be used; try a simpler glob such as src/**/*.go", given)
	}
	return f, nil
}

// eitherWay is the expression of a glob, or of what it names if its brackets are a part of
// names. Not each of those is a class: [user-id] is none.
func eitherWay(glob string, forms []string) string {
	either := make([]string, 0, 1+len(forms))
	if _, err := anchored(glob); err == nil {
		either = append(either, glob)
	}
	for _, form := range forms {
		named, has := BracketsNamed(form)
		if !has {
			return glob
		}
		expr := globRegexp(named)
		if !strings.ContainsAny(strings.ReplaceAll(form, "[", ""), wildcards) {
			expr += "(?:/.*)?" // a folder or file
		}
		either = append(either, expr)
	}
	return "(?:" + strings.Join(either, "|") + ")"
}

// BracketsNamed is a glob with its brackets quoted, if it has some that are not.
func BracketsNamed(glob string) (quoted string, has bool) {
	if strings.Contains(glob, `\`) {
		return glob, false
	}
	return strings.ReplaceAll(glob, "[", `\[`), strings.Contains(glob, "[")
}

// PathForms are the forms in which systems write a path: composed and decomposed, where
// these differ.
func PathForms(path string) []string {
	composed, decomposed := norm.NFC.String(path), norm.NFD.String(path)
	if composed == decomposed {
		return []string{path}
	}
	return []string{composed, decomposed}
}

// All reports that every file is selected.
func (f Path) All() bool { return f.given == "" }

// String is the filter as it was given.
func (f Path) String() string { return f.given }

// Literal is the folder or file that is selected, "" if the filter is a glob.
func (f Path) Literal() string { return f.literal }

// Regexp is an RE2 expression, without anchors, of the whole paths that are
// selected beside Literal and what is below it; "" for none.
func (f Path) Regexp() string { return f.expr }

// Match reports whether a file is selected.
func (f Path) Match(file string) bool {
	switch {
	case f.All():
		return true
	case f.literal != "" && (file == f.literal || strings.HasPrefix(file, f.literal+"/")):
		return true
	}
	return f.re != nil && f.re.MatchString(file)
}

// Wider is a filter that is likely to be meant where this one selects nothing:
// the same one in any folder. It is false where that is no other.
func (f Path) Wider() (Path, bool) {
	p := strings.TrimPrefix(f.given, "./")
	switch {
	case f.literal != "":
		p = strings.TrimSuffix(p, "/") + "/**"
	case f.All(), f.anywhere, strings.HasPrefix(p, "**/"):
		return Path{}, false
	}
	wider, err := ParsePath("**/" + p)
	return wider, err == nil
}
