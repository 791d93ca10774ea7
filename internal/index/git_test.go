package index_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// gitIn runs git in a folder as a user would, without this machine's
// configuration; it skips the test where git is not installed.
func gitIn(t *testing.T, dir string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: git is not installed, so nothing about git trees is tested")
	}
	cmd := exec.CommandContext(t.Context(), "git", append([]string{
		"-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "init.defaultBranch=main", "-c",
		"commit.gpgsign=false",
		"-c", "advice.addEmbeddedRepo=false",
	}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}
