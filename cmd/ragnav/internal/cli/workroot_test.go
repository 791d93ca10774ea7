package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
)

// What is not one project is nobody's repository, be it that an agent was started there.
func TestWorkRoot(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"people/me/notes", "people/me/project/.git", "people/me/project/src", "scratch/try"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o750); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", filepath.Join(top, "people/me"))
	t.Setenv("TMPDIR", filepath.Join(top, "scratch"))
	for dir, want := range map[string]string{
		"people/me/project/src": "people/me/project", "people/me/notes": "people/me/notes", "scratch/try": "scratch/try",
		"people/me": "", "people": "", "scratch": "", ".": "",
	} {
		if want != "" {
			want = filepath.Join(top, want)
		}
		if got, err := cli.WorkRoot(filepath.Join(top, dir)); err != nil || got != want {
			t.Errorf("of %s: %q, %v; want %q", dir, got, err, want)
		}
	}
}
