package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/fault"
)

// A path without a repository is one of this machine, in the repository around it.
func TestLocate(t *testing.T) {
	root := filepath.Join(t.TempDir(), "app")
	for _, dir := range []string{".git", "cmd/x"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "cmd", "main.go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(root, "cmd"))
	for _, test := range []struct{ args, repo, path string }{
		{"", "app", "cmd"},
		{"..", "app", ""},
		{"x", "app", "cmd/x"},
		{"main.go:3-9", "app", "cmd/main.go:3-9"},
		{"main.go#T.M", "app", "cmd/main.go#T.M"},
		{"o/r", "o/r", ""},
		{"o/r main.go", "o/r", "main.go"},
	} {
		id, path, err := locate(t.Context(), strings.Fields(test.args), true)
		if err != nil || string(id) != test.repo || path != test.path {
			t.Errorf("%q is %q of %s, %v", test.args, path, id, err)
		}
	}
	if _, _, err := locate(t.Context(), []string{"gone.go"}, false); fault.CodeOf(err) != fault.PathNotFound {
		t.Error(err)
	}
}

// What is longer than a terminal is read in the pager, what fits is not; neither
// is JSON, nor anything with NO_PAGER.
func TestPager(t *testing.T) {
	for _, test := range []struct {
		name       string
		lines      int
		json, none bool
		want       bool
	}{
		{"long", 9, false, false, true},
		{"short", 3, false, false, false},
		{"json", 9, true, false, false},
		{"forbidden", 9, false, true, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			read := filepath.Join(t.TempDir(), "read")
			env := map[string]string{"PAGER": "dd status=none of=" + read}
			if test.none {
				env["NO_PAGER"] = "1"
			}
			var out bytes.Buffer
			s := &session{screen: &screen{terminal: true, width: 80, height: 5, out: &out, err: io.Discard}, json: test.json}
			s.getenv = func(name string) string { return env[name] }
			text := strings.Repeat("a line\n", test.lines)
			if err := s.paged(func() error { s.screen.printf("%s", text); return nil }); err != nil {
				t.Fatal(err)
			}
			shown, _ := os.ReadFile(read)
			if got := string(shown) == text && out.Len() == 0; got != test.want || !test.want && out.String() != text {
				t.Errorf("the pager got %q, the terminal %q", shown, out.String())
			}
		})
	}
}
