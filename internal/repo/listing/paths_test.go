package listing

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ragnav/ragnav/internal/repo/repotest"
)

var spread = map[string]string{
	"a.go": "x", "dir/a.go": "x", "dir/deep/b.go": "x", "dir/id_rsa": "x", ".gitignore": "*.log\nbuild/\n",
	".ragnavignore": "*.tmp\n",
	"c.log":         "x", "dir/c.tmp": "x", "build/out/o.go": "x", "build/kept.go": "x", "[odd].go": "x", "o.go": "x",
	"empty/": "",
}

// ListPaths finds what List finds at and below each path, and nothing else.
func TestListPathsIsList(t *testing.T) {
	repotest.NeedGit(t)
	for kind, prepare := range map[string]func(root string){
		"folder": func(string) {},
		"git": func(root string) {
			repotest.Run(t, root, "init", "-q")
			repotest.Run(t, root, "add", "a.go", "dir")
			repotest.Run(t, root, "add", "-f", "build/kept.go")
		},
	} {
		root := t.TempDir()
		repotest.Write(t, root, spread)
		prepare(root)
		repotest.Symlink(t, "dir", root, "link")
		tree := open(t, root)
		all, err := List(t.Context(), tree, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		for _, paths := range [][]string{
			{"a.go"},
			{"dir"},
			{"dir/deep"},
			{"dir", "dir/deep/b.go"},
			{"dir/id_rsa", "a.go"},
			{"c.log"},
			{"dir/c.tmp"},
			{"build"},
			{"build/out"},
			{"build/out/o.go"},
			{"build/kept.go"},
			{"[odd].go"},
			{"none/at/all"},
			{"link"},
			{"link/a.go"},
			{"empty"},
			{"*"},
			{".gitignore"},
		} {
			t.Run(kind+"/"+strings.Join(paths, ","), func(t *testing.T) {
				got, ok, err := Paths(t.Context(), tree, paths, Limits{})
				if err != nil || !ok {
					t.Fatalf("%v, %v", ok, err)
				}
				if diff := cmp.Diff(at(all, paths), at(got, nil), cmpopts.EquateEmpty()); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

// at is the part of a listing that is at or below paths; all for no paths.
func at(l Listing, paths []string) []string {
	files, skipped := short(l)
	return slices.DeleteFunc(slices.Concat(files, skipped), func(line string) bool {
		file, _, _ := strings.Cut(line, ": ")
		return len(paths) > 0 &&
			!slices.ContainsFunc(paths, func(p string) bool { return file == p || strings.HasPrefix(file, p+"/") })
	})
}

func TestListPathsCannotTell(t *testing.T) {
	repotest.NeedGit(t)
	root := t.TempDir()
	repotest.Write(t, root, map[string]string{"a.go": "x", "nested/x.go": "x"})
	repotest.Run(t, root, "init", "-q")
	repotest.Run(t, root+"/nested", "init", "-q")
	tree := open(t, root)
	for _, p := range []string{"", "nested", "nested/x.go", "odd\n.go", "odd\xff.go"} {
		if _, ok, err := Paths(t.Context(), tree, []string{"a.go", p}, Limits{}); ok || err != nil {
			t.Errorf("%q: %v, %v", p, ok, err)
		}
	}
}

func TestScope(t *testing.T) {
	repotest.NeedGit(t)
	root := t.TempDir()
	repotest.Write(t, root, spread)
	repotest.Write(t, root, map[string]string{".hg/store/x": "x", "nested/x.go": "x"})
	repotest.Run(t, root, "init", "-q")
	repotest.Run(t, root, "add", "-f", "build/kept.go")
	repotest.Run(t, root+"/nested", "init", "-q")
	tree := open(t, root)
	scope, err := NewScope(t.Context(), tree, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"", "build", "dir", "dir/deep", "empty"},
		slices.Sorted(slices.Values(scope.Folders(t.Context(), "")))); diff != "" {
		t.Error(diff)
	}
	for p, want := range map[string]bool{
		"a.go": true, "new.go": true, "dir": true, "c.log": false, "dir/c.log": false, "dir/c.tmp": false, "build": true,
		"build/kept.go": true, "build/other.go": false, "build/out": false, ".hg": false, "gone/x.go": true,
		".gitignore": true,
	} {
		if got := scope.Matters(p); got != want {
			t.Errorf("%s matters: %v", p, got)
		}
	}
	if dir, info, err := GitFolders(t.Context(), tree); dir != tree.Root()+"/.git" || info != dir+"/info" || err != nil {
		t.Errorf("git's folders are %q and %q, error %v", dir, info, err)
	}
}
