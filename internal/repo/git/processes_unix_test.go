//go:build unix

package git

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Of many questions at once, git is asked eight at a time.
func TestFewGitProcesses(t *testing.T) {
	dir := t.TempDir()
	script := "#!/bin/sh\necho begin >>" + dir + "/log\nsleep 0.05\necho end >>" + dir + "/log\n"
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o700); err != nil { //nolint:gosec // it is to be run
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH")) //nolint:forbidigo // the script needs the system's programs
	var all sync.WaitGroup
	for range 24 {
		all.Go(func() {
			if _, err := Run(t.Context(), dir, "status"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	log, err := os.ReadFile(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	running, most := 0, 0
	for line := range strings.Lines(string(log)) {
		if running--; line == "begin\n" {
			running += 2
		}
		most = max(most, running)
	}
	if most > 8 || most < 2 || running != 0 {
		t.Errorf("%d at once", most)
	}
}
