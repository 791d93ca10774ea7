package compose

import (
	"cmp"
	"maps"
	"path"
	"slices"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// RootDir is the folder of the repository itself.
const RootDir = "."

// A folder is a directory with indexed files at any depth.
type folder struct {
	dir   string // rootDir is the root
	files []*models.FileRecord
	subs  []*folder
	Below totals
}

// totals sums up all files below a folder.
type totals struct {
	files, test, generated, vendored int
	bytes                            map[string]int64 // by language
}

// A Tree is the folders of a repository by path.
type Tree map[string]*folder

// NewTree arranges the indexed files of a repository. Files and sub-folders of
// a folder are in order of their paths.
func NewTree(records map[string]*models.FileRecord) Tree {
	t := Tree{}
	for _, file := range slices.Sorted(maps.Keys(records)) {
		r := records[file]
		if len(r.Documents) == 0 {
			continue
		}
		f := t.at(path.Dir(file))
		f.files = append(f.files, r)
		f.Below.add(r)
		for f.dir != RootDir {
			f = t.at(path.Dir(f.dir))
			f.Below.add(r)
		}
	}
	for _, f := range t {
		slices.SortFunc(f.subs, func(a, b *folder) int { return cmp.Compare(a.dir, b.dir) })
	}
	return t
}

// at is the folder of that path, made with all above it when it is new.
func (t Tree) at(dir string) *folder {
	if f, ok := t[dir]; ok {
		return f
	}
	f := &folder{dir: dir, Below: totals{bytes: map[string]int64{}}}
	t[dir] = f
	if dir != RootDir {
		parent := t.at(path.Dir(dir))
		parent.subs = append(parent.subs, f)
	}
	return f
}

func (s *totals) add(r *models.FileRecord) {
	s.files++
	s.test += Count(r.Test)
	s.generated += Count(r.Generated)
	s.vendored += Count(r.Vendored)
	if !r.Vendored && !r.Generated {
		s.bytes[r.Language] += r.Size
	}
}

// Count is 1 for true, to be summed up.
func Count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// language is the one with most bytes; ties go to the first by name.
func (s totals) language() string {
	best := ""
	for _, l := range slices.Sorted(maps.Keys(s.bytes)) {
		if best == "" || s.bytes[l] > s.bytes[best] {
			best = l
		}
	}
	return best
}

// WithParents is the set of folders that hold the files, with all above them.
func WithParents(files []string) map[string]bool {
	dirs := map[string]bool{}
	for _, file := range files {
		for dir := path.Dir(file); !dirs[dir]; dir = path.Dir(dir) {
			dirs[dir] = true
		}
	}
	return dirs
}
