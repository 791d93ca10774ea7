package inotify

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestShared: each reader is told what happens in its folders, once it asks, whoever
// asked before; a watch ends with the last reader who has it.
func TestShared(t *testing.T) {
	both, one := t.TempDir(), t.TempDir()
	var s Shared
	first, second := reader(t, &s, both, one), reader(t, &s, both)
	touch := func(dir, name string) { must(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600)) }
	touch(both, "a")
	touch(one, "b")
	for range 2 {
		if got := names(t, second); !slices.Equal(got, []string{"a"}) {
			t.Errorf("the second reader is told of %v", got)
		}
		if got := names(t, first); !slices.Equal(got, []string{"a", "b"}) {
			t.Errorf("the first reader is told of %v", got)
		}
		touch(both, "a")
		touch(one, "b")
	}
	must(t, first.Close())
	touch(both, "c")
	touch(one, "d")
	if got := names(t, second); !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("when the first is closed the second is told of %v", got)
	}
	if err := first.Drain(func(Event) {}); !errors.Is(err, os.ErrClosed) {
		t.Errorf("drained after it was closed: %v", err)
	}
	must(t, second.Close())
	if s.queue != nil {
		t.Error("the queue stays open without readers")
	}
	third := reader(t, &s, one)
	touch(one, "e")
	if got := names(t, third); !slices.Equal(got, []string{"e"}) {
		t.Errorf("when it is opened again it tells of %v", got)
	}
}

// TestSharedLoses: a reader that asks too seldom loses events, alone.
func TestSharedLoses(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	var s Shared
	slow, quick := reader(t, &s, dir), reader(t, &s, other)
	for i := range maxWaiting + 1 {
		must(t, os.WriteFile(filepath.Join(dir, fmt.Sprint(i%2)), nil, 0o600))
		if i%100 == 0 {
			must(t, quick.Drain(func(Event) {}))
		}
	}
	must(t, quick.Drain(func(Event) {}))
	if err := slow.Drain(func(Event) {}); !errors.Is(err, ErrLost) {
		t.Errorf("%v, want that events were lost", err)
	}
	must(t, quick.Drain(func(Event) {}))
}

func reader(t *testing.T, s *Shared, folders ...string) *Reader {
	t.Helper()
	r, err := s.Open()
	must(t, err)
	t.Cleanup(func() { must(t, r.Close()) })
	for _, folder := range folders {
		f, err := os.Open(folder)
		must(t, err)
		_, err = r.Watch(int(f.Fd()))
		must(t, errors.Join(err, f.Close()))
	}
	return r
}

// names are the entries that a reader is told of, in order, each once.
func names(t *testing.T, r *Reader) (all []string) {
	t.Helper()
	must(t, r.Drain(func(e Event) {
		if e.Name != "" {
			all = append(all, e.Name)
		}
	}))
	slices.Sort(all)
	return slices.Compact(all)
}
