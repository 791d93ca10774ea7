package listing

import (
	"context"
	"os"
	"path"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/git"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// candidates are the paths below dir that git or the walk finds, in any order,
// and the folders that could not be read.
func candidates(ctx context.Context, t *disk.Folder, dir string, limits Limits) ([]string, []finding, error) {
	if _, err := os.Stat(t.Root()); err != nil {
		return nil, nil, fault.Wrap(fault.PathNotFound, err,
			"the folder %s is gone; remove the repository, or index it from where it is now", t.Root())
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
		return gitFound(ctx, t, limits, only...)
	}
	w := walker{tree: t, dirs: newFolders(t, limits, bothRules)}
	err = w.walk(ctx, dir)
	return w.paths, w.unreadable, err
}

// gitFiles lists the given files, and what is below the given folders; all
// when there are none.
func gitFiles(ctx context.Context, t *disk.Folder, only ...string) ([]string, error) {
	paths, _, err := gitFound(ctx, t, Limits{}, only...)
	return paths, err
}

// gitFound is gitFiles with the folders that git could not read, without those
// that our own rules leave out.
func gitFound(ctx context.Context, t *disk.Folder, limits Limits, only ...string) ([]string, []finding, error) {
	found, messages, err := lsFiles(ctx, t, append([]string{"-c", "-o", "--exclude-standard"}, behind(only)...)...)
	if err != nil {
		return nil, nil, err
	}
	var unreadable []finding
	dirs := newFolders(t, limits, secondRules(t))
	for line := range strings.Lines(messages) {
		if dir, ok := closedFolder(line); ok && dirs.at(dir).state == listed {
			unreadable = append(unreadable, folderFinding(dir, UnreadableFolder))
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

// folderFinding is a folder whose files are left out.
func folderFinding(dir, why string) finding {
	return finding{Entry: disk.Entry{Path: relpath.Printable(dir)}, skip: models.SkipUnreadable, detail: why}
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
func lsFiles(ctx context.Context, t *disk.Folder, more ...string) (found []string, messages string, err error) {
	out, messages, err := git.Read(ctx,
		git.Command{Dir: t.Root(), Args: append([]string{"--literal-pathspecs", "ls-files", "-z"}, more...)})
	if err != nil {
		return nil, "", git.Fault(err)
	}
	found, err = nulFields(t, out)
	return found, messages, err
}

// nulFields are the parts of a reply of git, each of which ends with a NUL.
func nulFields(t *disk.Folder, out string) ([]string, error) {
	if out == "" {
		return nil, nil
	}
	whole, ok := strings.CutSuffix(out, "\x00")
	if !ok {
		return nil, fault.New(fault.RAGUnavailable,
			"git's reply about %s ends in the middle; see whether \"git ls-files\" does too", t.Root())
	}
	return strings.Split(whole, "\x00"), nil
}

// A walker lists a folder that git does not know.
type walker struct {
	tree       *disk.Folder
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
			switch {
			case f.state == stateIgnored && w.excluded != nil:
				w.excluded(dir+"/", f.by)
			case f.state == stateDeep:
				w.unreadable = append(w.unreadable, folderFinding(f.path, DeepFolder))
			}
			continue
		}
		todo = w.read(dir, todo)
	}
	return nil
}

// read adds what is in dir to the paths, and its folders to todo.
func (w *walker) read(dir string, todo []string) []string {
	entries, err := w.tree.ReadFolder(dir)
	if err != nil {
		w.unreadable = append(w.unreadable, folderFinding(dir, UnreadableFolder))
		return todo
	}
	here := w.dirs.at(dir)
	for _, e := range entries {
		p := path.Join(dir, e.Name())
		switch {
		case e.IsDir() && relpath.Odd(e.Name()) == "":
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
