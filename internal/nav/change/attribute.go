package change

import (
	"path"
	"regexp"
	"strings"
)

// Attributes tell which functions of files of Rust say by an attribute that they are tests.
type Attributes struct {
	Read  func(file string) *string // the text of a file, nil where there is none
	tests map[string]map[string]bool
}

// Test reports whether a function is a test, as far as attributes tell it: those of other
// languages are, and so are all of a file that can't be read.
func (a *Attributes) Test(file, qualified string) bool {
	if path.Ext(file) != ".rs" {
		return true
	}
	tests, known := a.tests[file]
	if !known {
		if a.tests == nil {
			a.tests = map[string]map[string]bool{}
		}
		if text := a.Read(file); text != nil {
			tests = attributed(*text)
		}
		a.tests[file] = tests
	}
	return tests == nil || tests[qualified[strings.LastIndexByte(qualified, '.')+1:]]
}

var (
	// #[test], #[tokio::test(…)], #[cfg_attr(not(miri), test)] and what crates call theirs.
	testAttribute = regexp.MustCompile(`#\[(?:[\w:]*test\w*|bench|quickcheck|proptest)\b|#\[cfg_attr\(.*[ ,:]test(?:\(.*\))?\)\]`)
	anyFunction   = regexp.MustCompile(`\bfn\s+(\w+)`)
)

// attributed are the names of the functions of a text that have the attribute of a test.
func attributed(text string) map[string]bool {
	tests, says := map[string]bool{}, false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "//") {
			continue
		}
		says = says || testAttribute.MatchString(line)
		if name := anyFunction.FindStringSubmatch(line); name != nil {
			if says {
				tests[name[1]] = true
			}
			says = false
		}
	}
	return tests
}
