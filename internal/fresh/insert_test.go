package fresh

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestInsert compares with a state that is put together again.
func TestInsert(t *testing.T) {
	names := func(s *state) (all []string) {
		for i := range s.dirs {
			d := &s.dirs[i]
			all = append(all, fmt.Sprint(d.path, "/ ", d.parent, d.first, d.end))
			for n := d.first; n < d.end; n++ {
				f := &s.files[n]
				all = append(all, fmt.Sprint(s.path(f), f.dir, f.mark.size, f.inBase))
			}
		}
		return all
	}
	r := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // to be repeated
	some := func(n int, old bool) (files []listedFile) {
		for range n {
			p := []string{"", "a/", "a/b/", "a.b/", "c/"}[r.IntN(5)] + fmt.Sprint("f", r.IntN(12))
			files = append(files, listedFile{p, file{inBase: old, mark: mark{stat: stat{size: r.Int64N(9)}}}})
		}
		return files
	}
	dirs := func() map[string]dir { return map[string]dir{"a/b": {}, "a.b": {}, "c": {}} }
	for range 200 {
		s, added := newState(dirs(), some(r.IntN(30), true)), some(r.IntN(8), false)
		got := s.insert(added)
		if diff := cmp.Diff(names(s.with(dirs(), added)), names(got)); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		if got.shape != s.shape {
			t.Error("another shape")
		}
	}
	if s := newState(dirs(), nil); s.insert([]listedFile{{path: "new/f"}}) != nil {
		t.Error("a file in a folder that is not there")
	}
}
