package modelserver_test

import (
	"testing"

	"github.com/ragnav/ragnav/internal/modelserver"
)

// A memory forgets what was not used for longest, and keeps the first answer.
func TestMemory(t *testing.T) {
	m := modelserver.NewMemory[int](2)
	m.Put("a", 1)
	m.Put("b", 2)
	m.Put("a", 3)
	m.Get("a")
	m.Put("c", 4)
	for asked, want := range map[string]int{"a": 1, "c": 4} {
		if got, ok := m.Get(asked); !ok || got != want {
			t.Errorf("%s is %d, %v; want %d", asked, got, ok, want)
		}
	}
	if got, ok := m.Get("b"); ok {
		t.Errorf("b is still there: %d", got)
	}
}
