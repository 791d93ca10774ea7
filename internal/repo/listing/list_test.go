package listing

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/repo/git"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

func TestListGitTree(t *testing.T) {
	for name, tc := range map[string]struct {
		make    func(t *testing.T, dir string)
		files   []string
		skipped []string
	}{
		"no files": {make: func(*testing.T, string) {}},
		"tracked and untracked, no commit": {
			make: func(t *testing.T, dir string) {
				repotest.Write(t, dir, map[string]string{"b.go": "", "a.go": "", "sub/c.go": ""})
				repotest.Run(t, dir, "add", "a.go")
			},
			files: []string{"a.go", "b.go", "sub/c.go"},
		},
		"tracked though ignored": {
			make: func(t *testing.T, dir string) {
				repotest.Write(t, dir, map[string]string{".gitignore": "*.log\n", "keep.log": "", "drop.log": ""})
				repotest.Run(t, dir, "add", "-f", "keep.log")
			},
			files: []string{".gitignore", "keep.log"},
		},
		"nested rules": {
			make: func(t *testing.T, dir string) {
				repotest.Write(t, dir, map[string]string{
					".gitignore": "*.o\nbuild/\n", "sub/.gitignore": "!keep.o\n/only-here\n",
					"a.o": "", "sub/keep.o": "", "sub/b.o": "", "sub/only-here": "", "only-here": "", "sub/x/only-here": "",
					"build/out.go": "", "sub/build/out.go": "",
				})
			},
			files: []string{".gitignore", "only-here", "sub/.gitignore", "sub/keep.o", "sub/x/only-here"},
		},
		"exclude file of the repository": {
			make: func(t *testing.T, dir string) {
				repotest.Write(t, dir, map[string]string{".git/info/exclude": "mine\n", "mine": "", "theirs": ""})
			},
			files: []string{"theirs"},
		},
		"tracked file deleted from the work tree": {
			make: func(t *testing.T, dir string) {
				repotest.Write(t, dir, map[string]string{"gone": "", "here": ""})
				repotest.Run(t, dir, "add", ".")
				repotest.Remove(t, dir, "gone")
			},
			files: []string{"here"},
		},
		"tracked folder replaced by a symlink": {
			make: func(t *testing.T, dir string) {
				repotest.Write(t, dir, map[string]string{"d/f": "", "other/f": ""})
				repotest.Run(t, dir, "add", ".")
				if err := os.RemoveAll(filepath.Join(dir, "d")); err != nil {
					t.Fatal(err)
				}
				repotest.Symlink(t, "other", dir, "d")
			},
			files:   []string{"other/f"},
			skipped: []string{"d: symlink (symlink to the folder other)"},
		},
		"unmerged entries are listed once": {
			make: func(t *testing.T, dir string) {
				repotest.Write(t, dir, map[string]string{"f": "base\n"})
				repotest.Run(t, dir, "add", ".")
				repotest.Run(t, dir, "commit", "-qm", "base")
				repotest.Run(t, dir, "checkout", "-qb", "side")
				repotest.Write(t, dir, map[string]string{"f": "side\n"})
				repotest.Run(t, dir, "commit", "-qam", "side")
				repotest.Run(t, dir, "checkout", "-q", "main")
				repotest.Write(t, dir, map[string]string{"f": "main\n"})
				repotest.Run(t, dir, "commit", "-qam", "main")
				_ = mergeWithConflict(t, dir)
			},
			files: []string{"f"},
		},
		"submodule and nested repository": {
			make: func(t *testing.T, dir string) {
				lib := t.TempDir()
				repotest.Run(t, lib, "init", "-q")
				repotest.Write(t, lib, map[string]string{"lib.go": ""})
				repotest.Run(t, lib, "add", ".")
				repotest.Run(t, lib, "commit", "-qm", "lib")
				repotest.Write(t, dir, map[string]string{"a.go": "", "nested/n.go": ""})
				repotest.Run(t, dir, "submodule", "--quiet", "add", lib, "lib")
				repotest.Run(t, filepath.Join(dir, "nested"), "init", "-q")
			},
			files: []string{".gitmodules", "a.go"},
			skipped: []string{
				"lib: not_regular (submodule or nested repository; index it on its own)",
				"nested: not_regular (submodule or nested repository; index it on its own)",
			},
		},
		"folders of other systems, tracked": {
			make: func(t *testing.T, dir string) {
				repotest.Write(t, dir, map[string]string{".hg/x": "", ".svn/x": "", ".llmc/g.json": "", "sub/.llmc/x": "", "a": ""})
				repotest.Write(t, dir, map[string]string{
					".obsidian/app.json": "", "notes/.trash/old.md": "", "notes/.obsidian/x": "",
				})
				repotest.Run(t, dir, "add", ".")
			},
			files: []string{"a"},
		},
		"ragnavignore": {
			make: func(t *testing.T, dir string) {
				repotest.Write(t, dir, map[string]string{
					".ragnavignore": "*.gen.go\n/data/\n!keep.gen.go\n", "sub/.ragnavignore": "private\n",
					"a.gen.go": "", "keep.gen.go": "", "data/d": "", "sub/data/d": "", "sub/private/x/y": "", "private": "",
				})
				repotest.Run(t, dir, "add", "a.gen.go", "data/d")
			},
			files: []string{".ragnavignore", "keep.gen.go", "private", "sub/.ragnavignore", "sub/data/d"},
		},
		"ragnavignore that git ignores itself": {
			make: func(t *testing.T, dir string) {
				repotest.Write(t, dir, map[string]string{".gitignore": ".ragnavignore\n", ".ragnavignore": "b\n", "a": "", "b": ""})
			},
			files: []string{".gitignore", "a"},
		},
		"ragnavignore can't bring back what git ignores": {
			make: func(t *testing.T, dir string) {
				repotest.Write(t, dir, map[string]string{".gitignore": "x\n", ".ragnavignore": "!x\n", "x": ""})
			},
			files: []string{".gitignore", ".ragnavignore"},
		},
		"names that look like options and patterns": {
			make: func(t *testing.T, dir string) {
				repotest.Write(t, dir,
					map[string]string{"--help": "", ":(top)x": "", "a*b": "", "sp ace": "", "ü": "", `q"uote`: ""})
				repotest.Run(t, dir, "add", "--", ".")
			},
			files: []string{"--help", ":(top)x", "a*b", `q"uote`, "sp ace", "ü"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			repotest.NeedGit(t)
			dir := t.TempDir()
			repotest.Run(t, dir, "init", "-q")
			tc.make(t, dir)
			files, skipped := list(t, dir)
			if diff := cmp.Diff(tc.files, files); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.skipped, skipped); diff != "" {
				t.Errorf("skipped (-want +got):\n%s", diff)
			}
		})
	}
}

