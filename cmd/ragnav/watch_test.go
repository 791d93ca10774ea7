package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/test/cbtest"
)

// finds waits until a search for a word shows the part of a path, or does not
// show it any more.
func (sh shell) finds(word, part string, want bool) {
	sh.t.Helper()
	limit := time.After(patience)
	for {
		out, errs, _ := sh.try("search", word, "--mode", "lexical", "--level", "symbol", "--quiet")
		if strings.Contains(out, part) == want {
			return
		}
		select {
		case <-limit:
			sh.t.Fatalf("%s in the results for %q: not %v in time\n%s%s", part, word, want, out, errs)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// change edits a file and waits for that, moves it and waits for that, and
// deletes it.
func (sh shell) change(root, word string) {
	sh.t.Helper()
	file, moved := filepath.Join(root, "retry", "retry.go"), filepath.Join(root, "again", "retry.go")
	text := "package retry\n\n// " + word + " does things again.\nfunc " + word + "() {}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		sh.t.Fatal(err)
	}
	sh.finds(word, "retry/retry.go", true)
	if err := os.Rename(filepath.Dir(file), filepath.Dir(moved)); err != nil {
		sh.t.Fatal(err)
	}
	sh.finds(word, "again/retry.go", true)
	sh.finds(word, " retry/retry.go", false)
	if err := os.WriteFile(moved, []byte(text+"\nfunc "+word+"More() {}\n"), 0o600); err != nil {
		sh.t.Fatal(err)
	}
	sh.finds(word+"More", word+"More", true)
	if err := os.RemoveAll(filepath.Dir(moved)); err != nil {
		sh.t.Fatal(err)
	}
	sh.finds(word, "again/retry.go", false)
}

// A server that watches finds what was edited, moved and deleted, in folders
// named at its start and in those registered later, on both stores.
func TestServerWatches(t *testing.T) {
	for name, open := range map[string]func(*testing.T) shell{
		"embedded": newShell,
		"cluster": func(t *testing.T) shell {
			node := cbtest.Start(t, cbtest.Options{})
			return newClusterShell(t, node)
		},
	} {
		t.Run(name, func(t *testing.T) {
			sh, root, later := open(t), writeRepo(t, "clock", clockRepo), writeRepo(t, "later", clockRepo)
			server := sh.serve("--watch", root)
			sh.env["RAGNAV_SERVER"] = server.url
			sh.finds("ParseStamp", "clock/parse.go", true)
			sh.change(root, "Quizzaciously")
			sh.run("index", "--quiet", later)
			sh.change(later, "Bumfuzzledly")
		})
	}
}

// The command watches with the store closed in between, so that others can search.
func TestWatchCommand(t *testing.T) {
	sh, root := newShell(t), writeRepo(t, "clock", clockRepo)
	if _, errs, exit := sh.try("watch"); exit != 5 || !strings.Contains(errs, "no folder is indexed yet") {
		t.Errorf("nothing to watch: exit %d, %q", exit, errs)
	}
	sh.run("index", "--quiet", root)
	if _, errs, exit := sh.try("watch", "nope"); exit != 3 || !strings.Contains(errs, "no indexed folder") {
		t.Errorf("an unknown folder: exit %d, %q", exit, errs)
	}
	cmd := sh.command(os.Executable, "watch", root)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	readUntil(t, stdout, "watching clock")
	sh.change(root, "Quizzaciously")
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		_ = cmd.Process.Kill()
	}
	_ = cmd.Wait()

	sh.serve()
	if _, errs, exit := sh.try("watch"); exit == 0 || !strings.Contains(errs, "--watch") {
		t.Errorf("beside a server: exit %d, %q", exit, errs)
	}
}
