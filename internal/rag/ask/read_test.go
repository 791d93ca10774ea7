package ask_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A failing is a corpus whose first files the system can't read.
type failing struct {
	corpus
	left *int
	err  error
}

func (f failing) Lines(ctx context.Context, id models.RepoID, path string, start, end int) (string, []models.Warning,
	error,
) {
	if *f.left > 0 {
		*f.left--
		return "", nil, f.err
	}
	return f.corpus.Lines(ctx, id, path, start, end)
}

func TestAskWithoutFiles(t *testing.T) {
	a, b := "func Retry() {\n\tretry()\n}", "func retry() {\n\tsleep()\n}"
	c := corpus{
		docs: []models.Document{
			doc(models.TypeSymbol, "a.go", "Retry", a, 1), doc(models.TypeSymbol, "b.go", "retry", b, 1),
		},
		files: map[string]string{"a.go": a, "b.go": b},
	}
	open := &os.PathError{Op: "open", Path: "/r/a.go", Err: syscall.EMFILE}
	for _, tt := range []struct {
		name   string
		failed int
		err    error
		code   fault.Code // of the reply; OK when empty
		cited  int
		warned bool
	}{
		{"all can be read", 0, open, "", 2, false},
		{"one can't", 1, open, "", 1, true},
		{"the system reads none", 2, open, fault.Overloaded, 0, false},
		{"they are gone", 2, fault.New(fault.PathNotFound, "no file"), "", 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := failing{c, &tt.failed, tt.err}
			resp, err := ask.New(c, c, f).Ask(t.Context(), ask.Request{Query: "retry"})
			switch {
			case tt.code != "" && (err == nil || fault.CodeOf(err) != tt.code):
				t.Errorf("error %v; want %s", err, tt.code)
			case tt.code == "" && err != nil:
				t.Error(err)
			case tt.code == "" && len(resp.Items[0].Citations) != tt.cited:
				t.Errorf("citations %v; want %d", resp.Items[0].Citations, tt.cited)
			case tt.code == "" && slices.ContainsFunc(resp.Meta.Warnings, func(w models.Warning) bool {
				return w.Code == "PARTIAL_RESULTS" && strings.Contains(w.Message, "too many files are open")
			}) != tt.warned:
				t.Errorf("warnings %v; want some: %t", resp.Meta.Warnings, tt.warned)
			}
		})
	}
}
