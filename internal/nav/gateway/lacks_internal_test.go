package gateway

import (
	"errors"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// Which of the files that can't be read is named does not depend on the order in which they are asked for.
func TestFirstOfWhatLacksFacts(t *testing.T) {
	var g Gateway
	g.Lacks("b.kt", errors.New("b is broken"))
	g.Lacks("a.kt", errors.New("a is broken"))
	g.Lacks("c.kt", errors.New("c is broken"))
	var meta models.Meta
	g.Verdict.Graph = true
	g.Head(&meta)
	want := "3 files could not be read, the first one a.kt (a is broken)"
	if len(meta.Warnings) != 1 || !strings.HasPrefix(meta.Warnings[0].Message, want) {
		t.Errorf("got %+v, want %q", meta.Warnings, want)
	}
}
