//go:build unix

package repo

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// TestHostileConfigurationRunsNothing points every setting that could start a
// program, while git reads, at one that leaves a mark.
func TestHostileConfigurationRunsNothing(t *testing.T) {
	needGit(t)
	dir := t.TempDir()
	marker, script := filepath.Join(t.TempDir(), "ran"), filepath.Join(t.TempDir(), "script")
	write(t, filepath.Dir(script), map[string]string{"script": "#!/bin/sh\ntouch " + marker + "\ncat\n"})
	if err := os.Chmod(script, 0o755); err != nil { //nolint:gosec // a program
		t.Fatal(err)
	}
	run(t, dir, "init", "-q")
	write(t, dir, map[string]string{"a.go": "", "b.log": "", ".gitignore": "*.log\n", ".gitattributes": "* filter=evil diff=evil\n"})
	run(t, dir, "add", ".")
	run(t, dir, "commit", "-qm", "one")
	write(t, dir, map[string]string{
		".git/hooks/post-index-change": content(t, script), "a.go": "changed",
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
	if reason, _, err := tree.WhyIgnored(t.Context(), "b.log", Limits{}); reason == "" || err != nil {
		t.Errorf("WhyIgnored = %q, %v", reason, err)
	}
	inferID(t, dir)
	if _, err := os.Stat(marker); err == nil {
		t.Error("a program of the repository ran")
	}
}

func TestRepositoryOfAnotherUserIsRead(t *testing.T) {
	needGit(t)
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: only root can give files away")
	}
	dir := t.TempDir()
	run(t, dir, "init", "-q")
	write(t, dir, map[string]string{"a": ""})
	for _, p := range []string{dir, filepath.Join(dir, ".git")} {
		if err := os.Chown(p, 12345, 12345); err != nil {
			t.Skip("SKIPPED: chown: " + strconv.Quote(err.Error()))
		}
	}
	if !isGit(t, open(t, dir)) {
		t.Error("git refuses the work tree of another user")
	}
}
