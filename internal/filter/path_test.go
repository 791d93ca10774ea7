package filter_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/filter"
)

func TestPath(t *testing.T) {
	all := []string{
		"Makefile", "a.py", "docs/Makefile", "docs/api/a.py", "net", "src/a.go", "src/net/b.go", "src/net/testdata/c.go",
		"src/network.go",
		"src/x_gen/d.go", "testdata/e.txt",
	}
	for _, test := range []struct {
		filter string
		want   []string
	}{
		{"", all},
		{".", all},
		{"./", all},
		{"**", all},
		{"src/net", []string{"src/net/b.go", "src/net/testdata/c.go"}},
		{"src/net/", []string{"src/net/b.go", "src/net/testdata/c.go"}},
		{"./src/net/b.go", []string{"src/net/b.go"}},
		{"*.py", []string{"a.py", "docs/api/a.py"}},
		{"./*.py", []string{"a.py"}},
		{"[b-c].go", []string{"src/net/b.go", "src/net/testdata/c.go"}},
		{"*.{py,txt}", []string{"a.py", "docs/api/a.py", "testdata/e.txt"}},
		{"Makefile", []string{"Makefile", "docs/Makefile"}},
		{"./Makefile", []string{"Makefile"}},
		{"makefile", nil},
		{"net", []string{"net"}},
		{"testdata/", []string{"testdata/e.txt"}},
		{"*_gen/", []string{"src/x_gen/d.go"}},
		{"**/testdata/", []string{"src/net/testdata/c.go", "testdata/e.txt"}},
		{"src/*.go", []string{"src/a.go", "src/network.go"}},
		{"src/*", []string{"src/a.go", "src/network.go"}},
		{"src/**/*.go", []string{"src/a.go", "src/net/b.go", "src/net/testdata/c.go", "src/network.go", "src/x_gen/d.go"}},
		{"net/*.go", nil},
	} {
		t.Run(test.filter, func(t *testing.T) {
			f, err := filter.ParsePath(test.filter)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range all {
				if f.Match(p) {
					got = append(got, p)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("selected (-want +got):\n%s", diff)
			}
		})
	}
}

// Web frameworks have brackets in names of files and folders.
func TestPathTakesBracketsForNames(t *testing.T) {
	all := []string{
		"app/[...rest]/page.tsx", "app/[[lang]]/page.tsx", "app/[slug]/edit/page.tsx", "app/[slug]/page.tsx",
		"app/[user-id]/page.tsx", "app/s/page.tsx", "app/u/edit/page.tsx", "café/[id]/a.ts", "café/d/a.ts",
	}
	either := []string{"app/[slug]/edit/page.tsx", "app/[slug]/page.tsx", "app/s/page.tsx", "app/u/edit/page.tsx"}
	for given, want := range map[string][]string{
		"app/[slug]":             {"app/[slug]/edit/page.tsx", "app/[slug]/page.tsx"},
		"app/[slug]/":            either,
		"app/[slug]/page.tsx":    {"app/[slug]/page.tsx", "app/s/page.tsx"},
		"app/[slug]/**":          either,
		"app/[...rest]/*.tsx":    {"app/[...rest]/page.tsx", "app/s/page.tsx"},
		"app/[[lang]]":           {"app/[[lang]]/page.tsx"},
		"app/[user-id]/page.tsx": {"app/[user-id]/page.tsx"},
		"[slug]/":                either,
		"**/[user-id]/**":        {"app/[user-id]/page.tsx"},
		`app/\[slug\]/page.tsx`:  {"app/[slug]/page.tsx"},
		"café/[id]/a.ts":         {"café/[id]/a.ts", "café/d/a.ts"},
	} {
		f, err := filter.ParsePath(given)
		if err != nil {
			t.Errorf("ParsePath(%q): %v", given, err)
			continue
		}
		var got []string
		for _, p := range all {
			if f.Match(p) {
				got = append(got, p)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q selects (-want +got):\n%s", given, diff)
		}
	}
}

func TestPathWider(t *testing.T) {
	for given, want := range map[string]string{
		"net/http": "**/net/http/**", "net/*.go": "**/net/*.go", "./b.go": "**/b.go/**", "net": "**/net/**",
		"testdata/": "**/testdata/**",
		"*.go":      "", "**/x/*.go": "", "": "",
	} {
		f, err := filter.ParsePath(given)
		if err != nil {
			t.Fatal(err)
		}
		if wider, _ := f.Wider(); wider.String() != want {
			t.Errorf("%q: wider is %q, want %q", given, wider, want)
		}
	}
}

func TestPathFaults(t *testing.T) {
	for given, want := range map[string]fault.Code{
		"/etc": fault.InvalidPath, "../x": fault.InvalidPath, "a/../../b": fault.InvalidPath, "a[b": fault.InvalidRequest,
		"a\x00b": fault.InvalidRequest,
		"\xff":   fault.InvalidRequest, strings.Repeat("*a", 51): fault.InvalidRequest,
		strings.Repeat("{a,b}", 51): fault.InvalidRequest,
	} {
		if _, err := filter.ParsePath(given); fault.CodeOf(err) != want {
			t.Errorf("ParsePath(%.20q) = %v, want %s", given, err, want)
		}
	}
}

// Every filter that is accepted is one that can be executed, and its literal
// and its expression select what it selects itself.
func FuzzParsePath(f *testing.F) {
	for _, seed := range []string{
		"**/*.go", "[a-z]?", "{a,b}/**", "\\*", "[!]]", "a{b,c{d,e}}", "[[:alpha:]]", "../x",
		"a\x00b", "x/", "./*.c",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, given string) {
		p, err := filter.ParsePath(given)
		if code := fault.CodeOf(err); err != nil && code != fault.InvalidRequest && code != fault.InvalidPath {
			t.Errorf("ParsePath(%q) = %v, want INVALID_REQUEST, INVALID_PATH or none", given, err)
		}
		if err == nil && p.Literal() != "" && !p.Match(p.Literal()) {
			t.Errorf("ParsePath(%q) does not select %q", given, p.Literal())
		}
		if err == nil && !p.All() && p.Literal() == "" && p.Regexp() == "" {
			t.Errorf("ParsePath(%q) selects nothing at all", given)
		}
	})
}

func TestLanguage(t *testing.T) {
	for name, want := range map[string]string{
		"python": "Python", "PY": "Python", ".py": "Python", "*.py": "Python", "golang": "Go", "Go": "Go", ".go": "Go",
		"c++": "C++", "cpp": "C++",
		"js": "JavaScript", ".ts": "TypeScript", "typescript": "TypeScript", "c#": "C#", ".cs": "C#", "rs": "Rust",
		"sh": "Shell", "md": "Markdown",
		"cobol": "COBOL", "text": "Text", "txt": "Text", "jupyter notebook": "Jupyter Notebook", "common-lisp": "Common Lisp",
		"dockerfile": "Dockerfile",
		" Rust ":     "Rust", "c": "C", "r": "R",
	} {
		got, err := filter.ParseLanguage(name)
		if err != nil || len(got) == 0 || got[0] != want {
			t.Errorf("ParseLanguage(%q) = %v, %v, want %s first", name, got, err, want)
		}
	}
	typescript, _ := filter.ParseLanguage("ts")
	if !typescript.Match("tsx") || typescript.Match("JavaScript") || !filter.Languages(nil).Match("") {
		t.Errorf("TypeScript is %v, want TSX with it and not JavaScript", typescript)
	}
	if headers, _ := filter.ParseLanguage(".h"); !headers.Match("C") || !headers.Match("C++") {
		t.Errorf(".h is %v, want C and C++", headers)
	}
}

func TestUnknownLanguageNamesTheNearest(t *testing.T) {
	for name, want := range map[string]string{
		"pyhton": "Python", "javascrpt": "JavaScript", "goo": "Go", "type": "TypeScript", "c+++": "C++",
		"zzzqqq": "a name such as", "c+": "C++",
	} {
		_, err := filter.ParseLanguage(name)
		if fault.CodeOf(err) != fault.InvalidRequest || !strings.Contains(fault.MessageOf(err), want) {
			t.Errorf("ParseLanguage(%q) = %v, want INVALID_REQUEST that names %s", name, err, want)
		}
	}
}

// A path is selected however it writes characters of several parts.
func TestPathForms(t *testing.T) {
	files := []string{"caf\u00e9/a.md", "cafe\u0301/b.md", "cafe/c.md", "x/cafe\u0301", "y/caf\u00e9/d.md"}
	for given, want := range map[string][]string{
		"caf\u00e9": {"caf\u00e9/a.md", "cafe\u0301/b.md", "x/cafe\u0301"}, "cafe\u0301/": files[:2],
		"./caf\u00e9": files[:2], "caf\u00e9/*.md": files[:2], "**/cafe\u0301": files[3:4], "cafe": files[2:3],
	} {
		f, err := filter.ParsePath(given)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, file := range files {
			if f.Match(file) {
				got = append(got, file)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", given, diff)
		}
	}
}
