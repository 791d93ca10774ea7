package app

import (
	"testing"

	"github.com/ragnav/ragnav/internal/op"
)

// Every operation is bound, and each row's name and route are its own.
func TestEveryOperationIsBound(t *testing.T) {
	a := &App{}
	a.bind()
	seen := map[string]bool{}
	for _, row := range op.All() {
		about := row.About()
		if !a.Has(row) {
			t.Errorf("%s does nothing", about.Name)
		}
		names := []string{about.Name}
		if about.Variant == "" {
			names = append(names, about.Method+" "+about.Path)
		}
		for _, name := range names {
			if seen[name] {
				t.Errorf("%s is there twice", name)
			}
			seen[name] = true
		}
	}
}
