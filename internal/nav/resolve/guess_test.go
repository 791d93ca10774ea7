package resolve_test

import (
	"testing"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/nav/resolve/byname"
)

// A language that counts how often it is asked what an import makes known: the first file.
type importing struct {
	byname.Language
	asked *int
}

func (l importing) Import(*resolve.Query, resolve.FileID, int) []resolve.FileID {
	*l.asked++
	return []resolve.FileID{0}
}

// What a file imports is found out once for all references that are guessed in it.
func TestGuessesAskForImportsOnce(t *testing.T) {
	const imports, calls = 40, 50
	class := []facts.Symbol{
		{Name: "A", Qualified: "A", Kind: "class", Parent: -1, Line: 1, EndLine: 3},
		{Name: "carryOut", Qualified: "A.carryOut", Kind: "method", Parent: 0, Line: 2, EndLine: 2},
	}
	user := facts.File{Path: "user/user.x", Language: "X", Imports: make([]facts.Import, imports)}
	for range calls {
		user.Refs = append(user.Refs, facts.Ref{Name: "carryOut", Kind: facts.Call, In: -1, Line: 1})
	}
	w := resolve.NewMemory([]facts.File{
		{Path: "a/a.x", Language: "X", Symbols: class}, {Path: "b/b.x", Language: "X", Symbols: class}, user,
	})
	asked := 0
	r := resolve.New(w, map[string]resolve.Language{"X": importing{byname.Of("X"), &asked}})
	for i := range user.Refs {
		if got := r.Ref(2, i); len(got.Targets) != 1 || got.Targets[0].File != 0 {
			t.Fatalf("call %d: %+v, want the method of a folder that is imported", i, got)
		}
	}
	if asked != imports {
		t.Errorf("imports were asked for %d times, want %d", asked, imports)
	}
}
