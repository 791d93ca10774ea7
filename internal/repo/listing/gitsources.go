package listing

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/git"
)

// GitSources are absolute paths of all that GitState is read from: settings, HEAD
// and what it leads to, and what makes the folder a git tree. Not all of them
// exist. While none of them changes, GitState says the same. There are none where
// that can't be known.
func GitSources(ctx context.Context, t *disk.Folder) ([]string, error) {
	if in, err := t.IsGit(ctx); err != nil || !in {
		return nil, err
	}
	var where, settings string
	group, ctx := parallel.NewGroup(ctx)
	group.Go(func() (err error) {
		where, err = git.Run(ctx, t.Root(), "rev-parse", "--show-toplevel", "--absolute-git-dir", "--git-common-dir")
		return err
	})
	group.Go(func() (err error) {
		settings, err = git.Run(ctx, t.Root(), "config", "-z", "--show-origin", "--includes", "--list")
		return err
	})
	if err := group.Wait(); err != nil {
		return nil, git.Fault(err)
	}
	lines := strings.Split(strings.TrimSuffix(where, "\n"), "\n")
	if len(lines) != 3 {
		return nil, nil
	}
	s := sources{home: variable("HOME")}
	top := filepath.FromSlash(lines[0])
	if !s.discovery(t.Root(), top) || !s.settings(top, settings) ||
		!s.head(from(t.Root(), lines[1]), from(t.Root(), lines[2])) {
		return nil, nil
	}
	return s.paths, nil
}

// sources are gathered by methods that are false where not all are known.
type sources struct {
	home  string
	paths []string
}

func (s *sources) add(dir string, names ...string) {
	for _, name := range names {
		s.paths = append(s.paths, filepath.Join(dir, filepath.FromSlash(name)))
	}
}

// discovery are what git looks for on its way up: a folder or file ".git", and
// what makes a folder a bare repository.
func (s *sources) discovery(root, top string) bool {
	for dir := root; dir != top; dir = filepath.Dir(dir) {
		if dir == filepath.Dir(dir) {
			return false // the top is not above: a setting says where it is
		}
		s.add(dir, ".git", "HEAD", "objects", "refs", "commondir")
	}
	s.add(top, ".git")
	_, err := os.Lstat(filepath.Join(top, ".git"))
	return err == nil
}

// settings are the files of settings: those that have some, those that they
// include, on conditions too, and those that git looks for.
func (s *sources) settings(top, listed string) bool {
	fields := strings.Split(strings.TrimSuffix(listed, "\x00"), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		kind, origin, _ := strings.Cut(fields[i], ":")
		if kind == "command line" {
			continue // ours
		}
		origin = from(top, origin)
		if _, err := os.Stat(origin); err != nil || kind != "file" {
			return false
		}
		s.paths = append(s.paths, origin)
		key, value, _ := strings.Cut(fields[i+1], "\n")
		if key == "include.path" || strings.HasPrefix(key, "includeif.") && strings.HasSuffix(key, ".path") {
			if !s.include(filepath.Dir(origin), value) {
				return false
			}
		}
	}
	own := variable("XDG_CONFIG_HOME")
	if own == "" {
		own = filepath.Join(s.home, ".config")
	}
	s.add(s.home, ".gitconfig")
	s.add(own, "git/config")
	s.add("/etc", "gitconfig")
	program, err := program()
	s.paths = append(s.paths, program)
	s.add(filepath.Dir(filepath.Dir(program)), "etc/gitconfig")
	return err == nil && s.home != ""
}

// program is the path of git itself.
func program() (string, error) {
	path, err := exec.LookPath("git")
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

// GitSurroundings are what GitSources depend on beside files: which program git is, and
// whose settings it reads. They are "" where that can't be told.
func GitSurroundings() string {
	path, err := program()
	if err != nil {
		return ""
	}
	return strings.Join([]string{path, variable("HOME"), variable("XDG_CONFIG_HOME")}, "\x00")
}

func (s *sources) include(dir, value string) bool {
	inHome, ok := strings.CutPrefix(value, "~/")
	switch {
	case ok:
		s.add(s.home, inHome)
	case value == "", strings.HasPrefix(value, "~"), strings.HasPrefix(value, "%"):
		return false
	default:
		s.paths = append(s.paths, from(dir, value))
	}
	return true
}

// head are what HEAD is read from: of git's folder and of the one that its work
// trees share.
func (s *sources) head(dir, common string) bool {
	for _, d := range []string{dir, common} {
		s.paths = append(s.paths, d)
		s.add(d, "HEAD", "commondir", "config", "config.worktree", "objects", "refs", "packed-refs", "reftable/tables.list")
	}
	content, err := os.ReadFile(filepath.Join(dir, "HEAD"))
	if err != nil {
		return false
	}
	ref, symbolic := bytes.CutPrefix(bytes.TrimRight(content, "\n"), []byte("ref: "))
	if !symbolic {
		return true
	}
	name := string(ref)
	if !strings.HasPrefix(name, "refs/") || !filepath.IsLocal(filepath.FromSlash(name)) {
		return false
	}
	for _, d := range []string{dir, common} {
		s.add(d, name)
		if further, err := os.ReadFile(filepath.Join(d, filepath.FromSlash(name))); err == nil &&
			bytes.HasPrefix(further, []byte("ref:")) {
			return false
		}
	}
	return true
}

// variable is one of the environment that git gets.
func variable(name string) string {
	found := ""
	for _, kv := range exec.Command("git").Environ() { //nolint:noctx // never run
		if key, value, _ := strings.Cut(kv, "="); key == name {
			found = value
		}
	}
	return found
}
