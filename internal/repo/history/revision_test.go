package history_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/history"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// What differs is told without the programs by which a repository has git read its
// files: it may be another user's.
func TestDifferingRunsNothing(t *testing.T) {
	repotest.NeedGit(t)
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell script")
	}
	dir, marker, script := t.TempDir(), filepath.Join(t.TempDir(), "ran"), filepath.Join(t.TempDir(), "script")
	repotest.Write(t, filepath.Dir(script), map[string]string{"script": "#!/bin/sh\ntouch " + marker + "\ncat\n"})
	if err := os.Chmod(script, 0o755); err != nil { //nolint:gosec // a program
		t.Fatal(err)
	}
	repotest.Run(t, dir, "init", "-q")
	repotest.Write(t, dir, map[string]string{
		"a.go": "one", "below/b.go": "one", "same.go": "", ".gitattributes": "* filter=evil diff=evil\n",
	})
	repotest.Run(t, dir, "add", ".")
	repotest.Run(t, dir, "commit", "-qm", "one")
	repotest.Write(t, dir, map[string]string{"a.go": "changed", "new.go": ""})
	repotest.Run(t, dir, "config", "filter.evil.clean", script)
	repotest.Run(t, dir, "config", "diff.evil.textconv", script)
	repotest.Run(t, dir, "config", "diff.external", script)

	folder, err := disk.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = folder.Close() }()
	head, err := history.FindRevision(t.Context(), folder, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"none", "", "-x", "HEAD\x00", "a\nb"} {
		if _, err := history.FindRevision(t.Context(), folder, name); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("a commit called %q: %v, want InvalidRequest", name, err)
		}
	}
	got, err := history.Differing(t.Context(), folder, head, "")
	slices.Sort(got)
	if want := []string{"a.go", "new.go"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("differing are %v, %v; want %v", got, err, want)
	}
	if got, err = history.Differing(t.Context(), folder, head, head); err != nil || len(got) > 0 {
		t.Errorf("of a commit and itself differ %v, %v", got, err)
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("a program of the repository ran")
	}
}

// Of a commit that is not there it is said why, where the repository has few.
func TestMissingCommits(t *testing.T) {
	repotest.NeedGit(t)
	empty, full, shallow := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "clone")
	repotest.Run(t, empty, "init", "-q")
	repotest.Run(t, full, "init", "-q")
	for range 2 {
		repotest.Run(t, full, "commit", "-q", "--allow-empty", "-m", "one")
	}
	repotest.Run(t, full, "clone", "-q", "--depth=1", "file://"+full, shallow)
	for _, test := range []struct{ dir, name, says string }{
		{empty, "HEAD", "no commit is called \"HEAD\" here: the repository has no commit yet"},
		{shallow, "HEAD~1", "no commit is called \"HEAD~1\" here: the clone is shallow"},
		{full, "HEAD~2", "no commit is called \"HEAD~2\" here"},
	} {
		folder, err := disk.Open(t.Context(), test.dir)
		if err != nil {
			t.Fatal(err)
		}
		_, err = history.FindRevision(t.Context(), folder, test.name)
		got, _, _ := strings.Cut(fault.MessageOf(err), ";")
		if fault.CodeOf(err) != fault.InvalidRequest || got != test.says {
			t.Errorf("%q, want %q", got, test.says)
		}
		_ = folder.Close()
	}
}
