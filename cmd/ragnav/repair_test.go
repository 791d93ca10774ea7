package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/fault"
)

// The command that a damaged directory names mends it, whatever was damaged.
func TestRepair(t *testing.T) {
	for _, file := range []string{"text/root.bolt", "text/*.zap", "rows/*.log", "format.json"} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			sh := newShell(t)
			root := writeRepo(t, "clock", clockRepo)
			sh.run("index", "--quiet", root)
			query := []string{"search", "exponential", "backoff"}
			want := sh.run(query...)
			files, err := filepath.Glob(filepath.Join(sh.store, file))
			if err != nil || len(files) == 0 {
				t.Fatal(files, err)
			}
			for _, f := range files {
				if err := os.Truncate(f, 12); err != nil {
					t.Fatal(err)
				}
			}
			for _, command := range [][]string{query, {"repos"}, {"doctor"}, {"doctor", "--deep"}} {
				out, errs, exit := sh.try(command...)
				if all := out + errs; exit == 0 && command[0] != "repos" || !strings.Contains(all, "`ragnav doctor --repair`") {
					t.Errorf("ragnav %v: exit %d, want a failure that says what to do:\n%s", command, exit, all)
				}
			}
			if _, _, exit := sh.try(query...); exit != fault.IndexNotReady.Row().Exit {
				t.Errorf("search: exit %d, want that of INDEX_NOT_READY", exit)
			}
			if out := sh.run("doctor", "--repair", "--json"); strings.Count(out, `"meta"`) != 1 {
				t.Errorf("doctor --repair --json printed not one reply:\n%s", out)
			}
			if got := sh.run(query...); got != want {
				t.Errorf("after the repair:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}
