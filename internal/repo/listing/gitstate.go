package listing

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/git"
)

// A GitState is what git says of a tree in two short questions: the commit that
// is checked out, and which settings and files outside the tree's own decide
// what List finds.
type GitState struct {
	Head     string // "" without a commit, or where HEAD does not lead to one
	Settings string // those that can change a listing, as git prints them
	// Deciders are absolute paths of files whose change can change a listing:
	// git's index first, its files of more rules, the .gitignore files above a
	// tree that is not the top of its work tree. Not all of them need exist.
	Deciders []string
}

// gitName is what a folder of git is called, or a file that names it.
const gitName = ".git"

// settings that can change a listing.
const settings = `^(core|extensions|index|feature)\.`

// StateOf asks git. It is zero for a tree without git.
func StateOf(ctx context.Context, t *disk.Folder) (GitState, error) {
	if in, err := t.IsGit(ctx); err != nil || !in {
		return GitState{}, err
	}
	var where, settings string
	group, ctx := parallel.NewGroup(ctx)
	group.Go(func() (err error) {
		where, err = git.Run(ctx, t.Root(), "rev-parse", "--show-toplevel", "--absolute-git-dir",
			"--git-path", "index", "--git-path", "info/exclude", "--revs-only", "HEAD")
		return err
	})
	group.Go(func() (err error) {
		settings, err = readSettings(ctx, t)
		return err
	})
	if err := group.Wait(); err != nil {
		return GitState{}, git.Fault(err)
	}
	return parseState(t, where, settings)
}

func readSettings(ctx context.Context, t *disk.Folder) (string, error) {
	out, err := git.Run(ctx, t.Root(), "config", "-z", "--type=path", "--get-regexp", settings)
	if git.SaidNo(err) {
		return "", nil // there are none
	}
	return out, err
}

func parseState(t *disk.Folder, where, settings string) (GitState, error) {
	lines := strings.Split(strings.TrimSuffix(where, "\n"), "\n")
	if len(lines) < 4 {
		return GitState{}, fault.New(fault.RAGUnavailable,
			"git does not tell where it keeps the files of %s; see whether \"git status\" does its work there", t.Root())
	}
	top := filepath.FromSlash(lines[0])
	s := GitState{
		Settings: lines[1] + "\x00" + settings,
		Deciders: []string{from(t.Root(), lines[2]), from(t.Root(), lines[3])},
	}
	if len(lines) > 4 {
		s.Head = lines[4]
	}
	if excludes := excludesFile(top, settings); excludes != "" {
		s.Deciders = append(s.Deciders, excludes)
	}
	for dir := t.Root(); dir != top && len(dir) > len(top); {
		dir = filepath.Dir(dir)
		s.Deciders = append(s.Deciders, filepath.Join(dir, gitRules))
	}
	return s, nil
}

// excludesFile is the user's own file of rules: what core.excludesFile names,
// else git's default place for it, "" where there is no home.
func excludesFile(top, settings string) string {
	found := ""
	for entry := range strings.SplitSeq(settings, "\x00") {
		if key, value, ok := strings.Cut(entry, "\n"); ok && key == "core.excludesfile" {
			found = value // the last one counts
		}
	}
	if found != "" {
		return from(top, found)
	}
	home := ""
	for _, kv := range exec.Command("git").Environ() { //nolint:noctx // never run: the environment that git gets
		switch key, value, _ := strings.Cut(kv, "="); {
		case key == "XDG_CONFIG_HOME" && value != "":
			return filepath.Join(value, "git", "ignore")
		case key == "HOME" && value != "":
			home = filepath.Join(value, ".config", "git", "ignore")
		}
	}
	return home
}

// from is a path that git printed in dir.
func from(dir, p string) string {
	p = filepath.FromSlash(p)
	if filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(dir, p)
}

// GitFolders are the absolute paths of the folder that holds HEAD and the index
// of a git tree, and of the one that holds its file of more rules, "exclude".
// Both are "" without git.
func GitFolders(ctx context.Context, t *disk.Folder) (dir, info string, err error) {
	if in, err := t.IsGit(ctx); err != nil || !in {
		return "", "", err
	}
	out, err := git.Run(ctx, t.Root(), "rev-parse", "--absolute-git-dir", "--git-path", "info/exclude")
	if err != nil {
		return "", "", git.Fault(err)
	}
	dir, exclude, _ := strings.Cut(strings.TrimSuffix(out, "\n"), "\n")
	exclude = filepath.FromSlash(exclude)
	if !filepath.IsAbs(exclude) {
		exclude = filepath.Join(t.Root(), exclude)
	}
	return filepath.FromSlash(dir), filepath.Dir(exclude), nil
}

// Sparse reports whether git keeps tracked files out of the folder. Few
// repositories have the file that says which, and only there git is asked.
func Sparse(ctx context.Context, t *disk.Folder) (bool, error) {
	if !MaySparse(t) {
		return false, nil
	}
	out, err := git.Run(ctx, t.Root(), "config", "--type=bool", "--get", "core.sparseCheckout")
	if git.SaidNo(err) {
		return false, nil
	}
	return strings.TrimSpace(out) == "true", git.Fault(err)
}

// SparseFile says what git keeps in a work tree, relative to its top.
const SparseFile = gitName + "/info/sparse-checkout"

// MaySparse is Sparse without asking git: where it is false, Sparse is as well.
func MaySparse(t *disk.Folder) bool {
	info, err := t.Lstat(gitName)
	switch {
	case err == nil && info.IsDir():
		_, err = t.Lstat(SparseFile)
	case err == nil && info.Mode().IsRegular():
		dir, known := linkedGit(t)
		if !known {
			return true
		}
		_, err = os.Lstat(filepath.Join(dir, "info", "sparse-checkout"))
	case t.Git():
		return true // .git is in a folder above
	}
	return !errors.Is(err, fs.ErrNotExist)
}

// linkedGit is git's folder of a work tree or submodule, which a file ".git" names.
func linkedGit(t *disk.Folder) (dir string, known bool) {
	content, err := os.ReadFile(filepath.Join(t.Root(), gitName))
	if err != nil {
		return "", false
	}
	name, ok := strings.CutPrefix(strings.TrimRight(string(content), "\r\n"), "gitdir: ")
	return from(t.Root(), name), ok && name != ""
}
