package embedded_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Expressions whose automata are huge: that of the first has thousands of states
// of thousands of steps each, that of the second 2^20.
func TestRegexpCostsWhatItsTextDoes(t *testing.T) {
	s := open(t, t.TempDir())
	const files = 500
	var b models.Batch
	for i := range files {
		d := numbered(i, i, 0)
		d.FilePath = fmt.Sprintf("src/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa%d/server.go", i)
		b.Put = append(b.Put, d)
	}
	if err := s.Apply(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		expr string
		want int
	}{
		"many stars":      {strings.Repeat("[^/]*a", 499), 0},
		"a star and dots": {"src/[^/]*a" + strings.Repeat("[^/]", 20) + "/server[.]go", files},
		"a prefix":        {"src/a*7/.*", 1},
		"everything":      {"(?:[^/]+/)*[^/]*", files},
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			req := fts.Request{Query: fts.Regexp{Field: fts.FieldPath, Regexp: tc.expr}, Size: 1}
			res, err := s.Search(t.Context(), req)
			if err != nil || res.Total != tc.want {
				t.Errorf("%d documents, error %v; want %d", res.Total, err, tc.want)
			}
			if took := time.Since(began); took > time.Minute { // linear takes milliseconds
				t.Errorf("took %v", took)
			}
		})
	}
	t.Run("the context ends", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		req := fts.Request{Query: fts.Regexp{Field: fts.FieldPath, Regexp: ".*z"}, Size: 1}
		if res, err := s.Search(ctx, req); !errors.Is(err, context.Canceled) {
			t.Errorf("%d documents, error %v", res.Total, err)
		}
	})
}
