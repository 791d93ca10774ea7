package change

import (
	"path"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// rustExample is what stands behind the fence of an example that is compiled.
var rustExample = pattern.NewLazy(`^(rust|no_run|should_panic|edition\d+|[, ])*$`)

// pythonExample is a line of one in Python.
var pythonExample = pattern.NewLazy(`(?m)^\s*>>> `)

// DocTests reports whether examples in the documentation of a file are run as tests: those of
// libraries of Rust, and those of Python where settings of pytest say so. read is the text
// of a file, nil where there is none.
func DocTests(file, text string, read func(file string) *string) bool {
	switch path.Ext(file) {
	case ".rs":
		crate := manifestsOf(read).around(path.Dir(file), "Cargo.toml")
		return rustExamples(text) && read(path.Join(crate, "src/lib.rs")) != nil
	case ".py":
		return pythonExample().MatchString(text) && runsDocTests(path.Dir(file), read)
	}
	return false
}

// runsDocTests reports whether settings of pytest, in a folder or one around it, have it
// run examples.
func runsDocTests(dir string, read func(file string) *string) bool {
	for ; ; dir = path.Dir(dir) {
		for _, name := range [...]string{"pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini"} {
			if text := read(path.Join(dir, name)); text != nil && strings.Contains(*text, "--doctest-modules") {
				return true
			}
		}
		if dir == "." || dir == "/" {
			return false
		}
	}
}

// rustExamples reports whether documentation comments of a text have examples.
func rustExamples(text string) bool {
	inside := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "///") && !strings.HasPrefix(line, "//!") {
			inside = false
			continue
		}
		if said, fence := strings.CutPrefix(strings.TrimSpace(line[3:]), "```"); fence {
			if inside = !inside; inside && rustExample().MatchString(said) {
				return true
			}
		}
	}
	return false
}
