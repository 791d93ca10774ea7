//go:build unix

package index_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A git that fails while a run goes on fails the run: neither are tracked files
// dropped nor others indexed.
func TestGitThatFailsLeavesTheIndex(t *testing.T) {
	program, err := exec.LookPath("git")
	if err != nil {
		t.Skip("SKIPPED: git is not installed")
	}
	const listing = `case "$*" in *ls-files*) `
	for name, script := range map[string]string{
		"always":             "echo 'fatal: out of luck' >&2; exit 128",
		"when it lists":      listing + "exit 3;; esac",
		"killed as it lists": listing + `printf 'main.go\0'; kill -9 $$;; esac`,
		"half a listing":     listing + `printf 'main.go\0serv'; exit 0;; esac`,
	} {
		t.Run(name, func(t *testing.T) {
			b := setUp(t, small)
			b.write("kept.gen", "a generated file that is tracked\n")
			b.write("other.local", "not of the repository\n")
			b.git("init", "-q")
			b.write(".git/info/exclude", "*.gen\n*.local\n")
			b.git("add", "-A")
			b.git("add", "-f", "kept.gen")
			b.git("commit", "-q", "-m", "one")
			b.run()
			ids, before := b.ids(), b.record()

			bin := t.TempDir()
			text := "#!/bin/sh\n" + script + "\nexec " + program + ` "$@"` + "\n"
			if err := os.WriteFile(filepath.Join(bin, "git"), []byte(text), 0o755); err != nil { //nolint:gosec // a program
				t.Fatal(err)
			}
			t.Setenv("PATH", bin+":"+filepath.Dir(program)+":/usr/bin:/bin")
			b.write("main.go", "package main\n\nfunc more() {}\n")
			j := b.wait(b.start(false))
			if j.State != jobs.Failed || !strings.Contains(*j.Error, "git") || !strings.Contains(*j.Error, "git status") &&
				!strings.Contains(*j.Error, "git ls-files") {
				t.Errorf("the run ended %s: %v", j.State, j.Error)
			}
			if diff := cmp.Diff(ids, b.ids()); diff != "" {
				t.Errorf("documents (-before +after):\n%s", diff)
			}
			if r := b.record(); r.State != models.StateFresh || r.FileCount != before.FileCount ||
				r.LastIndexedCommit != before.LastIndexedCommit {
				t.Errorf("record %+v, want that of before", r)
			}

			if err := os.Remove(filepath.Join(bin, "git")); err != nil {
				t.Fatal(err)
			}
			b.run()
			b.file("kept.gen")
			var none models.FileRecord
			if ok, err := b.store.Record(b.Context(), models.FilesCollection(repoID), "other.local", &none); ok || err != nil {
				t.Errorf("other.local is in the index, error %v", err)
			}
		})
	}
}
