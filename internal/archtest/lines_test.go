package archtest

import (
	"bytes"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const widest = 120 // columns of a line of Go

// Files of rules and numbers, one a line, that are read as a table.
var tables = []string{
	"internal/redact/rules_*.go",
	"internal/store/storetest/vectors.go",
	"internal/treesitter/languages.go",
}

// Raw strings and reasons of nolint may be wider: breaking them would change
// what they say.
func TestLinesAreNarrow(t *testing.T) {
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && file != root && (name == "testdata" || name == "node_modules" || strings.HasPrefix(name, ".")) {
			return filepath.SkipDir
		}
		rel, err := filepath.Rel(root, file)
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || isTable(filepath.ToSlash(rel)) {
			return err
		}
		src, err := os.ReadFile(file)
		for _, line := range wide(src) {
			t.Errorf("%s:%d: more than %d columns", filepath.ToSlash(rel), line, widest)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func isTable(path string) bool {
	return slices.ContainsFunc(tables, func(pattern string) bool {
		ok, err := filepath.Match(pattern, path)
		return ok && err == nil
	})
}

// wide numbers the lines that are too wide.
func wide(src []byte) []int {
	lines := bytes.Split(src, []byte("\n"))
	var found []int
	for i, line := range lines {
		code, _, _ := bytes.Cut(line, []byte(" //nolint:"))
		if utf8.RuneCount(code) > widest {
			found = append(found, i+1)
		}
	}
	if len(found) == 0 {
		return nil
	}
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	s.Init(file, src, nil, 0)
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return found
		}
		if tok == token.STRING && text[0] == '`' {
			first := file.Line(pos)
			last := first + strings.Count(text, "\n")
			found = slices.DeleteFunc(found, func(line int) bool { return first <= line && line <= last })
		}
	}
}

func TestWide(t *testing.T) {
	long := strings.Repeat("x", widest)
	for src, want := range map[string]int{
		"package a\nvar " + long + " = 1\n":                        1,
		"package a\n// " + long + "\n":                             1,
		"package a\nvar a = `" + long + "`\n":                      0,
		"package a\nvar a = 1 //nolint:x // " + long + "\n":        0,
		"package a\nvar a = `b\n" + long + "`\nvar " + long + "\n": 1,
	} {
		if got := wide([]byte(src)); len(got) != want {
			t.Errorf("wide(%q) = %d, want %d lines", src, got, want)
		}
	}
}

// Rows of tables and events as they are sent may be wider.
func TestAPIDocumentIsNarrow(t *testing.T) {
	src, err := os.ReadFile(filepath.Join("..", "..", "api", "openapi.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(src), "\n") {
		text := strings.TrimSpace(line)
		whole := strings.HasPrefix(text, "| ") || strings.HasPrefix(text, "data: ")
		if !whole && utf8.RuneCountInString(line) > widest {
			t.Errorf("api/openapi.yaml:%d: more than %d columns", i+1, widest)
		}
	}
}
