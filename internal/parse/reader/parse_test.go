package reader_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/prose"
	"github.com/ragnav/ragnav/internal/parse/reader"
	"github.com/ragnav/ragnav/internal/rag/models"
)

func TestParseEmpty(t *testing.T) {
	for _, language := range testLanguages {
		for _, text := range []string{"", " ", "\n", "\r\n\t\n"} {
			got := reader.Parse(fileOf(language, text))
			if len(got.Symbols)+len(got.Sections) > 0 || got.Lines != parse.Lines(text) {
				t.Errorf("%s %q: %+v, want nothing on %d lines", language, text, got, parse.Lines(text))
			}
		}
	}
}

// TestParseFallsBack shows which method is used when the first one finds
// nothing.
func TestParseFallsBack(t *testing.T) {
	for _, tt := range []struct {
		name string
		file parse.File
		want string
	}{
		{"Go", parse.File{Path: "a.go", Language: "Go", Text: "package a\n\nfunc F() {}\n"}, parse.MethodGo},
		{"Go without declarations", parse.File{Path: "a.go", Language: "Go", Text: "package a\n"}, parse.MethodGo},
		{"Go without package", parse.File{Path: "a.go", Language: "Go", Text: "func F() {}\n"}, parse.MethodOutline},
		{"no Go at all", parse.File{Path: "a.go", Language: "Go", Text: "hello there\n"}, parse.MethodChunks},
		{"minified", parse.File{
			Path: "a.js", Language: "JavaScript",
			Text: "function f(){" + strings.Repeat("a();", 1000) + "}",
		}, parse.MethodChunks},
		{"no declarations", parse.File{Path: "a.py", Language: "Python", Text: "print(1)\n"}, parse.MethodChunks},
		{"unknown language", parse.File{Path: "a", Text: "x\n"}, parse.MethodChunks},
		{"document by extension", parse.File{Path: "a.md", Text: "x\n"}, parse.MethodSections},
		{
			"too many keys",
			parse.File{Path: "a.yml", Language: "YAML", Text: strings.Repeat("k:\n  a: 1\n", 200)},
			parse.MethodChunks,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, reader.Parse(tt.file).Method); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestChunks(t *testing.T) {
	type chunk struct{ Start, End int }
	for _, tt := range []struct {
		name, text string
		want       []chunk
	}{
		{"one line", "a", []chunk{{1, 1}}},
		{"short lines", strings.Repeat("a\n", 100), []chunk{{1, 60}, {51, 100}}},
		{"exactly one", strings.Repeat("a\n", 60), []chunk{{1, 60}}},
		{"long lines", strings.Repeat(strings.Repeat("a", 999)+"\n", 7), []chunk{{1, 3}, {4, 6}, {7, 7}}},
		{"one very long line", strings.Repeat("a", 100_000) + "\nb\n", []chunk{{1, 1}, {2, 2}}},
		{"blank in the middle", "a" + strings.Repeat("\n", 200) + "b", []chunk{{1, 60}, {151, 201}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []chunk
			for _, s := range reader.Parse(parse.File{Text: tt.text}).Symbols {
				if s.Kind != models.KindChunk || s.Name != "" {
					t.Errorf("chunk is %+v", s)
				}
				got = append(got, chunk{s.StartLine, s.EndLine})
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestIsDocument(t *testing.T) {
	for path, want := range map[string]bool{
		"README.md": true, "a/b.markdown": true, "x.mdx": true, "doc.rst": true, "d.adoc": true, "n.ipynb": true,
		"notes.txt":       true,
		"testdata/in.txt": true, "n.org": true, "README": true, "LICENSE": true, "LICENSE-MIT": true, "CHANGES": true,
		"docs/COPYING.LESSER": true,
		"README.fr":           true, "CMakeLists.txt": false, "requirements.txt": false, "dev-requirements.txt": false,
		"requirements/base.txt": false,
		"robots.txt":            false, "go.sum": false, "main.go": false, "LICENSE.go": false, "readme.html": false,
		"Makefile": false, "": false,
	} {
		if got := prose.IsDocument(path, ""); got != want {
			t.Errorf("IsDocument(%q) = %v, want %v", path, got, want)
		}
	}
	if !prose.IsDocument("notes", "Markdown") || prose.IsDocument("a.py", "Python") {
		t.Error("the language does not count")
	}
}

// TestOwnSource parses the source of the whole module.
func TestOwnSource(t *testing.T) {
	root := filepath.Join("..", "..")
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		t.Skip("not in the module's tree: ", err)
	}
	symbols := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return nil //nolint:nilerr // a file may go while others work on the tree
		}
		text, ok := parse.Decode(b)
		if !ok {
			t.Errorf("%s: not text", path)
		}
		out := reader.Parse(parse.File{Path: path, Language: "Go", Text: text})
		check(t, text, out)
		symbols += len(out.Symbols)
		return nil
	})
	if err != nil || symbols < 100 {
		t.Errorf("%d symbols, %v", symbols, err)
	}
}

func FuzzParse(f *testing.F) {
	for _, language := range testLanguages {
		f.Add(language, "# a\n\"\"\"x\nclass A { def f(): /* */ func (x) { `${a}` }\n  b:\n")
	}
	files, err := filepath.Glob(filepath.Join("testdata", "*", "*.txtar"))
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		language, text, _ := strings.Cut(string(b), "\n")
		f.Add(language, text)
	}
	f.Fuzz(func(t *testing.T, language, text string) {
		text, ok := parse.Decode([]byte(text))
		if !ok || len(text) > 1<<16 {
			t.Skip()
		}
		check(t, text, reader.Parse(fileOf(language, text)))
		check(t, text, reader.ParseUnguarded(fileOf(language, text)))
	})
}
