package repo

import (
	"context"
	"os"
	"path"
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
	in, err := t.IsGit(ctx)
	if err != nil {
		return nil, nil, err
	}
	if in {
		var only []string
		if dir != "" {
			only = []string{dir}
		}
		return t.gitFound(ctx, limits, only...)
	}
	w := walker{tree: t, dirs: t.newFolders(limits, bothRules)}
	err = w.walk(ctx, dir)
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
	found, messages, err := t.lsFiles(ctx, append([]string{"-c", "-o", "--exclude-standard"}, behind(only)...)...)
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
	return found, unreadable, nil
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

// behind are paths as arguments that can't be taken for options.
func behind(paths []string) []string {
	if len(paths) == 0 {
		return nil
	}
	return append([]string{"--"}, paths...)
}

// lsFiles are the paths that "git ls-files" finds with some options, and what it
// says beside.
func (t *Tree) lsFiles(ctx context.Context, more ...string) (found []string, messages string, err error) {
	out, messages, err := readGit(ctx, gitCommand{dir: t.root, args: append([]string{"--literal-pathspecs", "ls-files", "-z"}, more...)})
	if err != nil {
		return nil, "", gitFault(err)
	}
	found, err = t.fields(out)
	return found, messages, err
}

// fields are the parts of a reply of git, each of which ends with a NUL.
func (t *Tree) fields(out string) ([]string, error) {
	if out == "" {
		return nil, nil
	}
	whole, ok := strings.CutSuffix(out, "\x00")
	if !ok {
		return nil, fault.New(fault.RAGUnavailable, "git's reply about %s ends in the middle; see whether \"git ls-files\" does too", t.root)
	}
	return strings.Split(whole, "\x00"), nil
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
