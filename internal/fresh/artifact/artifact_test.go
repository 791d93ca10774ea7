package artifact

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/repo/disk"
)

const graphFile = "rag_graph.json"

func entriesOf(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func TestFailedWriteLeavesTheOldFile(t *testing.T) {
	tree := open(t, t.TempDir())
	must(t, WriteArtifact(tree, graphFile, writeBytes([]byte("old"))))
	failed := errors.New("no more")
	err := WriteArtifact(tree, graphFile, func(w io.Writer) error {
		_, _ = io.WriteString(w, strings.Repeat("half", 1<<16))
		return failed
	})
	if !errors.Is(err, failed) || fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("error = %v", err)
	}
	if got := readFile(t, tree.Root(), Dir, graphFile); got != "old" {
		t.Errorf("content = %q", got[:10])
	}
	if got := entriesOf(t, filepath.Join(tree.Root(), Dir)); len(got) != 2 {
		t.Errorf("left behind: %q", got)
	}
}

// TestConcurrentWriters: each reader sees one whole status, of one of the writers.
func TestConcurrentWriters(t *testing.T) {
	tree := open(t, t.TempDir())
	must(t, SaveStatus(tree, status("fresh", "start")))
	var writers, readers sync.WaitGroup
	done := make(chan struct{})
	readers.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				if s, err := loadStatus(tree); err != nil || s == nil {
					t.Errorf("reading: %v, %v", s, err)
					return
				}
			}
		}
	})
	for w := range 4 {
		writers.Go(func() {
			for i := range 10 {
				if err := SaveStatus(tree, status("fresh", strings.Repeat(fmt.Sprint(w), 10+100*i))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	close(done)
	readers.Wait()
	s, err := loadStatus(tree)
	must(t, err)
	if c := *s.LastIndexedCommit; c != strings.Repeat(c[:1], 910) {
		t.Errorf("commit = %s", c)
	}
}

var writer = flag.String("writer", "", "for TestKilledWriter: the tree to write to")

// TestKilledWriter starts this test as a program that is killed half-way.
func TestKilledWriter(t *testing.T) {
	if *writer != "" {
		tree, err := disk.Open(t.Context(), *writer)
		must(t, err)
		_ = WriteArtifact(tree, StatusFile, func(w io.Writer) error {
			_, _ = io.WriteString(w, strings.Repeat("{", 1<<20))
			fmt.Println("half")
			select {}
		})
		return
	}
	tree := open(t, t.TempDir())
	must(t, SaveStatus(tree, status("fresh", "old")))
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledWriter$", "-writer="+tree.Root())
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "half\n" {
		t.Errorf("the writer said %q, %v", line, err)
	}
	must(t, cmd.Process.Kill())
	_ = cmd.Wait()
	s, err := loadStatus(tree)
	if err != nil || *s.LastIndexedCommit != "old" {
		t.Fatalf("status = %v, %v", s, err)
	}
	left, err := filepath.Glob(filepath.Join(tree.Root(), Dir, tempPrefix+"*"))
	must(t, err)
	if len(left) != 1 {
		t.Fatalf("left behind: %q", left)
	}
	old := time.Now().Add(-2 * abandoned)
	must(t, os.Chtimes(left[0], old, old))
	must(t, SaveStatus(tree, status("fresh", "new")))
	if got := entriesOf(t, filepath.Join(tree.Root(), Dir)); len(got) != 2 {
		t.Errorf("not swept: %q", got)
	}
}

func TestNothingIsWrittenThroughLinks(t *testing.T) {
	outside := t.TempDir()
	for name, prepare := range map[string]func(dir string) error{
		"folder outside": func(dir string) error { return os.Symlink(outside, filepath.Join(dir, Dir)) },
		"folder inside": func(dir string) error {
			return errors.Join(os.Mkdir(filepath.Join(dir, "in"), 0o755), os.Symlink("in", filepath.Join(dir, Dir)))
		},
		"dangling": func(dir string) error { return os.Symlink("none", filepath.Join(dir, Dir)) },
		"file":     func(dir string) error { return os.WriteFile(filepath.Join(dir, Dir), nil, 0o644) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := prepare(dir); err != nil {
				t.Skipf("SKIPPED: no symlinks here: %v", err)
			}
			tree := open(t, dir)
			if err := SaveStatus(tree, status("fresh", "x")); fault.CodeOf(err) != fault.InvalidRequest {
				t.Errorf("error = %v", err)
			}
			if _, err := loadStatus(tree); !errors.Is(err, errCorrupt) {
				t.Errorf("loading: %v", err)
			}
			if got := entriesOf(t, outside); len(got) != 0 {
				t.Errorf("written outside: %q", got)
			}
		})
	}
}

// An export takes no lock: who prepares a build lets it write on, and removes what others left.
func TestPrepareWhileExporting(t *testing.T) {
	tree := open(t, t.TempDir())
	must(t, Prepare(tree))
	left := filepath.Join(tree.Root(), Dir, tempPrefix+graphFile+"-dead")
	must(t, os.WriteFile(left, nil, 0o644))
	must(t, WriteArtifact(tree, ExportFile, func(w io.Writer) error {
		must(t, Prepare(tree))
		return writeBytes([]byte("exported"))(w)
	}))
	if got := readFile(t, filepath.Join(tree.Root(), Dir, ExportFile)); got != "exported" {
		t.Errorf("exported: %q", got)
	}
	if _, err := os.Stat(left); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what a dead writer left: %v, want it removed", err)
	}
}

// TestLinkInPlaceOfAFile: the link is replaced, not what it leads to.
func TestLinkInPlaceOfAFile(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "precious")
	must(t, os.WriteFile(outside, []byte("precious"), 0o644))
	tree := open(t, t.TempDir())
	must(t, Prepare(tree))
	if err := os.Symlink(outside, filepath.Join(tree.Root(), Dir, StatusFile)); err != nil {
		t.Skipf("SKIPPED: no symlinks here: %v", err)
	}
	if _, err := loadStatus(tree); !errors.Is(err, errCorrupt) {
		t.Errorf("loading through a link: %v", err)
	}
	must(t, SaveStatus(tree, status("fresh", "x")))
	if got := readFile(t, outside); got != "precious" {
		t.Errorf("the file outside = %q", got)
	}
	if _, err := loadStatus(tree); err != nil {
		t.Error(err)
	}
}

func TestReadOnlyRepository(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Chmod(dir, 0o555))
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	if os.WriteFile(filepath.Join(dir, "probe"), nil, 0o644) == nil {
		t.Skip("SKIPPED: this user may write everywhere")
	}
	tree := open(t, dir)
	if err := SaveStatus(tree, status("fresh", "x")); fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("error = %v", err)
	}
	if s, err := loadStatus(tree); s != nil || err != nil {
		t.Errorf("status = %v, %v", s, err)
	}
}
