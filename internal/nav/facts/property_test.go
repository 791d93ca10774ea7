package facts_test

import (
	"slices"
	"testing"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

func TestPropertiesOf(t *testing.T) {
	for method, want := range map[string][]string{
		"getPrice": {"price"}, "setPrice": {"price", "isPrice"}, "isActive": {"active", "isActive"},
		"withÄnderung": {"änderung"},
		"getter":       nil, "get": nil, "isolate": nil, "price": nil,
	} {
		got := facts.PropertiesOf(method)
		if !slices.Equal(got, want) {
			t.Errorf("PropertiesOf(%q) = %q, want %q", method, got, want)
		}
		for _, field := range got {
			if !slices.Contains(facts.AccessorsOf(field), method) {
				t.Errorf("AccessorsOf(%q) = %q, without %q", field, facts.AccessorsOf(field), method)
			}
		}
	}
}
