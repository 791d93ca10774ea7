package fresh

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// insert is the state with more files in folders that it has, nil if it has not
// all of them. New files mostly come so, and to put the whole state together
// again takes longer than anything else that a check does for them.
func (s *state) insert(added []listedFile) *state {
	more := make([]file, 0, len(added))
	for i := range added {
		f := added[i].file
		if f.dir = s.findDir(above(added[i].path)); f.dir < 0 {
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
