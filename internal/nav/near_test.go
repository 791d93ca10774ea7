package nav_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/rag/models"
)

const nearArchive = `
-- go.mod --
module example.com/near
-- a.go --
package near

// Middle is used and uses.
func Middle() { low(); low() }

func low() {}
-- b.go --
package near

func High() { Middle(); Middle() }

func Higher() { Middle() }
-- a_test.go --
package near

func TestMiddle() { Middle() }
`

func TestNear(t *testing.T) {
	svc := serviceOf(t, nearArchive)
	middle := models.Header{RepoID: "o/a", FilePath: "a.go", SymbolName: "Middle", StartLine: 3, EndLine: 4}
	if _, ok, err := svc.Near(t.Context(), middle, 5); ok || err != nil {
		t.Fatalf("without a graph: %v, %v", ok, err)
	}
	if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
		t.Fatal(err)
	}
	elsewhere, other := middle, middle
	elsewhere.StartLine, elsewhere.EndLine = 6, 6
	other.FilePath = "b.go"
	for _, test := range []struct {
		name        string
		symbol      models.Header
		limit       int
		users, used []string
		total       int
		ok          bool
	}{
		{"each once, tests last", middle, 5, []string{"High", "Higher", "TestMiddle"}, []string{"low"}, 3, true},
		{"limited", middle, 1, []string{"High"}, []string{"low"}, 3, true},
		{"not at these lines", elsewhere, 5, nil, nil, 0, false},
		{"not in that file", other, 5, nil, nil, 0, false},
	} {
		n, ok, err := svc.Near(t.Context(), test.symbol, test.limit)
		if err != nil || ok != test.ok || n.Total != test.total {
			t.Errorf("%s: %d users, %v, %v", test.name, n.Total, ok, err)
		}
		if diff := cmp.Diff([][]string{test.users, test.used}, [][]string{qualified(n.Users), qualified(n.Used)}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func qualified(defs []models.Definition) (names []string) {
	for _, d := range defs {
		names = append(names, d.Qualified)
	}
	return names
}
