package history

import (
	"context"
	"io/fs"
	"iter"
	"path"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/git"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// A Tree is the files of a folder as a commit has them. Nothing outside of that
// folder can be read, whatever the symlinks in the commit say.
type Tree struct {
	Commit Revision

	folder *disk.Folder
	object string // git's name of the folder in the commit
}

var commitName = pattern.NewLazy(`^[0-9a-fA-F]{7,64}$`)

// OpenTree opens the files of a folder as a commit has them. The commit is named
// by its hexadecimal digits or the first of them; one that is not there is a
// fault.InvalidRequest, as is a folder without git.
func OpenTree(ctx context.Context, folder *disk.Folder, commit string) (*Tree, error) {
	if !commitName().MatchString(commit) {
		return nil, fault.New(fault.InvalidRequest,
			"commit %.100q is not the name of one; give at least seven of its hexadecimal digits", commit)
	}
	if in, err := folder.IsGit(ctx); err != nil {
		return nil, err
	} else if !in {
		return nil, fault.New(fault.InvalidRequest,
			"the repository is no git work tree, so it has no commits; leave commit out for the file as it is now")
	}
	commit = strings.ToLower(commit)
	asked := commit + "^{commit}\n" + commit + ":./\n"
	out, _, err := git.Read(ctx, git.Command{
		Dir: folder.Root(), Args: []string{"cat-file", "--batch-check"}, Stdin: asked,
	})
	if err != nil {
		return nil, git.Fault(err)
	}
	first, rest, _ := strings.Cut(out, "\n")
	second, _, _ := strings.Cut(rest, "\n")
	found, object := strings.Fields(first), strings.Fields(second)
	switch {
	case strings.HasSuffix(first, " ambiguous"):
		return nil, fault.New(fault.InvalidRequest, "several commits begin with %q; give more of its digits", commit)
	case len(found) != 3 || !strings.HasPrefix(found[0], commit):
		return nil, fault.New(fault.InvalidRequest,
			"no commit %q is in this clone; fetch it there, or leave commit out for the file as it is now", commit)
	case len(object) != 3 || object[1] != "tree":
		return nil, fault.New(fault.PathNotFound, "commit %.12s does not have the folder of this repository", found[0])
	}
	return &Tree{Commit: Revision(found[0]), folder: folder, object: object[0]}, nil
}

// Stat looks at a regular file. Errors are those of disk.Folder.
func (t *Tree) Stat(ctx context.Context, name string) (disk.Stat, error) {
	e, err := t.find(ctx, name)
	return disk.Stat{Path: e.path, Size: e.size}, err
}

// Read reads a regular file. Symlinks are followed inside the folder. Errors are
// those of disk.Folder, and fault.InvalidRequest of a file with more than limit bytes.
func (t *Tree) Read(ctx context.Context, name string, limit int64) ([]byte, disk.Stat, error) {
	e, err := t.find(ctx, name)
	if err != nil {
		return nil, disk.Stat{}, err
	}
	if e.size > limit {
		return nil, disk.Stat{}, fault.New(fault.InvalidRequest,
			"%q has more than %d MiB in commit %.12s, which is too large to read here", name, limit>>20, t.Commit)
	}
	text, err := t.blob(ctx, name, e)
	return []byte(text), disk.Stat{Path: e.path, Size: e.size}, err
}

// An entry is a file, a folder or a symlink of a commit.
type entry struct {
	mode, object, path string
	size               int64
}

// The modes that git gives entries.
const (
	modeFolder    = "040000"
	modeLink      = "120000"
	modeSubmodule = "160000"
)

// maxLinks bounds the symlinks that are followed, each by a git.
const maxLinks = 8

// find is the regular file that a path as clients give it leads to.
func (t *Tree) find(ctx context.Context, name string) (entry, error) {
	e, err := t.resolve(ctx, name)
	if err == nil && e.mode == modeFolder {
		err = disk.NotAFile(name, fs.ModeDir)
	}
	return e, err
}

// resolve is the file or folder that a path as clients give it leads to.
func (t *Tree) resolve(ctx context.Context, name string) (entry, error) {
	p, err := relpath.Clean(name)
	if err != nil {
		return entry{}, err
	}
	for range maxLinks {
		if p == "" {
			return entry{mode: modeFolder, object: t.object}, nil
		}
		e, err := t.first(ctx, name, p)
		switch {
		case err != nil:
			return entry{}, err
		case e.mode == modeSubmodule:
			return entry{}, fault.New(fault.InvalidPath, "%q is in a submodule, whose commits are its own", name)
		case e.mode != modeLink:
			return e, nil
		}
		if p, err = t.follow(ctx, name, e, strings.TrimPrefix(p, e.path)); err != nil {
			return entry{}, err
		}
	}
	return entry{}, disk.Fault(name, disk.ErrLoop)
}

// first is what stands at a clean path, or the symlink or submodule on the way
// there.
func (t *Tree) first(ctx context.Context, name, p string) (entry, error) {
	args := []string{"--literal-pathspecs", "ls-tree", "-z", "--long", "--full-tree", t.object, "--"}
	for i, c := range p {
		if c == '/' {
			args = append(args, p[:i])
		}
	}
	out, err := git.Run(ctx, t.folder.Root(), append(args, p)...)
	if err != nil {
		return entry{}, git.Fault(err)
	}
	for e := range entries(out) {
		onTheWay := (e.mode == modeLink || e.mode == modeSubmodule) && strings.HasPrefix(p, e.path+"/")
		if e.path == p || onTheWay {
			return e, nil
		}
	}
	return entry{}, fault.New(fault.PathNotFound, "there is no %q in commit %.12s", name, t.Commit)
}

// entries are those that ls-tree -z --long writes.
func entries(out string) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		for line := range strings.SplitSeq(out, "\x00") {
			head, file, _ := strings.Cut(line, "\t")
			words := strings.Fields(head)
			if len(words) != 4 {
				continue
			}
			e := entry{mode: words[0], object: words[2], path: file}
			e.size, _ = strconv.ParseInt(words[3], 10, 64) // "-" of what is no file
			if !yield(e) {
				return
			}
		}
	}
}

