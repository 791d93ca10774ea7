package mapped_test

import (
	"testing"

	"github.com/ragnav/ragnav/internal/vector/mapped"
)

// Whatever the size and the place, memory is what it was.
func TestLarge(t *testing.T) {
	for _, size := range []int{0, 1, 2<<20 - 1, 5 << 20} {
		all := make([]byte, size+3)
		for i := range all {
			all[i] = byte(i)
		}
		mapped.Large(all[3:])
		for i := range all {
			if all[i] != byte(i) {
				t.Fatalf("%d bytes: byte %d is %d", size, i, all[i])
			}
		}
	}
}
