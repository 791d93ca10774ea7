package index_test

import (
	"testing"

	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// gitIn runs git in a folder as a user would, without this machine's
// configuration; it skips the test where git is not installed.
func gitIn(t *testing.T, dir string, args ...string) {
	t.Helper()
	repotest.NeedGit(t)
	repotest.Run(t, dir, args...)
}
