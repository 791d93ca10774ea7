package repo

import (
	"io"
	"os"
	"path"
	"slices"
	"strings"
)

// The names of ignore files. Each kind of rules decides on its own: one that
// excludes is enough.
const (
	gitRules    = ".gitignore"
	ragnavRules = ".ragnavignore"
)

var bothRules = []string{gitRules, ragnavRules}

// secondRules are the ignore files that candidates have not been held against.
func (t *Tree) secondRules() []string {
	if t.git {
		return []string{ragnavRules}
	}
	return nil
}

// A folderState says whether the files of a folder are listed.
type folderState int

const (
	listed       folderState = iota
	stateHidden              // the folder of a version control system or of ragnav
	stateIgnored             // by a rule
	stateLink                // reached through a symlink
	stateGone
)

// ownFolder is where ragnav keeps the graph of a repository.
const ownFolder = ".llmc"

// hidden reports whether files and folders of that name are never listed.
func hidden(name string) bool {
	return isGitFolder(name) || name == ".hg" || name == ".svn" || name == ownFolder
}

// A folder knows the rules for what it holds.
type folder struct {
	path   string
	parent *folder
	state  folderState
	by     *rule    // that ignores it, or a folder above it
	rules  [][]rule // one list for each kind of ignore file
}

// folders finds out about folders once each. It is not safe for concurrent use.
type folders struct {
	tree    *Tree
	kinds   []string // names of ignore files
	exclude []string // relative paths
	known   map[string]*folder
}

func (t *Tree) newFolders(limits Limits, kinds []string) *folders {
	fs := &folders{tree: t, kinds: kinds, known: map[string]*folder{}}
	for _, dir := range limits.Exclude {
		if rel := t.below(dir); rel != "" {
			fs.exclude = append(fs.exclude, rel)
		}
	}
	return fs
}

func (fs *folders) at(dir string) *folder {
	if f, ok := fs.known[dir]; ok {
		return f
	}
	f := &folder{path: dir}
	if dir != "" {
		f.parent = fs.at(parentOf(dir))
		f.state, f.by = fs.stateOf(f)
	}
	if f.state == listed && len(fs.kinds) > 0 {
		f.rules = make([][]rule, len(fs.kinds))
		for i, kind := range fs.kinds {
			file := path.Join(dir, kind)
			f.rules[i] = parseRules(file, fs.tree.readIgnoreFile(file))
		}
	}
	fs.known[dir] = f
	return f
}

func (fs *folders) stateOf(f *folder) (folderState, *rule) {
	if f.parent.state != listed {
		return f.parent.state, f.parent.by
	}
	if hidden(baseOf(f.path)) || slices.Contains(fs.exclude, f.path) {
		return stateHidden, nil
	}
	info, err := fs.tree.dir.Lstat(f.path)
	switch {
	case err != nil:
		return stateGone, nil
	case info.Mode()&os.ModeSymlink != 0:
		return stateLink, nil
	case !info.IsDir():
		return stateGone, nil
	}
	if by := f.parent.excludes(f.path, true); by != nil {
		return stateIgnored, by
	}
	return listed, nil
}

// excludes returns the rule that excludes a file or folder in f, or nil. Of
// each kind the innermost file with a matching rule decides, and in it the
// last such rule.
func (f *folder) excludes(p string, isDir bool) *rule {
	for kind := range f.rules {
		if r := f.decides(kind, p, isDir); r != nil && !r.negated {
			return r
		}
	}
	return nil
}

func (f *folder) decides(kind int, p string, isDir bool) *rule {
	for dir := f; dir != nil; dir = dir.parent {
		rel := strings.TrimPrefix(p[len(dir.path):], "/")
		for i := range slices.Backward(dir.rules[kind]) {
			if r := &dir.rules[kind][i]; r.matches(rel, isDir) {
				return r
			}
		}
	}
	return nil
}

const maxIgnoreFile = 1 << 20

// readIgnoreFile is the content of an ignore file, "" when it is missing or
// can't be read. Like git it does not follow symlinks.
func (t *Tree) readIgnoreFile(p string) string {
	info, err := t.dir.Lstat(p)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := t.dir.OpenFile(p, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, maxIgnoreFile))
	if err != nil {
		return ""
	}
	return string(data)
}
