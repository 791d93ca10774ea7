package view_test

import (
	"context"
	"testing"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/view"
)

// A short text of an edit asks for as many tests as it has room for, as the lines that run them
// are not cut.
func TestImpactWithinTokens(t *testing.T) {
	for _, c := range []struct{ tokens, given, want int }{{8000, 0, 50}, {900, 0, 10}, {200, 0, 2}, {200, 30, 30}} {
		asked := 0
		ops := &op.Table{}
		op.Bind(ops, op.Impact, func(_ context.Context, req nav.ImpactRequest) (nav.ImpactResponse, error) {
			asked = *req.MaxTests
			return nav.ImpactResponse{}, nil
		})
		req := &nav.ImpactRequest{RepoID: "o/r"}
		if c.given > 0 {
			req.MaxTests = &c.given
		}
		if _, _, err := view.Do(t.Context(), ops, op.Impact, req, c.tokens); err != nil || asked != c.want {
			t.Errorf("within %d tokens: %d tests are asked for, want %d; %v", c.tokens, asked, c.want, err)
		}
	}
}
