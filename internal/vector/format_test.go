package vector

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The offsets are part of the format: without its checksums, a file whose
// sections lay elsewhere would read as other vectors.
func TestLayout(t *testing.T) {
	want := layout{
		rows: 3, live: 2, vectors: 2, ids: 7, metas: 9, values: 5,
		idsAt: 88, metasAt: 95, indexEnd: 104, codings: 128, codes: 192, valuesAt: 320, end: 384,
	}
	got := layout{rows: 3, live: 2, vectors: 2, ids: 7, metas: 9, values: 5}.place(40)
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(layout{})); diff != "" {
		t.Errorf("block of two vectors of 40 (-want +got):\n%s", diff)
	}
}
