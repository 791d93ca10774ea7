package embedded_test

import (
	"testing"

	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded"
	"github.com/ragnav/ragnav/internal/store/storetest"
)

const dims = 8

func open(t testing.TB, dir string) *embedded.Store {
	t.Helper()
	s, err := embedded.Open(t.Context(), dir, embedded.Options{Dims: dims})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// A store may be closed by its program, and once more by who opened it.
func TestCloseAgain(t *testing.T) {
	s := open(t, t.TempDir()) // which closes it, too
	for range 2 {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestContract(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store { return open(t, t.TempDir()) }, dims, storetest.Traits{})
}