func mergeWithConflict(t *testing.T, dir string) error {
	t.Helper()
	_, err := git.Command{
		Dir:  dir,
		Args: []string{"-c", "user.name=T", "-c", "user.email=t@example.com", "merge", "-q", "side"},
	}.Run(t.Context())
	if err == nil {
		t.Fatal("the merge had no conflict")
	}
	return err
}

func TestListSubfolderOfAWorkTree(t *testing.T) {
	repotest.NeedGit(t)
	dir := t.TempDir()
	repotest.Run(t, dir, "init", "-q")
	repotest.Write(t, dir, map[string]string{
		".gitignore": "*.o\nout/\n", "top.go": "", "sub/a.go": "", "sub/a.o": "",
		"out/x": "",
	})
	t.Run("listed relative to it", func(t *testing.T) {
		files, _ := list(t, filepath.Join(dir, "sub"))
		if diff := cmp.Diff([]string{"a.go"}, files); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("ignored as a whole, but asked for", func(t *testing.T) {
		tree := open(t, filepath.Join(dir, "out"))
		l, err := List(t.Context(), tree, Limits{})
		files, _ := short(l)
		if diff := cmp.Diff([]string{"x"}, files); diff != "" || err != nil || isGit(t, tree) {
			t.Errorf("IsGit %v, error %v, files %s", isGit(t, tree), err, diff)
		}
	})
}

func TestListWorktree(t *testing.T) {
	repotest.NeedGit(t)
	dir, linked := t.TempDir(), filepath.Join(t.TempDir(), "linked")
	repotest.Run(t, dir, "init", "-q")
	repotest.Write(t, dir, map[string]string{".gitignore": "*.o\n", "a.go": ""})
	repotest.Run(t, dir, "add", ".")
	repotest.Run(t, dir, "commit", "-qm", "one")
	repotest.Run(t, dir, "worktree", "add", "-q", linked)
	repotest.Write(t, linked, map[string]string{"b.go": "", "b.o": ""})
	files, skipped := list(t, linked)
	if diff := cmp.Diff([]string{".gitignore", "a.go", "b.go"}, files); diff != "" || skipped != nil {
		t.Errorf("files (-want +got):\n%sskipped %v", diff, skipped)
	}
	head, err := open(t, linked).Head(t.Context())
	if want := repotest.Run(t, linked, "rev-parse", "HEAD"); head != want || err != nil {
		t.Errorf("Head = %q, %v; want %q", head, err, want)
	}
}

func TestListPlainFolder(t *testing.T) {
	repotest.NeedGit(t)
	dir := t.TempDir()
	repotest.Write(t, dir, map[string]string{
		".gitignore": "*.o\nbuild/\n", "sub/.gitignore": "!keep.o\n/here\n", ".ragnavignore": "secretplans.txt\n",
		"a.go": "", "a-b/x": "", "a/x": "", "a.o": "", "sub/keep.o": "", "sub/b.o": "", "sub/here": "", "here": "",
		"build/x": "", "secretplans.txt": "", ".hg/x": "", ".svn/x": "", ".llmc/x": "", "nested/.git/config": "",
		"nested/n.go": "", ".obsidian/plugins/p/main.js": "", ".trash/old.md": "",
		"empty/": "",
	})
	files, skipped := list(t, dir)
	want := []string{
		".gitignore", ".ragnavignore", "a-b/x", "a.go", "a/x", "here", "nested/n.go", "sub/.gitignore",
		"sub/keep.o",
	}
	if diff := cmp.Diff(want, files); diff != "" || skipped != nil {
		t.Errorf("files (-want +got):\n%sskipped %v", diff, skipped)
	}
}

func TestListWithoutGitProgram(t *testing.T) {
	dir := t.TempDir()
	repotest.Write(t, dir, map[string]string{".git/config": "", ".gitignore": "*.o\n", "a.go": "", "a.o": ""})
	t.Setenv("PATH", t.TempDir())
	tree := open(t, dir)
	l, err := List(t.Context(), tree, Limits{})
	files, _ := short(l)
	if diff := cmp.Diff([]string{".gitignore", "a.go"}, files); diff != "" || err != nil {
		t.Errorf("error %v, files (-want +got):\n%s", err, diff)
	}
	if head, err := tree.Head(t.Context()); head != "" || err != nil || isGit(t, tree) {
		t.Errorf("Head = %q, %v, IsGit = %v; want none", head, err, isGit(t, tree))
	}
}

func TestListLimits(t *testing.T) {
	dir := t.TempDir()
	repotest.Write(t, dir, map[string]string{"small": "12345", "large": "123456", "data/index": "x", "src/a": "1"})
	l, err := List(t.Context(), open(t, dir),
		Limits{MaxFileSize: 5, Exclude: []string{filepath.Join(dir, "data"), "/elsewhere", dir}})
	if err != nil {
		t.Fatal(err)
	}
	files, skipped := short(l)
	if diff := cmp.Diff([]string{"small", "src/a"}, files); diff != "" {
		t.Error(diff)
	}
	want := []string{"large: too_large (6 bytes, the limit is 5 bytes (RAGNAV_MAX_FILE_SIZE))"}
	if diff := cmp.Diff(want, skipped); diff != "" {
		t.Error(diff)
	}
	if l.Files[0].Size != 5 || l.Files[0].ModTime == 0 {
		t.Errorf("size and time of %+v", l.Files[0])
	}
}

func TestListCancelled(t *testing.T) {
	dir := t.TempDir()
	repotest.Write(t, dir, map[string]string{"a": ""})
	tree := open(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := List(ctx, tree, Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

func TestListFolderThatIsGone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "repo")
	repotest.Write(t, dir, map[string]string{"a": ""})
	tree := open(t, dir)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := List(t.Context(), tree, Limits{}); fault.CodeOf(err) != fault.PathNotFound {
		t.Errorf("error %v, want PathNotFound", err)
	}
}
