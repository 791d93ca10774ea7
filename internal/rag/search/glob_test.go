package search

import (
	"regexp"
	"testing"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
)

var globPaths = []string{
	"a.go", "src/a.go", "src/x/a.go", "src/x/y/a_test.go", "src/x/y/b.py", "src", "lib/ä.go", "lib/[a].go", "lib/a+b.go",
	"docs/readme.md", "x{y}.go", "a/b/c/d/e.ts", "a/b/c/d/e.tsx", "a-b.go", "a^b.go",
}

// The regular expression selects what doublestar itself would.
func TestGlobRegexp(t *testing.T) {
	for _, glob := range []string{
		"*", "*.go", "**", "**/*.go", "src/**", "src/**/*.go", "src/*/a.go", "**/y/*", "**/*_test.go", "lib/?.go", "*/[a-l]*",
		"*.{go,md}", "**/*.{ts,tsx}", "lib/\\[a\\].go", "lib/a+b.go", "**/[!a]*.py", "a**b.go", "a/**/e.*", "{src,docs}/**", "a[-^]b.go",
	} {
		t.Run(glob, func(t *testing.T) {
			re, err := regexp.Compile("^(?:" + globRegexp(glob) + ")$")
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range globPaths {
				want, err := doublestar.Match(glob, p)
				if err != nil {
					t.Fatal(err)
				}
				if got := re.MatchString(p); got != want {
					t.Errorf("%q matches %q = %v, want %v (%s)", glob, p, got, want, re)
				}
			}
		})
	}
}

// Every filter that is accepted has an expression that compiles.
func FuzzPathFilter(f *testing.F) {
	for _, seed := range []string{"**/*.go", "[a-z]?", "{a,b}/**", "\\*", "[!]]", "a{b,c{d,e}}", "[[:alpha:]]", "../x", "a\x00b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, glob string) {
		q, err := pathFilter(glob)
		if code := fault.CodeOf(err); err != nil && code != fault.InvalidRequest && code != fault.InvalidPath {
			t.Errorf("pathFilter(%q) = %v, want INVALID_REQUEST, INVALID_PATH or none", glob, err)
		}
		if re, ok := q.(fts.Regexp); ok {
			if _, err := regexp.Compile(re.Regexp); err != nil {
				t.Errorf("pathFilter(%q): %v", glob, err)
			}
		}
	})
}
