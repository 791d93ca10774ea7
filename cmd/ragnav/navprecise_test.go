package main

import (
	"encoding/json"
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// A precise graph answers as the other one where both know, says what it is,
// and gives way to the other one when that is built.
func TestNavPreciseGraph(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("NOT TESTED: precise graphs need the go command, which is not here")
	}
	sh, root := newShell(t), gitRepo(t, stampRepo)
	for _, flags := range [][]string{nil, {"--precise"}, {"--precise"}, nil} {
		isPrecise := len(flags) > 0
		built := replyOf[models.GraphInfo](sh, append([]string{"nav", "build-graph", "-r", root}, flags...)...)
		if len(built.Items) != 1 || built.Items[0].Precise != isPrecise || len(built.Meta.Warnings) > 0 {
			t.Errorf("build %v: %+v", flags, built)
		}
		status := replyOf[models.NavStatus](sh, "nav", "status", "-r", root)
		if len(status.Items) != 1 || status.Items[0].Graph == nil || status.Items[0].Graph.Precise != isPrecise {
			t.Errorf("status after build %v: %+v", flags, status)
		}
		r := sh.nav("where-used", "-r", root, "-s", "clock.ParseStamp")
		if diff := cmp.Diff(wantUses, r.places("clock/parse.go:ParseStamp")); diff != "" {
			t.Errorf("build %v: uses (-want +got):\n%s", flags, diff)
		}
		if r.Meta.Source != models.SourceGraph {
			t.Errorf("build %v: answered by %s", flags, r.Meta.Source)
		}
	}
	if out, err := exec.Command("git", "-C", root, "status", "--porcelain").Output(); err != nil || len(out) > 0 {
		t.Errorf("git status after build-graph: %s %v", out, err)
	}
}

func replyOf[T any](sh shell, args ...string) (r models.Result[T]) {
	sh.t.Helper()
	if err := json.Unmarshal([]byte(sh.run(args...)), &r); err != nil {
		sh.t.Fatal(err)
	}
	return r
}

func TestNavPreciseWithoutModule(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it runs programs for long")
	}
	sh, root := newShell(t), gitRepo(t, map[string]string{"a.py": "def f(): pass\n"})
	out, errs, exit := sh.try("nav", "build-graph", "-r", root, "--precise")
	if exit != 2 {
		t.Errorf("exit %d, want 2: %s%s", exit, out, errs)
	}
	sh.run("nav", "build-graph", "-r", root)
}
