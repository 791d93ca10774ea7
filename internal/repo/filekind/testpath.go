package filekind

import (
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/repo/filekind/linguist"
)

// testFolders are names of folders that hold tests and their data.
var testFolders = map[string]bool{
	"test": true, "tests": true, "testdata": true, "__tests__": true, "__mocks__": true,
	"spec": true, "specs": true, "androidtest": true, "e2e": true, "fixtures": true, "__snapshots__": true,
	"unittest": true, "unittests": true, "testsuite": true, "regress": true, "step_definitions": true,
}

// testSuffixes end the names of tests, before the extension.
var testSuffixes = []string{"_test", "_tests", "_spec", ".test", ".spec", ".e2e", "-test", "-spec", ".cy", ".test-d"}

// caseSuffixes are those of languages that name tests like classes.
var caseSuffixes = map[string][]string{
	".java": {"Test", "Tests", "IT", "TestCase"}, ".kt": {"Test", "Tests"}, ".scala": {"Test", "Tests", "Spec", "Suite"},
	".cs": {"Test", "Tests"}, ".php": {"Test"}, ".swift": {"Test", "Tests"}, ".groovy": {"Test", "Spec"},
	".m": {"Test", "Tests"}, ".cpp": {"Test", "Tests"}, ".cc": {"Test"}, ".fs": {"Tests"}, ".vb": {"Tests"},
}

// IsTest is Of(p, nil).Test, in a third of the time. It goes by the customs of the
// common languages: x_test.go, test_x.py, x.spec.ts, XTest.java, the folders
// src/test, tests, __tests__, testdata, X.Tests, and t at the top, as Perl and git
// have it. Packages below src/main, or another such set of sources, have none.
func IsTest(p string) bool {
	if strings.HasPrefix(p, "t/") {
		return true
	}
	shipped := false
	for rest, before := p, ""; !shipped; {
		dir, below, more := strings.Cut(rest, "/")
		if !more {
			break
		}
		if holdsTests(dir, below) {
			return true
		}
		shipped = before == "src" && (dir == "main" || strings.HasSuffix(dir, "Main")) // jvmMain, of Kotlin
		rest, before = below, dir
	}
	base := path.Base(p)
	ext := path.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	for _, suffix := range testSuffixes {
		if len(stem) > len(suffix) && strings.HasSuffix(stem, suffix) {
			return true
		}
	}
	for _, suffix := range caseSuffixes[ext] {
		if len(stem) > len(suffix) && strings.HasSuffix(stem, suffix) {
			return true
		}
	}
	if ext == ".phpt" || ext == ".bats" || ext == ".feature" || strings.HasSuffix(ext, "test") {
		return true // .caddyfiletest, SQLite's .test
	}
	if ext == ".py" && (strings.HasPrefix(base, "test_") || base == "conftest.py" || base == "tests.py") {
		return true
	}
	if isCFamily(ext) && (p == "test"+ext || strings.HasPrefix(p, "testing/") || strings.Contains(p, "/testing/")) {
		return true
	}
	testOrSpec := strings.Contains(p, "est") || strings.Contains(p, "pec") // one of which each pattern has
	return testOrSpec && !shipped && linguist.IsTest(p)
}

// isCFamily reports whether files with an extension are C or C++. Of these a folder
// named testing has tests, and what they need; elsewhere it is often a library to test
// with.
func isCFamily(ext string) bool {
	switch ext {
	case ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx":
		return true
	}
	return false
}

// folderSuffixes end the names of folders of tests, as projects of .NET, source
// sets of Gradle and suites of all kinds have them: Json.Tests, jvmTest,
// integration_test, CoreTestHelpers.
var folderSuffixes = []string{
	".Test", ".Tests", "Tests", "_tests", "-tests", "_test", "-test", "TestHelpers", "TestSupport", "TestUtils",
}

// holdsTests reports whether a folder, with rest below it, is one of tests. With a
// folder of sources of its own it may be a library to test with: spring-test/src.
func holdsTests(dir, rest string) bool {
	gradle := len(dir) > len("Test") && dir[0] >= 'a' && dir[0] <= 'z' && strings.HasSuffix(dir, "Test") // jvmTest
	if gradle || testFolders[strings.ToLower(dir)] {
		return true
	}
	if strings.HasPrefix(rest, "src/") || strings.HasPrefix(rest, "lib/") {
		return false
	}
	if dotNet, _, more := strings.Cut(dir, ".Tests."); more && dotNet != "" {
		return true // projects beside those of tests: CliFx.Tests.Dummy
	}
	return slices.ContainsFunc(folderSuffixes, func(suffix string) bool {
		return len(dir) > len(suffix) && strings.HasSuffix(dir, suffix)
	})
}

// InTest reports whether a symbol is a test, or in one, by the customs of the
// languages that keep tests beside what they test: Rust's modules "tests" and
// Haskell's properties, and functions that make the tests of a type of Zig. kind and
// qualified are as an outline has them.
func InTest(p, kind, qualified string) bool {
	if kind == "test" {
		return true
	}
	around, name := "", qualified
	if i := strings.LastIndexByte(qualified, '.'); i >= 0 {
		around, name = qualified[:i], qualified[i+1:]
	}
	switch path.Ext(p) {
	case ".rs":
		if kind == "module" {
			around = qualified
		}
		for part := range strings.SplitSeq(around, ".") {
			if part == "tests" || part == "test" {
				return true
			}
		}
	case ".zig":
		for part := range strings.SplitSeq(qualified, ".") {
			if strings.HasSuffix(part, "Tests") {
				return true
			}
		}
	case ".hs", ".lhs":
		return kind == "func" &&
			(strings.HasPrefix(name, "prop_") || strings.HasPrefix(name, "test_") || strings.HasPrefix(name, "unit_"))
	}
	return false
}

// SaysTest reports whether the text of a symbol begins by saying that it is a test, as
// functions of Rust do that stand beside what they test: #[test], #[tokio::test].
func SaysTest(p, text string) bool {
	if path.Ext(p) != ".rs" {
		return false
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		attribute, found := strings.CutPrefix(line, "#[")
		if !found && line != "" && !strings.HasPrefix(line, "//") {
			return false
		}
		name := attribute[:len(attribute)-len(strings.TrimLeft(attribute, wordBytes))]
		switch name[strings.LastIndexByte(name, ':')+1:] {
		case "test", "rstest", "test_case", "quickcheck", "bench", "wasm_bindgen_test":
			return true
		}
	}
	return false
}

const wordBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:"

// folderNames yields the folders of a path from the outermost.
func folderNames(p string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for {
			dir, rest, more := strings.Cut(p, "/")
			if !more || !yield(dir) {
				return
			}
			p = rest
		}
	}
}
