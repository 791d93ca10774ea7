package navigation

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Where a place does not fit behind what it is the place of, it stands below.
func TestImpactFits(t *testing.T) {
	var out strings.Builder
	viewImpact(&term.Screen{Out: &out, Terminal: true, Width: 40}, nav.ImpactResponse{
		Result: models.OKResult([]models.ImpactItem{{
			Change: "body", Symbol: "Server", Kind: "struct", FilePath: "modules/server.go", Line: 47, Total: 2,
			Affected: []models.Affected{
				{Symbol: "App", Edge: "uses_type", FilePath: "modules/app.go", Line: 7, Depth: 1},
				{Symbol: "serverNameFromContext", Edge: "calls", FilePath: "modules/metrics.go", Line: 290, Depth: 2},
			},
		}}),
	})
	want := "body Server  struct modules/server.go:47\n  App  uses_type  modules/app.go:7\n" +
		"    serverNameFromContext\n        calls  modules/metrics.go:290\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
