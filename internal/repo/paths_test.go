package repo

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var spread = map[string]string{
	"a.go": "x", "dir/a.go": "x", "dir/deep/b.go": "x", "dir/id_rsa": "x", ".gitignore": "*.log\nbuild/\n", ".ragnavignore": "*.tmp\n",
	"c.log": "x", "dir/c.tmp": "x", "build/out/o.go": "x", "build/kept.go": "x", "[odd].go": "x", "o.go": "x", "empty/": "",
}

// ListPaths finds what List finds at and below each path, and nothing else.
func TestListPathsIsList(t *testing.T) {
	needGit(t)
	for kind, prepare := range map[string]func(root string){
		"folder": func(string) {},
		"git": func(root string) {
			run(t, root, "init", "-q")
			run(t, root, "add", "a.go", "dir")
			run(t, root, "add", "-f", "build/kept.go")
		},
	} {
		root := t.TempDir()
		write(t, root, spread)
		prepare(root)
		symlink(t, "dir", root, "link")
		tree := open(t, root)
		all, err := tree.List(t.Context(), Limits{})
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
				got, ok, err := tree.ListPaths(t.Context(), paths, Limits{})
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
		return len(paths) > 0 && !slices.ContainsFunc(paths, func(p string) bool { return file == p || strings.HasPrefix(file, p+"/") })
	})
}

func TestListPathsCannotTell(t *testing.T) {
	needGit(t)
	root := t.TempDir()
	write(t, root, map[string]string{"a.go": "x", "nested/x.go": "x"})
	run(t, root, "init", "-q")
	run(t, root+"/nested", "init", "-q")
	tree := open(t, root)
	for _, p := range []string{"", "nested", "nested/x.go", "odd\n.go", "odd\xff.go"} {
		if _, ok, err := tree.ListPaths(t.Context(), []string{"a.go", p}, Limits{}); ok || err != nil {
			t.Errorf("%q: %v, %v", p, ok, err)
		}
	}
}

func TestScope(t *testing.T) {
	needGit(t)
	root := t.TempDir()
	write(t, root, spread)
	write(t, root, map[string]string{".hg/store/x": "x", "nested/x.go": "x"})
	run(t, root, "init", "-q")
	run(t, root, "add", "-f", "build/kept.go")
	run(t, root+"/nested", "init", "-q")
	tree := open(t, root)
	scope, err := tree.Scope(t.Context(), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"", "build", "dir", "dir/deep", "empty"}, slices.Sorted(slices.Values(scope.Folders(t.Context(), "")))); diff != "" {
		t.Error(diff)
	}
	for p, want := range map[string]bool{
		"a.go": true, "new.go": true, "dir": true, "c.log": false, "dir/c.log": false, "dir/c.tmp": false, "build": true,
		"build/kept.go": true, "build/other.go": false, "build/out": false, ".hg": false, "gone/x.go": true, ".gitignore": true,
	} {
		if got := scope.Matters(p); got != want {
			t.Errorf("%s matters: %v", p, got)
		}
	}
	if dir, info, err := tree.GitFolders(t.Context()); dir != tree.Root()+"/.git" || info != dir+"/info" || err != nil {
		t.Errorf("git's folders are %q and %q, error %v", dir, info, err)
	}
}
