package resolve

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// TestTakes has calls that the languages accept, or refuse to compile.
func TestTakes(t *testing.T) {
	for _, c := range []struct {
		language, accepts string
		args              int
		given             string
		want              bool
	}{
		{"Java", "(int)", 1, "int", true},
		{"Java", "(int)", 1, "String", false},
		{"Java", "(String)", 1, "int", false},
		{"Java", "(String)", 1, "", true},
		{"Java", "(String)", 1, "null", true},
		{"Java", "(int)", 1, "null", false},
		{"Java", "(int)", 2, "", false},
		{"Java", "(int,int)", 1, "", false},
		{"Java", "()", 0, "", true},
		{"Java", "()", 1, "", false},
		{"Java", "(?)", 0, "", false},
		{"Java", "(?)", 1, "String", true},
		{"Java", "(long)", 1, "int", true},
		{"Java", "(int)", 1, "long", false},
		{"Java", "(byte)", 1, "int", false},
		{"Java", "(boolean)", 1, "int", false},
		{"Java", "(double)", 1, "char", true},
		{"Java", "(Integer)", 1, "int", true},
		{"Java", "(Long)", 1, "int", false},
		{"Java", "(Number)", 1, "int", true},
		{"Java", "(Number)", 1, "char", false},
		{"Java", "(Object)", 1, "int", true},
		{"Java", "(Item)", 1, "int", false},
		{"Java", "(int)", 1, "Integer", true},
		{"Java", "(int)", 1, "Item", false},
		{"Java", "(Base)", 1, "Item", true},
		{"Java", "(String)", 1, "Item", false},
		{"Java", "(CharSequence)", 1, "String", true},
		{"Java", "(Item)", 1, "String", false},
		{"Java", "(Runnable)", 1, "->", true},
		{"Java", "(String)", 1, "->", false},
		{"Java", "(char[])", 1, "char[]", true},
		{"Java", "(Item)", 1, "char[]", false},
		{"Java", "(String,...Object)", 1, "String", true},
		{"Java", "(String,...Object)", 4, "String,int,,null", true},
		{"Java", "(String,...Object)", 0, "", false},
		{"Java", "(...int)", 2, "int,String", false},
		{"Java", "(...int)", 1, "int[]", true},
		{"C++", "(int,=int)", 1, "", true},
		{"C++", "(int,=int)", 2, "", true},
		{"C++", "(int,=int)", 3, "", false},
		{"C++", "(int,=int)", 0, "", false},
		{"C++", "(char*,...?)", 5, "", true},
		{"C++", "(?,...?,?)", 4, "", true},
		{"C++", "(int)", 1, "char*", false},
		{"C++", "(bool)", 1, "char*", true},
		{"C++", "(std::string)", 1, "char*", true},
		{"C++", "(std::string)", 1, "int", false},
		{"C++", "(double)", 1, "int", true},
		{"Java", "", 7, "", true},
		{"Java", "(", 7, "", true},
	} {
		params, known := Parameters(&facts.Symbol{Signature: c.accepts})
		got := !known || takes(c.language, params, arguments(&facts.Ref{Args: c.args + 1, Arguments: c.given}))
		if got != c.want {
			t.Errorf("%s: %s takes %d arguments %q: got %v, want %v", c.language, c.accepts, c.args, c.given, got, c.want)
		}
	}
}

// TestPreferred chooses among overloads of one type.
func TestPreferred(t *testing.T) {
	for _, c := range []struct {
		language string
		accepts  []string
		args     int
		given    string
		want     []int32
	}{
		{"Java", []string{"(Object)", "(String)", "(CharSequence)"}, 1, "String", []int32{1}},
		{"Java", []string{"(float)", "(double)", "(long)", "(Number)"}, 1, "", []int32{0, 1, 2, 3}},
		{"Java", []string{"(int,Item)", "(long,Item)", "(Item,int)"}, 2, "int,Item", []int32{0}},
		{"Java", []string{"(Item)", "(Base)"}, 1, "Other", []int32{0, 1}},
		{"Java", []string{"(String)", "(boolean)"}, 1, "int", []int32{0, 1}}, // neither: what it means is not known
		{"C++", []string{"(=int)", "(int)", "(double)"}, 1, "int", []int32{0, 1}},
	} {
		f := facts.File{Path: "a", Language: c.language}
		for _, a := range c.accepts {
			f.Symbols = append(f.Symbols, facts.Symbol{Name: "f", Qualified: "f", Kind: "method", Parent: -1, Signature: a})
		}
		q := New(NewMemory([]facts.File{f}), nil).query()
		var list []SymbolID
		for i := range c.accepts {
			list = append(list, SymbolID{0, int32(i)}) //nolint:gosec // an index
		}
		var got []int32
		for _, id := range overloads(q, 0, &facts.Ref{Name: "f", Args: c.args + 1, Arguments: c.given}, list) {
			got = append(got, id.Index)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %v of %q (-want +got):\n%s", c.language, c.accepts, c.given, diff)
		}
	}
}
