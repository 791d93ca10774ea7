package fresh

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// A mark is a stat that is remembered.
type mark struct {
	stat
	racy bool // a change since then may look the same
}

// A dir is a folder of the layout: new files can appear in it.
type dir struct {
	path       string
	parent     int // of the root -1
	first, end int // its files, a range of state.files
	mark       mark
	rules      []rule // its ignore files
	outside    bool   // no part of the layout: it only holds files that are not listed now
}

// A rule is an ignore file in a folder of the layout.
type rule struct {
	name string
	mark mark
	sum  Hash // of its content
}

// A file is one that is or was listed, or is too large to be. What it is now is
// compared with base.
type file struct {
	name  string
	cname *byte // the same with a NUL at the end
	dir   int
	mark  mark // the last look

	base     Hash  // content in the manifest
	baseSize int64 // its size
	inBase   bool  // the manifest has the file
	same     bool  // the content at mark is that of base
	unsure   bool  // whether it is has to be seen by its content
	unlisted bool  // the rules leave it out now
	unread   bool  // in the manifest, and could not be read then
	recorded bool  // mark is of a record, which does not have all of a stat
}

// saw takes note of a look.
func (f *file) saw(s stat, now time.Time) {
	if f.adopt(s, now) {
		return
	}
	f.mark = mark{s, s.racy(now)}
	f.unsure = f.inBase && s.kind == regular && s.size == f.baseSize
	f.same = false
}

// listed reports whether List has the file, given the largest size.
func (f *file) listed(most int64) bool {
	return f.mark.kind == regular && f.mark.size <= most && !f.unlisted
}

// A state is all that a manifest knows, in the order of paths: a folder's files
// and then its folders, so that one walk over dirs opens each folder once.
type state struct {
	dirs  []dir
	files []file
	shape *shape
}

// A shape stands for the folders of a state: states of one shape have the same
// folders at the same places.
type shape struct{ _ byte }

// clone is a state to be changed; rules are cloned when they are.
func (s *state) clone() *state {
	return &state{slices.Clone(s.dirs), slices.Clone(s.files), s.shape}
}

func (s *state) path(f *file) string {
	if dir := s.dirs[f.dir].path; dir != "" {
		return dir + "/" + f.name
	}
	return f.name
}

// A listedFile is a file with its path, on its way into a state.
type listedFile struct {
	path string
	file
}

// newState puts folders and files together; folders above files that are not
// among the folders are added. Of several files of one path the first counts.
func newState(dirs map[string]dir, files []listedFile) *state {
	all := make(map[string]dir, len(dirs))
	all[""] = unseen
	for p, d := range dirs {
		all[p] = d
		addAbove(all, p)
	}
	for i := range files {
		addAbove(all, files[i].path)
	}
	s := &state{dirs: make([]dir, 0, len(all)), files: make([]file, 0, len(files)), shape: new(shape)}
	for p, d := range all {
		d.path = p
		s.dirs = append(s.dirs, d)
	}
	slices.SortFunc(s.dirs, func(a, b dir) int { return comparePaths(a.path, b.path) })
	at := make(map[string]int, len(s.dirs))
	for i := range s.dirs {
		at[s.dirs[i].path] = i
		s.dirs[i].parent = -1
		if i > 0 {
			s.dirs[i].parent = at[relpath.Parent(s.dirs[i].path)]
		}
	}
	s.fill(at, files)
	return s
}

// unseen is a folder that was never looked at, so that its times tell nothing.
var unseen = dir{mark: mark{racy: true}}

func addAbove(all map[string]dir, p string) {
	for p != "" {
		p = relpath.Parent(p)
		if _, ok := all[p]; ok {
			return
		}
		all[p] = unseen
	}
}

func (s *state) fill(at map[string]int, files []listedFile) {
	for i := range files {
		f := files[i].file
		f.dir, f.name = at[relpath.Parent(files[i].path)], path.Base(files[i].path)
		s.files = append(s.files, f)
	}
	order := func(a, b file) int { return cmp.Or(cmp.Compare(a.dir, b.dir), strings.Compare(a.name, b.name)) }
	if !slices.IsSortedFunc(s.files, order) {
		slices.SortStableFunc(s.files, order)
	}
	s.files = slices.CompactFunc(s.files, func(a, b file) bool { return order(a, b) == 0 })
	s.terminate()
	s.bound()
}

