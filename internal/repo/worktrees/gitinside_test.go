package worktrees

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/ragnav/ragnav/internal/fault"
)

func TestNoWorkTree(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{
		{"init", "-q", "work"},
		{"init", "-q", "--bare", "bare"},
		{"init", "-q", "--bare", "work/HEAD"},
	} {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		if cmd.Dir = dir; cmd.Run() != nil {
			t.Skip("SKIPPED: no git, so nothing about its folders is tested")
		}
	}
	for path, refused := range map[string]bool{
		"work": false, "work/.git": true, "work/.git/objects": true, "bare": true, "work/HEAD": true, "": false,
		"missing": false,
	} {
		err := NoWorkTree(filepath.Join(dir, path))
		if got := fault.CodeOf(err) == fault.InvalidRequest; got != refused {
			t.Errorf("%q: %v, want refused %v", path, err, refused)
		}
	}
}
