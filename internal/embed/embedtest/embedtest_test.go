package embedtest_test

import (
	"slices"
	"testing"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/embed/embedtest"
)

func TestLikensTextsThatShareWords(t *testing.T) {
	e := embedtest.New(64)
	got, err := e.Documents(t.Context(), []embed.Input{
		{Text: "open the file"}, {Text: "open the file"}, {Text: "open a file"}, {Text: "matrix multiplication"}, {},
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got[0], got[1]) {
		t.Error("equal texts have different vectors")
	}
	if near, far := dot(got[0], got[2]), dot(got[0], got[3]); near <= far {
		t.Errorf("similarity %v of texts that share words, %v of others", near, far)
	}
	if got[4] != nil {
		t.Errorf("vector of an empty text = %v, want nil", got[4])
	}
	if len(got[0]) != e.Manifest().Dims {
		t.Errorf("%d components, want %d", len(got[0]), e.Manifest().Dims)
	}
}

func dot(a, b []float32) (sum float32) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}
