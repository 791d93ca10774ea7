package reader_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/reader"
)

// BenchmarkGo parses net/http of the toolchain's source.
func BenchmarkGo(b *testing.B) {
	benchmark(b, "Go", tree(b))
}

// BenchmarkGoReference is go/parser alone on the same files.
func BenchmarkGoReference(b *testing.B) {
	files := tree(b)
	size := 0
	for _, f := range files {
		size += len(f.Text)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, f := range files {
			if _, err := parser.ParseFile(token.NewFileSet(), "", f.Text,
				parser.ParseComments|parser.SkipObjectResolution); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkGeneric parses the same by patterns alone: what a language without
// its own parser costs.
func BenchmarkGeneric(b *testing.B) {
	benchmark(b, "Rust", tree(b))
}

func BenchmarkMarkdown(b *testing.B) {
	text := strings.Repeat(
		"# Heading *one*\n\nSome [link](https://example.com) and `code` here, with #tag.\n\n```go\nx := 1\n```\n\n", 5000)
	benchmark(b, "Markdown", []parse.File{{Path: "a.md", Text: text}})
}

func tree(b *testing.B) (files []parse.File) {
	goroot, err := exec.CommandContext(b.Context(), "go", "env", "GOROOT").Output()
	root := filepath.Join(strings.TrimSpace(string(goroot)), "src", "net", "http")
	if _, missing := os.Stat(root); err != nil || missing != nil {
		b.Skip("no Go source here: ", err, missing)
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		files = append(files, parse.File{Path: path, Text: string(text)})
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return files
}

func benchmark(b *testing.B, language string, files []parse.File) {
	size := 0
	for i := range files {
		files[i].Language = language
		size += len(files[i].Text)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, f := range files {
			reader.Parse(f)
		}
	}
}
