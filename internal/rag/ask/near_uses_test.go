package ask

import (
	"slices"
	"testing"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// What holds a symbol is not told among what that uses.
func TestUsesWithoutWhatHoldsIt(t *testing.T) {
	var n Near
	for _, name := range []string{"Cache", "Cache.get", "Cac", "a"} {
		n.Used = append(n.Used, models.Definition{Qualified: name})
	}
	var left []string
	for _, d := range n.without("Cache.get").Used {
		left = append(left, d.Qualified)
	}
	if want := []string{"Cache.get", "Cac", "a"}; !slices.Equal(left, want) {
		t.Errorf("left are %v, want %v", left, want)
	}
}
