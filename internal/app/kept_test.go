package app_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// as calls do with a program of its own.
func as(t *testing.T, dir string, role app.Role, do func(a *app.App)) {
	t.Helper()
	a, err := app.Open(t.Context(), settings(t, dir), role)
	if err != nil {
		t.Fatal(err)
	}
	do(a)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
}

// What one program keeps of a folder tells the next ones what differs, as an index run
// does, whatever was done since, and whatever became of the file that has it.
func TestKeptFolders(t *testing.T) {
	d := &desk{T: t, Rand: rand.New(rand.NewPCG(8, 9)), root: filepath.Join(t.TempDir(), "desk")} //nolint:gosec // to be repeated
	for range 20 {
		d.write(d.path())
	}
	d.git("init", "-q", "-b", "first")
	d.git("add", "-A")
	d.git("commit", "-q", "-m", "first")
	d.git("tag", "first")
	d.git("branch", "-q", "-m", "main")
	data := t.TempDir()
	kept := func() []string {
		files, err := filepath.Glob(filepath.Join(data, "folders", "*"))
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	run := func() {
		as(t, data, app.Tool, func(a *app.App) {
			d.index(a)
			if err := a.Settle(t.Context(), "o/desk"); err != nil {
				t.Fatal(err)
			}
		})
	}
	run()
	if len(kept()) != 1 {
		t.Fatalf("kept: %q", kept())
	}
	for step := range 10 {
		for range 1 + d.IntN(5) {
			d.edit()
		}
		switch step {
		case 3, 7:
			run()
			d.edit()
		case 4: // of another state than the index
			as(t, data, app.Tool, d.index)
		case 5:
			damage(t, kept()[0])
		case 8:
			if err := os.Remove(kept()[0]); err != nil {
				t.Fatal(err)
			}
		case 9: // a folder in its place, which the next process that writes replaces
			run()
			file := kept()[0]
			if err := errors.Join(os.Remove(file), os.Mkdir(file, 0o700)); err != nil {
				t.Fatal(err)
			}
			run()
			if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
				t.Errorf("the folder in the place of a file: %v, %v", info, err)
			}
		}
		before := kept()
		req := search.Request{Query: "how to turn the wheel", Level: models.LevelSymbol, Limit: new(100)}
		var want []string
		as(t, t.TempDir(), app.Tool, func(whole *app.App) {
			d.index(whole)
			want, _ = d.found(whole, req)
		})
		as(t, data, app.Reader, func(a *app.App) {
			got, meta := d.found(a, req)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("step %d (-indexed +kept):\n%s", step, diff)
			}
			if meta.FreshnessState != models.Fresh {
				t.Errorf("step %d: %s: %+v", step, meta.FreshnessState, meta.Warnings)
			}
		})
		if !slices.Equal(before, kept()) {
			t.Errorf("step %d: a program that reads left %q of %q", step, kept(), before)
		}
	}
	as(t, data, app.Tool, func(a *app.App) {
		if _, err := op.Remove.By(t.Context(), a, index.RemoveRequest{RepoID: "o/desk"}); err != nil {
			t.Fatal(err)
		}
	})
	before := kept()
	as(t, data, app.Tool, func(a *app.App) {
		resp, err := op.StartIndex.By(t.Context(), a, index.StartRequest{Targets: []string{d.root}, RepoID: "o/other"})
		if err != nil {
			t.Fatal(err)
		}
		waitFor(t, a, resp.Items[0])
		if err := a.Settle(t.Context(), "o/other"); err != nil {
			t.Fatal(err)
		}
	})
	if after := kept(); len(after) != 1 || slices.Equal(before, after) {
		t.Errorf("of another repository: %q after %q", after, before)
	}
}

// damage changes a byte in the middle of a file.
func damage(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2]++
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(fmt.Errorf("damage it: %w", err))
	}
}
