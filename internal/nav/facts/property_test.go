package facts_test

import (
	"slices"
	"strings"
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

func TestObjCNames(t *testing.T) {
	for _, test := range []struct {
		symbol facts.Symbol
		want   string
	}{
		{facts.Symbol{Name: "url", Kind: "property"}, "_url setUrl:"},
		{facts.Symbol{Name: "setUrl:", Kind: "method"}, "Url url"},
		{facts.Symbol{Name: "setA:b:", Kind: "method"}, ""},
		{facts.Symbol{Name: "url", Kind: "method"}, ""},
	} {
		if got := strings.Join(facts.ObjCNames(&test.symbol), " "); got != test.want {
			t.Errorf("%s %s: %q, want %q", test.symbol.Kind, test.symbol.Name, got, test.want)
		}
	}
}

func TestNamesOfSelectors(t *testing.T) {
	var got []string
	of := facts.Name("A").Value().Member("b:c:").Call(0).Member("d").Member("e:")
	of.Names(func(name string) { got = append(got, name) }, func(int) {})
	if want := "A b:c: d e:"; strings.Join(got, " ") != want {
		t.Errorf("%s mentions %q, want %q", of, got, want)
	}
}
