//go:build unix

package git_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/repo/git"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// What may not be read is told as that, and not as broken.
func TestClosedRepository(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("SKIPPED: root can read everything, so what is told of a closed repository is not tested")
	}
	repotest.NeedGit(t)
	dir := t.TempDir()
	repotest.Run(t, dir, "init", "-q")
	for _, test := range []struct{ name, says string }{
		{".git/HEAD", "HEAD can't be read by this program"},
		{".git", ".git can't be read by this program"},
		{"", "can't be read; check its permissions"},
	} {
		file := filepath.Join(dir, test.name)
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(file, 0); err != nil {
			t.Fatal(err)
		}
		_, err = git.Run(t.Context(), dir, "rev-parse", "HEAD")
		if got := fault.MessageOf(git.Fault(err)); !strings.Contains(got, test.says) {
			t.Errorf("%s: %q does not say %q", file, got, test.says)
		}
		if err := os.Chmod(file, info.Mode()); err != nil {
			t.Fatal(err)
		}
	}
}
