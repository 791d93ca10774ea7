package listing

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

func TestWalk(t *testing.T) {
	repotest.NeedGit(t)
	dir := t.TempDir()
	repotest.Run(t, dir, "init", "-q")
	repotest.Write(t, dir, map[string]string{
		".gitignore": "out/\n", "out/x": "", "src/a.go": "", "src/b/c.go": "", "src/.env": "", "srcs": "", "top": "",
	})
	repotest.Symlink(t, "src", dir, "link")
	tree := open(t, dir)
	walk := func(dir string) (paths []string, err error) {
		err = Walk(t.Context(), tree, dir, func(e disk.Entry) error {
			paths = append(paths, e.Path)
			return nil
		})
		return paths, err
	}
	for d, want := range map[string][]string{
		"":     {".gitignore", "src/.env", "src/a.go", "src/b/c.go", "srcs", "top"},
		"src":  {"src/.env", "src/a.go", "src/b/c.go"},
		"link": {"src/.env", "src/a.go", "src/b/c.go"},
		"out":  nil,
	} {
		got, err := walk(d)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("Walk(%q), error %v (-want +got):\n%s", d, err, diff)
		}
	}
	for d, want := range map[string]fault.Code{
		"none": fault.PathNotFound, "top": fault.InvalidPath,
		"..": fault.InvalidPath,
	} {
		if _, err := walk(d); fault.CodeOf(err) != want {
			t.Errorf("Walk(%q) = %v; want %s", d, err, want)
		}
	}
	stop := errors.New("stop")
	if err := Walk(t.Context(), tree, "", func(disk.Entry) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("error %v, want that of yield", err)
	}
}
