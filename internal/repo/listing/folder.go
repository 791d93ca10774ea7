package listing

import (
	"os"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// secondRules are the ignore files that candidates have not been held against.
func secondRules(t *disk.Folder) []string {
	if t.Git() {
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
	stateDeep                // below too many others, see maxDepth
	stateGone
)

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
	tree    *disk.Folder
	kinds   []string // names of ignore files
	exclude []string // relative paths
	known   map[string]*folder
}

func newFolders(t *disk.Folder, limits Limits, kinds []string) *folders {
	fs := &folders{tree: t, kinds: kinds, known: map[string]*folder{}}
	for _, dir := range limits.Exclude {
		if rel := below(t, dir); rel != "" {
			fs.exclude = append(fs.exclude, rel)
		}
	}
	return fs
}

// maxDepth is how many folders deep files are listed: to open a file costs a step
// for each folder above it, and a tree of n folders in each other n² of them.
const maxDepth = 128

// cutDepth is a folder, or the one above it that is the first to be too deep.
func cutDepth(dir string) string {
	depth := 0
	for i := range dir {
		if dir[i] != '/' {
			continue
		}
		if depth++; depth > maxDepth {
			return dir[:i]
		}
	}
	return dir
}

func (fs *folders) at(dir string) *folder {
	dir = cutDepth(dir)
	if f, ok := fs.known[dir]; ok {
		return f
	}
	f := &folder{path: dir}
	if dir != "" {
		f.parent = fs.at(relpath.Parent(dir))
		f.state, f.by = fs.stateOf(f)
	}
	if f.state == listed && len(fs.kinds) > 0 {
		f.rules = make([][]rule, len(fs.kinds))
		for i, kind := range fs.kinds {
			file := path.Join(dir, kind)
			f.rules[i] = parseRules(file, readIgnoreFile(fs.tree, file))
		}
	}
	fs.known[dir] = f
	return f
}

func (fs *folders) stateOf(f *folder) (folderState, *rule) {
	if f.parent.state != listed {
		return f.parent.state, f.parent.by
	}
	if relpath.Hidden(relpath.Base(f.path)) || slices.Contains(fs.exclude, f.path) {
		return stateHidden, nil
	}
	if strings.Count(f.path, "/") >= maxDepth {
		return stateDeep, nil
	}
	info, err := fs.tree.Lstat(f.path)
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
