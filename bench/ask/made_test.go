package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFromCommits(t *testing.T) {
	dir := tree(t, map[string]string{"pool.go": "", "pool_test.go": "", "big/a.go": ""})
	qs := fromCommits(dir, []commit{
		{
			subject: "fix(pool): give connections back after a timeout (#12)",
			body:    "They were lost.\n\nFixes #9\nSigned-off-by: A\n", files: []string{"pool.go", "pool_test.go"},
		},
		{subject: "docs: say what a pool is good for at last", files: []string{"pool.go"}},
		{subject: "rename the file that is gone by now", files: []string{"old.go"}},
		{subject: "touch nothing but the tests of pools", files: []string{"pool_test.go"}},
	}, 10)
	want := []question{{
		Kind: "commit", Text: "give connections back after a timeout\nThey were lost.",
		Files: []string{"pool.go"},
	}}
	if diff := cmp.Diff(want, qs); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFromChangelog(t *testing.T) {
	dir := tree(t, map[string]string{
		"pool.go": "",
		"CHANGES.md": "# 1.2\n\n* Pools give `connections` back after a [timeout](x). (#12)\n" +
			"* Something of no known change at all (#13)\n",
	})
	qs, err := fromChangelog(dir, []commit{{subject: "x (#12)", pull: "12", files: []string{"pool.go"}}}, 10)
	want := []question{{
		Kind: "changelog", Text: "Pools give `connections` back after a timeout",
		Files: []string{"pool.go"},
	}}
	if diff := cmp.Diff(want, qs); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestFromDocs(t *testing.T) {
	for name, code := range map[string]string{
		"a.go": "package a\n\n// Take waits until a connection is free, and takes it. Or not.\nfunc Take() {}\n",
		"a.py": "def take():\n    \"\"\"Take waits until a connection is free, and\n    takes it. Or not.\"\"\"\n" +
			"    return 1\n",
		"A.java": "/**\n * Take waits until a connection is free, and takes it.\n */\n@Override\npublic int take() {}\n",
		"a.rs":   "/// Take waits until a connection is free, and takes it.\n#[inline]\npub fn take() {}\n",
	} {
		dir := tree(t, map[string]string{name: code})
		language := ""
		if name == "a.py" {
			language = "Python"
		}
		qs, err := fromDocs(dir, language, 5)
		want := []question{{Kind: "doc", Text: "Take waits until a connection is free, and takes it", Files: []string{name}}}
		if diff := cmp.Diff(want, qs); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
		left, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || strings.Contains(string(left), "connection") ||
			strings.Count(string(left), "\n") != strings.Count(code, "\n") {
			t.Errorf("%s: %v, the comment is still there, or lines are missing:\n%s", name, err, left)
		}
	}
}

func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
