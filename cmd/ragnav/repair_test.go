package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/fault"
)

// Where what is left does not tell where a repository was, it says so, and to
// index it from there mends it.
func TestRepairWithoutRegistrations(t *testing.T) {
	for _, lost := range [][]string{{"registrations.json", "text"}, {"registrations.json", "text", "rows"}} {
		t.Run(strings.Join(lost, " "), func(t *testing.T) {
			t.Parallel()
			sh := newShell(t)
			root := writeRepo(t, "clock", clockRepo)
			sh.run("index", "--quiet", "--repo-id", "o/clock", root)
			query := []string{"search", "exponential", "backoff"}
			want := sh.run(query...)
			for _, name := range lost {
				if err := os.RemoveAll(filepath.Join(sh.store, name)); err != nil {
					t.Fatal(err)
				}
			}
			if out, errs, exit := sh.try(query...); exit != fault.IndexNotReady.Row().Exit ||
				!strings.Contains(out+errs, "`ragnav doctor --repair`") {
				t.Errorf("search: exit %d: %s%s", exit, out, errs)
			}
			for _, command := range [][]string{{"doctor", "--repair"}, {"doctor"}, query} {
				out, errs, exit := sh.try(command...)
				if exit == 0 || !strings.Contains(out+errs, "`ragnav index --repo-id o/clock FOLDER`") {
					t.Errorf("ragnav %v: exit %d, want what to do:\n%s%s", command, exit, out, errs)
				}
			}
			sh.run("index", "--quiet", "--repo-id", "o/clock", root)
			if got := sh.run(query...); got != want {
				t.Errorf("in the end:\n%s\nwant:\n%s", got, want)
			}
			sh.run("doctor", "--deep")
		})
	}
}

// The command that a damaged directory names mends it, whatever was damaged.
func TestRepair(t *testing.T) {
	for _, file := range []string{"text/root.bolt", "text/*.zap", "rows/*.log"} {
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

// A graph that does not answer any more is told of, with what mends it.
func TestDoctorTellsOfGraphs(t *testing.T) {
	for _, file := range []string{"rag_graph.json", "rag_graph.bin", "rag_manifest-*.bin", "rag_index_status.json"} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			sh, root := newShell(t), gitRepo(t, stampRepo)
			const about = "graph of"
			for _, args := range [][]string{{"index", "--quiet", "--no-graph", root}, {"nav", "build-graph", "-r", root}} {
				sh.run(args...)
				if out := sh.run("doctor"); strings.Contains(out, about) {
					t.Errorf("after %v:\n%s", args, out)
				}
			}
			files, err := filepath.Glob(filepath.Join(root, ".llmc", file))
			if err != nil || len(files) != 1 {
				t.Fatal(files, err)
			}
			if err := os.Truncate(files[0], 12); err != nil {
				t.Fatal(err)
			}
			wantAll(t, sh.run("doctor"), "warn", about, "damaged", "ragnav nav build-graph")
			sh.run("nav", "build-graph", "-r", root)
			if out := sh.run("doctor"); strings.Contains(out, about) {
				t.Errorf("mended:\n%s", out)
			}
		})
	}
}

// A repository whose folder is gone is told of also by the server that is in charge.
func TestDoctorTellsOfServedRepositories(t *testing.T) {
	t.Parallel()
	sh, root, other := newShell(t), gitRepo(t, stampRepo), gitRepo(t, stampRepo)
	sh.run("index", "--quiet", "--repo-id", "kept", root)
	sh.run("index", "--quiet", "--repo-id", "lost", other)
	server := sh.serve()
	wantAll(t, sh.run("doctor"), server.url, "ok    repository kept: ", "ok    repository lost: ")
	if err := os.RemoveAll(other); err != nil {
		t.Fatal(err)
	}
	out, errs, code := sh.try("doctor")
	wantAll(t, out, server.url, "ok    repository kept: ", "FAIL  repository lost: ", "is gone", "ragnav remove lost")
	if code != 1 {
		t.Errorf("exit code %d: %s", code, errs)
	}
}
