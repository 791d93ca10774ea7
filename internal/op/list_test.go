package op_test

import (
	"os"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/op"
)

// A row that is not among All has no route, and nobody would tell.
func TestAllIsComplete(t *testing.T) {
	source, err := os.ReadFile("list.go")
	if err != nil {
		t.Fatal(err)
	}
	if defined := strings.Count(string(source), "= define["); defined != len(op.All()) {
		t.Errorf("%d rows are defined, %d are in All", defined, len(op.All()))
	}
}
