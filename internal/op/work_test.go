package op_test

import (
	"testing"

	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/outline"
)

// Lines of a file as it is ask nobody, those of a commit ask git, and where a
// symbol is and what a file holds is found by parsing.
func TestWork(t *testing.T) {
	for _, test := range []struct {
		name string
		row  op.Row
		req  any
		want op.Class
	}{
		{"lines", op.File, filefetch.Request{FilePath: "a.c", StartLine: new(1)}, op.ClassCheap},
		{"lines of a commit", op.File, filefetch.Request{FilePath: "a.c", Commit: "0123456"}, op.ClassLive},
		{"lines of a symbol", op.File, filefetch.Request{FilePath: "a.c", Symbol: "f"}, op.ClassParse},
		{"a symbol in a path", op.File, filefetch.Request{FilePath: "a.c#f"}, op.ClassParse},
		{"a document", op.File, filefetch.Request{DocumentID: "symbol:r:a.c:f"}, op.ClassParse},
		{"spans", op.File, filefetch.Request{Spans: []filefetch.Span{{FilePath: "a.c"}}}, op.ClassParse},
		{"an outline", op.Outline, outline.Request{FilePath: "a.c"}, op.ClassParse},
		{"an outline of a commit", op.Outline, outline.Request{FilePath: "a.c", Commit: "0123456"}, op.ClassLive},
	} {
		if got := test.row.Work(test.req); got != test.want {
			t.Errorf("%s: class %d, want %d", test.name, got, test.want)
		}
	}
}
