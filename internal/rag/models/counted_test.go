package models_test

import (
	"testing"

	"github.com/ragnav/ragnav/internal/rag/models"
)

func TestTheNearest(t *testing.T) {
	for n, want := range map[int]string{1: "the nearest is", 2: "the nearest are"} {
		if got := models.TheNearest(n); got != want {
			t.Errorf("TheNearest(%d) is %q, want %q", n, got, want)
		}
	}
}

func TestCounted(t *testing.T) {
	for n, want := range map[int]string{0: "0 files", 1: "1 file", 2: "2 files", 1204: "1204 files"} {
		if got := models.Counted(n, "file"); got != want {
			t.Errorf("Counted(%d) is %q, want %q", n, got, want)
		}
	}
}
