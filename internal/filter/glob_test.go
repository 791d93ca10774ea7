package filter

import (
	"regexp"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
)

var globPaths = []string{
	"a.go", "src/a.go", "src/x/a.go", "src/x/y/a_test.go", "src/x/y/b.py", "src", "lib/ä.go", "lib/[a].go", "lib/a+b.go",
	"docs/readme.md", "x{y}.go", "a/b/c/d/e.ts", "a/b/c/d/e.tsx", "a-b.go", "a^b.go",
}

// The regular expression selects what doublestar itself would.
func TestGlobRegexp(t *testing.T) {
	for _, glob := range []string{
		"*", "*.go", "**", "**/*.go", "src/**", "src/**/*.go", "src/*/a.go", "**/y/*", "**/*_test.go", "lib/?.go", "*/[a-l]*",
		"*.{go,md}", "**/*.{ts,tsx}", "lib/\\[a\\].go", "lib/a+b.go", "**/[!a]*.py", "a**b.go", "a/**/e.*", "{src,docs}/**",
		"a[-^]b.go",
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