// follow is the clean path that a symlink leads to, with what came behind it.
func (t *Tree) follow(ctx context.Context, name string, link entry, behind string) (string, error) {
	target, err := t.blob(ctx, name, link)
	if err != nil {
		return "", err
	}
	if strings.HasPrefix(target, "/") {
		return "", disk.Fault(name, disk.ErrLeaves)
	}
	up := strings.TrimRight(target, "/")
	for strings.HasPrefix(up, "../") || strings.HasPrefix(up, "./") {
		_, up, _ = strings.Cut(up, "/")
	}
	if strings.Contains(up, "../") || strings.HasSuffix(up, "/..") {
		return "", fault.New(fault.InvalidPath, "the path %q goes back up in a symlink, which is not followed in a commit",
			name)
	}
	p := path.Join(path.Dir(link.path), target, behind)
	if p == ".." || strings.HasPrefix(p, "../") {
		return "", disk.Fault(name, disk.ErrLeaves)
	}
	return relpath.Clean(p)
}

// blob is the content of a file, or where a symlink leads.
func (t *Tree) blob(ctx context.Context, name string, e entry) (string, error) {
	out, _, err := git.Read(ctx, git.Command{
		Dir: t.folder.Root(), Args: []string{"cat-file", "--batch"}, Stdin: e.object + "\n",
	})
	if err != nil {
		return "", git.Fault(err)
	}
	blob, _, ok := cutBlob(out)
	if !ok {
		return "", fault.New(fault.PathNotFound,
			"this clone does not have the content of %q in commit %.12s; fetch it there", name, t.Commit)
	}
	return blob, nil
}
