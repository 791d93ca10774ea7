package repo

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/parallel"
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

// settings that can change a listing.
const settings = `^(core|extensions|index|feature)\.`

// GitState asks git. It is zero for a tree without git.
func (t *Tree) GitState(ctx context.Context) (GitState, error) {
	if in, err := t.IsGit(ctx); err != nil || !in {
		return GitState{}, err
	}
	var where, settings string
	group, ctx := parallel.NewGroup(ctx)
	group.Go(func() (err error) {
		where, err = git(ctx, t.root, "rev-parse", "--show-toplevel", "--absolute-git-dir",
			"--git-path", "index", "--git-path", "info/exclude", "--revs-only", "HEAD")
		return err
	})
	group.Go(func() (err error) {
		settings, err = t.settings(ctx)
		return err
	})
	if err := group.Wait(); err != nil {
		return GitState{}, gitFault(err)
	}
	return t.gitState(where, settings)
}

func (t *Tree) settings(ctx context.Context) (string, error) {
	out, err := git(ctx, t.root, "config", "-z", "--type=path", "--get-regexp", settings)
	if saidNo(err) {
		return "", nil // there are none
	}
	return out, err
}

func (t *Tree) gitState(where, settings string) (GitState, error) {
	lines := strings.Split(strings.TrimSuffix(where, "\n"), "\n")
	if len(lines) < 4 {
		return GitState{}, fault.New(fault.RAGUnavailable, "git does not tell where it keeps the files of %s; see whether \"git status\" does its work there", t.root)
	}
	top := filepath.FromSlash(lines[0])
	s := GitState{Settings: lines[1] + "\x00" + settings, Deciders: []string{from(t.root, lines[2]), from(t.root, lines[3])}}
	if len(lines) > 4 {
		s.Head = lines[4]
	}
	if excludes := excludesFile(top, settings); excludes != "" {
		s.Deciders = append(s.Deciders, excludes)
	}
	for dir := t.root; dir != top && len(dir) > len(top); {
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
