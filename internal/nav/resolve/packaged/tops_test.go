package packaged_test

import (
	"fmt"
	"testing"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/nav/resolve/packaged"
)

// A counted world tells how often it was asked what files declare.
type counted struct {
	*resolve.Memory
	asked int
}

func (w *counted) Declared(id resolve.FileID) *facts.File {
	w.asked++
	return w.Memory.Declared(id)
}

// Names that many packages declare are not gone through once for each package of which a file
// imports all.
func TestStarImportsOfCommonNames(t *testing.T) {
	const packages, stars = 300, 150
	class := []facts.Symbol{{Name: "Item", Qualified: "Item", Kind: "class", Parent: -1, Line: 1, EndLine: 1}}
	user := facts.File{Path: "user.kt", Language: "Kotlin", Package: "user"}
	var files []facts.File
	for n := range packages {
		pkg := fmt.Sprintf("p%03d", n)
		files = append(files, facts.File{Path: pkg + ".kt", Language: "Kotlin", Package: pkg, Symbols: class})
		switch {
		case n < stars: // of packages without it
			user.Imports = append(user.Imports, facts.Import{Path: "empty." + pkg, Name: "*", Line: 1})
		case n == packages-1:
			user.Imports = append(user.Imports, facts.Import{Path: pkg, Name: "*", Line: 1})
		}
	}
	for range 20 {
		user.Refs = append(user.Refs, facts.Ref{Name: "Item", Kind: facts.Type, Bare: true, In: -1, Line: 2})
	}
	w := &counted{Memory: resolve.NewMemory(append(files, user))}
	r := resolve.New(w, map[string]resolve.Language{"Kotlin": packaged.Kotlin})
	at, _ := w.ByPath("user.kt")
	for i := range user.Refs {
		got := r.Ref(at, i)
		if len(got.Targets) != 1 || w.Memory.File(got.Targets[0].File).Path != "p299.kt" {
			t.Fatalf("reference %d: %+v, want the class of p299.kt", i, got)
		}
	}
	if most := 30 * packages; w.asked > most {
		t.Errorf("files were asked %d times what they declare, want %d at most", w.asked, most)
	}
}