// find is the index of a file, or -1.
func (s *state) find(p string) int {
	d := s.findDir(relpath.Parent(p))
	if d < 0 {
		return -1
	}
	files := s.files[s.dirs[d].first:s.dirs[d].end]
	i, ok := slices.BinarySearchFunc(files, path.Base(p), compareName)
	if !ok {
		return -1
	}
	return s.dirs[d].first + i
}

func compareName(f file, name string) int { return strings.Compare(f.name, name) }

// findDir is the index of a folder, or -1.
func (s *state) findDir(p string) int {
	i, ok := slices.BinarySearchFunc(s.dirs, p, func(d dir, p string) int { return comparePaths(d.path, p) })
	if !ok {
		return -1
	}
	return i
}

// with is the state with more folders and files; those it has stay.
func (s *state) with(dirs map[string]dir, files []listedFile) *state {
	if len(dirs) == 0 {
		if found := s.insert(files); found != nil {
			return found
		}
	}
	for i := range s.dirs {
		if _, ok := dirs[s.dirs[i].path]; !ok {
			dirs[s.dirs[i].path] = s.dirs[i]
		}
	}
	all := make([]listedFile, 0, len(s.files)+len(files))
	for i := range s.files {
		all = append(all, listedFile{s.path(&s.files[i]), s.files[i]})
	}
	return newState(dirs, append(all, files...)).after(s)
}

// after is the state, which takes the place of another: it has that one's shape
// if it has its folders.
func (s *state) after(old *state) *state {
	if slices.EqualFunc(s.dirs, old.dirs, func(a, b dir) bool { return a.path == b.path }) {
		s.shape = old.shape
	}
	return s
}

// comparePaths puts a folder right before what is in it.
func comparePaths(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if x, y := a[i], b[i]; x != y {
			if x == '/' {
				return -1
			}
			if y == '/' {
				return 1
			}
			return cmp.Compare(x, y)
		}
	}
	return cmp.Compare(len(a), len(b))
}

// insert is the state with more files in folders that it has, nil if it has not
// all of them. New files mostly come so, and to put the whole state together
// again takes longer than anything else that a check does for them.
func (s *state) insert(added []listedFile) *state {
	more := make([]file, 0, len(added))
	for i := range added {
		f := added[i].file
		if f.dir = s.findDir(relpath.Parent(added[i].path)); f.dir < 0 {
			return nil
		}
		f.name = path.Base(added[i].path)
		f.cname = &append([]byte(f.name), 0)[0]
		more = append(more, f)
	}
	order := func(a, b file) int { return cmp.Or(cmp.Compare(a.dir, b.dir), strings.Compare(a.name, b.name)) }
	slices.SortStableFunc(more, order)
	more = slices.CompactFunc(more, func(a, b file) bool { return order(a, b) == 0 })

	next := &state{dirs: slices.Clone(s.dirs), files: make([]file, 0, len(s.files)+len(more)), shape: s.shape}
	from := 0 // of s.files, not copied yet
	for _, f := range more {
		d := s.dirs[f.dir]
		at, known := slices.BinarySearchFunc(s.files[d.first:d.end], f.name, compareName)
		if known {
			continue // the one that is there counts
		}
		next.files = append(next.files, s.files[from:d.first+at]...)
		next.files, from = append(next.files, f), d.first+at
	}
	next.files = append(next.files, s.files[from:]...)
	next.bound()
	return next
}

// bound gives each folder the range of its files.
func (s *state) bound() {
	next := 0
	for i := range s.dirs {
		s.dirs[i].first = next
		for next < len(s.files) && s.files[next].dir == i {
			next++
		}
		s.dirs[i].end = next
	}
}

// terminate gives each file its name as system calls want it, with a NUL at the
// end, so that looking at 50,000 files does not copy 50,000 names.
func (s *state) terminate() {
	size := 0
	for i := range s.files {
		size += len(s.files[i].name) + 1
	}
	all := make([]byte, 0, size)
	for i := range s.files {
		f := &s.files[i]
		start := len(all)
		all = append(append(all, f.name...), 0)
		f.cname = &all[start]
	}
}

// split cuts the folders into n ranges of about as many looks each.
func (s *state) split(n int) []int {
	bounds := make([]int, 1, n+1)
	total := len(s.files) + len(s.dirs)
	for i := range s.dirs {
		if done := s.dirs[i].end + i + 1; len(bounds) < n && done >= len(bounds)*total/n {
			bounds = append(bounds, i+1)
		}
	}
	if bounds[len(bounds)-1] < len(s.dirs) {
		bounds = append(bounds, len(s.dirs))
	}
	return bounds
}
