package filefetch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// one is a repository in a folder.
type one string

func (o one) Repository(context.Context, models.RepoID) (models.Repository, error) {
	return models.Repository{RepoID: "o/r", Root: string(o), State: models.StateFresh}, nil
}

func (one) Open(ctx context.Context, known models.Repository) (repo.Files, error) {
	return repo.Open(ctx, known.Root)
}

// Lines are those of the file as it is, however often it was read before and whatever
// became of it.
func TestKeptTextsAreOfFilesAsTheyAre(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	root := filepath.Join(base, "repo")
	at := func(name string) string { return filepath.Join(root, name) }
	changes := map[string]func(name string) error{
		"same":    func(string) error { return nil },
		"longer":  func(name string) error { return os.WriteFile(name, []byte("three\nfour\n"), 0o600) },
		"touched": func(name string) error { return writeUnseen(name, "six\nten\n") },
		"renamed": func(name string) error { return os.Rename(at("other"), name) },
		"gone":    os.Remove,
		"outside": func(name string) error {
			return os.Rename(name, filepath.Join(base, "canary"))
		},
	}
	files := map[string]string{"other": "six\nten\n"}
	for name := range changes {
		files[name] = "one\ntwo\n"
	}
	written := time.Now()
	repotest.Write(t, root, files)
	s := New(one(root))
	read := func(name string) string {
		got, _, err := s.Lines(t.Context(), "o/r", name, 2, 2)
		if err != nil {
			return string(fault.CodeOf(err))
		}
		return fmt.Sprintf("%s of %d", got.Code, got.TotalLines)
	}
	for range 3 {
		got := read("same")
		if soon := time.Since(written) < 2*time.Second; got != "two\n of 2" || soon && s.kept.size > 0 {
			t.Fatalf("%q, %d bytes are kept of a file that was written just now", got, s.kept.size)
		}
	}
	time.Sleep(2200 * time.Millisecond) // files are settled then
	for range 3 {
		for name := range changes {
			if got := read(name); got != "two\n of 2" {
				t.Errorf("%s: %q", name, got)
			}
		}
	}
	if want := len(changes) * len("one\ntwo\n"); runtime.GOOS == "linux" && s.kept.size != want {
		t.Errorf("%d bytes are kept, want %d", s.kept.size, want)
	}
	for name, change := range changes {
		if err := change(at(name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(base, "canary"), at("outside")); err != nil {
		t.Skip("SKIPPED: no symlinks here: ", err)
	}
	for range 3 {
		for name, want := range map[string]string{
			"same": "two\n of 2", "longer": "four\n of 2", "touched": "ten\n of 2", "renamed": "ten\n of 2",
			"gone": string(fault.PathNotFound), "outside": string(fault.InvalidPath),
		} {
			if got := read(name); got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
	}
}

// writeUnseen writes as much to a file as it has, and sets its time back.
func writeUnseen(name, content string) error {
	was, err := os.Stat(name)
	if err != nil {
		return err
	}
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		return err
	}
	return os.Chtimes(name, was.ModTime(), was.ModTime())
}

// What is kept is bounded, the texts that were used last stay.
func TestKeptTextsAreBounded(t *testing.T) {
	var k kept
	large := make([]byte, maxKept/8)
	for i := range 20 {
		for range 2 {
			k.keep(keptKey{"", fmt.Sprint(i)}, text{data: large})
		}
	}
	k.keep(keptKey{"", "once"}, text{data: large})
	for range 3 {
		k.keep(keptKey{"", "larger"}, text{data: make([]byte, maxKept/8+1)})
	}
	if k.size != maxKept || len(k.by) != 8 || k.order.Len() != 8 || k.by[keptKey{"", "19"}] == nil {
		t.Errorf("%d bytes of %d texts", k.size, len(k.by))
	}
	for i := range maxOnce + 10 {
		k.keep(keptKey{"", fmt.Sprint("many", i)}, text{})
	}
	if len(k.once) > maxOnce {
		t.Errorf("%d names of files that were read once", len(k.once))
	}
}
