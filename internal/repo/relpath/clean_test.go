package relpath

import (
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/repo/repotest"

	"github.com/ragnav/ragnav/internal/fault"
)

func TestCleanPath(t *testing.T) {
	for in, want := range map[string]string{
		"":               "",
		".":              "",
		"./":             "",
		"a":              "a",
		"a/":             "a",
		"./a/b.go":       "a/b.go",
		"a/./b":          "a/b",
		"..a/b..":        "..a/b..",
		"...":            "...",
		`a\b`:            `a\b`,
		".github/x":      ".github/x",
		".gitignore":     ".gitignore",
		"a/.gitmodules":  "a/.gitmodules",
		"C":              "C",
		"a:b":            "a:b",
		"ünïcode/файл":   "ünïcode/файл",
		"sp ace/%2e%2e/": "sp ace/%2e%2e",
	} {
		if got, err := Clean(in); got != want || err != nil {
			t.Errorf("CleanPath(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
}

func TestCleanPathRefuses(t *testing.T) {
	for in, rule := range repotest.Escapes {
		got, err := Clean(in)
		if fault.CodeOf(err) != fault.InvalidPath || !strings.Contains(fault.MessageOf(err), rule) {
			t.Errorf("CleanPath(%.40q) = %q, %v; want InvalidPath with %q", in, got, err, rule)
		}
	}
}

func FuzzCleanPath(f *testing.F) {
	for in := range repotest.Escapes {
		f.Add(in)
	}
	f.Add("./a/b.go")
	f.Fuzz(func(t *testing.T, in string) {
		got, err := Clean(in)
		if err != nil {
			if fault.CodeOf(err) != fault.InvalidPath {
				t.Errorf("error %v, want InvalidPath", err)
			}
			return
		}
		if got != "" && (!filepath.IsLocal(filepath.FromSlash(got)) || path.Clean(got) != got) {
			t.Errorf("CleanPath(%q) = %q, which is not local and clean", in, got)
		}
		if again, err := Clean(got); again != got || err != nil {
			t.Errorf("CleanPath(%q) = %q, %v; not stable", got, again, err)
		}
	})
}
