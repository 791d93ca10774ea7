//go:build unix

package listing

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/ragnav/ragnav/internal/repo/remote"

	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// TestHostileConfigurationRunsNothing points every setting that could start a
// program, while git reads, at one that leaves a mark.
func TestHostileConfigurationRunsNothing(t *testing.T) {
	repotest.NeedGit(t)
	dir := t.TempDir()
	marker, script := filepath.Join(t.TempDir(), "ran"), filepath.Join(t.TempDir(), "script")
	repotest.Write(t, filepath.Dir(script), map[string]string{"script": "#!/bin/sh\ntouch " + marker + "\ncat\n"})
	if err := os.Chmod(script, 0o755); err != nil { //nolint:gosec // a program
		t.Fatal(err)
	}
	repotest.Run(t, dir, "init", "-q")
	repotest.Write(t, dir, map[string]string{
		"a.go": "", "b.log": "", ".gitignore": "*.log\n",
		".gitattributes": "* filter=evil diff=evil\n",
	})
	repotest.Run(t, dir, "add", ".")
	repotest.Run(t, dir, "commit", "-qm", "one")
	repotest.Write(t, dir, map[string]string{
		".git/hooks/post-index-change": repotest.Content(t, script), "a.go": "changed",
		".git/config": `[core]
	repositoryformatversion = 1
	fsmonitor = ` + script + `
	untrackedCache = true
	pager = ` + script + `
	editor = ` + script + `
	sshCommand = ` + script + `
	gitProxy = ` + script + `
	askPass = ` + script + `
	hooksPath = .git/hooks
[extensions]
	partialClone = origin
[remote "origin"]
	url = ext::` + script + `
	uploadpack = ` + script + `
	promisor = true
[protocol]
	allow = always
[filter "evil"]
	clean = ` + script + `
	smudge = ` + script + `
	process = ` + script + `
[diff "evil"]
	command = ` + script + `
	textconv = ` + script + `
[alias]
	ls-files = !` + script + `
	rev-parse = !` + script + `
`,
	})
	if err := os.Chmod(filepath.Join(dir, ".git", "hooks", "post-index-change"), 0o755); err != nil { //nolint:gosec // a hook
		t.Fatal(err)
	}
	t.Setenv("GIT_DIR", t.TempDir())
	t.Setenv("GIT_EXTERNAL_DIFF", script)

	tree := open(t, dir)
	if !isGit(t, tree) {
		t.Error("not seen as a git tree")
	}
	files, _ := list(t, dir)
	if len(files) != 3 {
		t.Errorf("files %q, want 3", files)
	}
	if head, err := tree.Head(t.Context()); head == "" || err != nil {
		t.Errorf("Head = %q, %v", head, err)
	}
	if reason, _, err := WhyIgnored(t.Context(), tree, "b.log", Limits{}); reason == "" || err != nil {
		t.Errorf("WhyIgnored = %q, %v", reason, err)
	}
	if _, err := remote.InferID(t.Context(), dir); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("a program of the repository ran")
	}
}

func TestRepositoryOfAnotherUserIsRead(t *testing.T) {
	repotest.NeedGit(t)
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: only root can give files away")
	}
	dir := t.TempDir()
	repotest.Run(t, dir, "init", "-q")
	repotest.Write(t, dir, map[string]string{"a": ""})
	for _, p := range []string{dir, filepath.Join(dir, ".git")} {
		if err := os.Chown(p, 12345, 12345); err != nil {
			t.Skip("SKIPPED: chown: " + strconv.Quote(err.Error()))
		}
	}
	if !isGit(t, open(t, dir)) {
		t.Error("git refuses the work tree of another user")
	}
}
