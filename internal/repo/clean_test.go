package repo

import (
	"path"
	"path/filepath"
	"strings"
	"testing"

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
		if got, err := CleanPath(in); got != want || err != nil {
			t.Errorf("CleanPath(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
}

// escapes are paths that no operation may follow.
var escapes = map[string]string{
	"..":                             "..",
	"../x":                           "..",
	"a/../../x":                      "..",
	"a/..":                           "..",
	"./..":                           "..",
	`..\x`:                           "..",
	`a\..\..\x`:                      "..",
	"/":                              "absolute",
	"/etc/passwd":                    "absolute",
	"//x":                            "absolute",
	`\x`:                             "absolute",
	`\\server\share`:                 "absolute",
	`C:\x`:                           "absolute",
	"c:/x":                           "absolute",
	"c:":                             "absolute",
	"a//b":                           "empty segment",
	"a//":                            "empty segment",
	"a\x00b":                         "NUL",
	"\x00":                           "NUL",
	"\xff":                           "UTF-8",
	".git":                           ".git",
	".git/config":                    ".git",
	"a/.git/HEAD":                    ".git",
	".GIT/config":                    ".git",
	".git./config":                   ".git",
	".git /config":                   ".git",
	".git::$INDEX_ALLOCATION/config": ".git",
	"git~1/config":                   ".git",
	`a\.git\config`:                  ".git",
	strings.Repeat("a", 5000):        "longer than",
}

func TestCleanPathRefuses(t *testing.T) {
	for in, rule := range escapes {
		got, err := CleanPath(in)
		if fault.CodeOf(err) != fault.InvalidPath || !strings.Contains(fault.MessageOf(err), rule) {
			t.Errorf("CleanPath(%.40q) = %q, %v; want InvalidPath with %q", in, got, err, rule)
		}
	}
}

func FuzzCleanPath(f *testing.F) {
	for in := range escapes {
		f.Add(in)
	}
	f.Add("./a/b.go")
	f.Fuzz(func(t *testing.T, in string) {
		got, err := CleanPath(in)
		if err != nil {
			if fault.CodeOf(err) != fault.InvalidPath {
				t.Errorf("error %v, want InvalidPath", err)
			}
			return
		}
		if got != "" && (!filepath.IsLocal(filepath.FromSlash(got)) || path.Clean(got) != got) {
			t.Errorf("CleanPath(%q) = %q, which is not local and clean", in, got)
		}
		if again, err := CleanPath(got); again != got || err != nil {
			t.Errorf("CleanPath(%q) = %q, %v; not stable", got, again, err)
		}
	})
}
