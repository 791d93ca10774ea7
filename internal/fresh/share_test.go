package fresh

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// TestSharedChecksSeeWhatCameBefore: whoever changes a file and then asks, sees
// that change, whoever else asks at the same time.
func TestSharedChecksSeeWhatCameBefore(t *testing.T) {
	dir := repotest.Dir(t)
	repotest.Write(t, dir, map[string]string{"a/a": "1"})
	tree := open(t, dir)
	m := take(t, tree)
	var group sync.WaitGroup
	for w := range 4 {
		group.Go(func() {
			for i := range 20 {
				name := fmt.Sprintf("a/f%d-%d", w, i)
				repotest.Write(t, dir, map[string]string{name: "x"})
				d, err := m.Check(t.Context(), tree, Options{})
				if err != nil || !slices.Contains(d.Added, name) {
					t.Errorf("%s is not among %v, %v", name, d.Added, err)
				}
			}
		})
	}
	group.Wait()
}

// TestSharedCheckOutlivesItsLeader: those who wait go on when the one who would
// have checked for all goes away.
func TestSharedCheckOutlivesItsLeader(t *testing.T) {
	dir := repotest.Dir(t)
	repotest.Write(t, dir, map[string]string{"a": "1"})
	tree := open(t, dir)
	m := take(t, tree)
	m.checking.Lock() // a check runs
	ctx, leave := context.WithCancel(t.Context())
	r, lead := m.join(tree, Options{})
	if !lead {
		t.Fatal("there is a round before the first")
	}
	if _, lead := m.join(tree, Options{}); lead {
		t.Fatal("the round is not shared")
	}
	if _, lead := m.join(tree, Options{MaxChanged: 7}); !lead {
		t.Fatal("another question shares the round")
	}
	var group sync.WaitGroup
	group.Go(func() { m.lead(ctx, r) })
	for range 3 {
		group.Go(func() {
			if d, err := m.Check(t.Context(), tree, Options{}); err != nil || !d.Clean() {
				t.Errorf("%+v, %v", d, err)
			}
		})
	}
	leave()
	m.checking.Unlock()
	group.Wait()
	if r.err == nil {
		t.Error("the leader left, and its check did not")
	}
	if m.next != nil {
		t.Error("a round is left over")
	}
}
