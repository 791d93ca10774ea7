package repo

import (
	"context"
	"errors"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// candidates are the paths below dir that git or the walk finds, in any order,
// and the folders that could not be read.
func (t *Tree) candidates(ctx context.Context, dir string, limits Limits) ([]string, []finding, error) {
	if _, err := os.Stat(t.root); err != nil {
		return nil, nil, fault.Wrap(fault.PathNotFound, err,
			"the folder %s is gone; remove the repository, or index it from where it is now", t.root)
	}
	if t.git {
		var only []string
		if dir != "" {
			only = []string{dir}
		}
		return t.gitFound(ctx, limits, only...)
	}
	w := walker{tree: t, dirs: t.newFolders(limits, bothRules)}
	err := w.walk(ctx, dir)
	return w.paths, w.unreadable, err
}

// gitFiles lists the given files, and what is below the given folders; all
// when there are none.
func (t *Tree) gitFiles(ctx context.Context, only ...string) ([]string, error) {
	paths, _, err := t.gitFound(ctx, Limits{}, only...)
	return paths, err
}

// gitFound is gitFiles with the folders that git could not read, without those
// that our own rules leave out.
func (t *Tree) gitFound(ctx context.Context, limits Limits, only ...string) ([]string, []finding, error) {
	out, messages, err := t.lsFiles(ctx, only...)
	if err != nil {
		return nil, nil, err
	}
	var unreadable []finding
	dirs := t.newFolders(limits, t.secondRules())
	for line := range strings.Lines(messages) {
		if dir, ok := closedFolder(line); ok && dirs.at(dir).state == listed {
			unreadable = append(unreadable, unreadableFinding(dir))
		}
	}
	if out == "" {
		return nil, unreadable, nil
	}
	return strings.Split(strings.TrimSuffix(out, "\x00"), "\x00"), unreadable, nil
}

// closedFolder is the folder of git's warning that it can't be read.
func closedFolder(warning string) (string, bool) {
	rest, ok := strings.CutPrefix(warning, "warning: could not open directory '")
	dir, _, found := strings.Cut(rest, "/': ")
	return dir, ok && found && dir != ""
}

func unreadableFinding(dir string) finding {
	return finding{Entry: Entry{Path: printable(dir)}, skip: models.SkipUnreadable, detail: unreadableFolder}
}

func (t *Tree) lsFiles(ctx context.Context, only ...string) (out, messages string, err error) {
	args := []string{"--literal-pathspecs", "ls-files", "-z", "-c", "-o", "--exclude-standard"}
	if len(only) > 0 {
		args = append(append(args, "--"), only...)
	}
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	out, messages, err = gitCommand{dir: t.root, env: readOnlyEnv, args: slices.Concat(readOnly, args)}.output(ctx)
	if failed, ok := errors.AsType[*gitError](err); ok {
		return "", "", fault.Wrap(fault.InvalidRequest, err,
			"git can't list %s (%s); repair the work tree, \"git status\" tells more", t.root, reason(failed.stderr))
	}
	return out, messages, err
}

// A walker lists a folder that git does not know.
type walker struct {
	tree       *Tree
	dirs       *folders
	paths      []string
	unreadable []finding
	excluded   func(path string, by *rule) // told of what rules exclude, folders with a "/" at the end; may be nil
}

func (w *walker) walk(ctx context.Context, dir string) error {
	todo := []string{dir}
	for len(todo) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		dir, todo = todo[len(todo)-1], todo[:len(todo)-1]
		if f := w.dirs.at(dir); f.state != listed {
			if f.state == stateIgnored && w.excluded != nil {
				w.excluded(dir+"/", f.by)
			}
			continue
		}
		todo = w.read(dir, todo)
	}
	return nil
}

// read adds what is in dir to the paths, and its folders to todo.
func (w *walker) read(dir string, todo []string) []string {
	entries, err := w.tree.readFolder(dir)
	if err != nil {
		w.unreadable = append(w.unreadable, unreadableFinding(dir))
		return todo
	}
	here := w.dirs.at(dir)
	for _, e := range entries {
		p := path.Join(dir, e.Name())
		switch {
		case e.IsDir() && oddName(e.Name()) == "":
			todo = append(todo, p)
		default:
			if by := here.excludes(p, false); by == nil {
				w.paths = append(w.paths, p)
			} else if w.excluded != nil {
				w.excluded(p, by)
			}
		}
	}
	return todo
}
