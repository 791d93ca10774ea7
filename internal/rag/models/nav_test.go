package models_test

import (
	"testing"

	"github.com/ragnav/ragnav/internal/rag/models"
)

func TestOfOverloads(t *testing.T) {
	for _, test := range []struct {
		definition string
		candidates []string
		want       bool
	}{
		{"ref.ts:ref", []string{"ref.ts:ref", "ref.ts:ref~3"}, true},
		{"ref.ts:ref~2", []string{"ref.ts:ref", "ref.ts:ref~2"}, true},
		{"ref.ts:ref", []string{"ref.ts:ref", "vnode.ts:ref"}, false},
		{"a.cc:A.~A", []string{"a.cc:A.~A", "a.cc:A"}, false},
		{"ref.ts:ref", nil, false},
	} {
		item := models.NavItem{Definition: test.definition, Candidates: test.candidates}
		if got := item.OfOverloads(); got != test.want {
			t.Errorf("%s of %q: %v, want %v", test.definition, test.candidates, got, test.want)
		}
	}
}
