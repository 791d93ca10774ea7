package clike

import "testing"

// TestBeats has pairs of functions of which C++ calls the first for some arguments, or of
// which too little is known to tell.
func TestBeats(t *testing.T) {
	for _, c := range []struct {
		given         []string
		first, second []string
		want          bool
	}{
		{[]string{"char*"}, []string{"char*"}, []string{"std::string"}, true},
		{[]string{"char*"}, []string{"std::string"}, []string{"bool"}, false},
		{[]string{"char*"}, []string{"string_view"}, []string{"wstring_view"}, true},
		{[]string{"wchar_t*"}, []string{"wstring_view"}, []string{"string_view"}, true},
		{[]string{"std::string"}, []string{"std::string"}, []string{"std::string_view"}, true},
		{[]string{"std::stringstream"}, []string{"std::istream&"}, []string{"std::string"}, true},
		{[]string{"int"}, []string{"int"}, []string{"long"}, true},
		{[]string{"short"}, []string{"int"}, []string{"long"}, true},
		{[]string{"unsigned"}, []string{"int"}, []string{"long"}, false},
		{[]string{"int"}, []string{"_"}, []string{"long"}, true},
		{[]string{"int"}, []string{"int"}, []string{"_"}, true},
		{[]string{"int"}, []string{"int"}, []string{"..."}, true},
		{[]string{"int"}, []string{"_"}, []string{"..."}, true},
		{[]string{"int", "int"}, []string{"int", "long"}, []string{"long", "int"}, false},
		{[]string{""}, []string{"std::string"}, []string{"int"}, false},
		{[]string{"char*"}, []string{"std::string"}, []string{"_?"}, true},
		{[]string{"null"}, []string{"char*"}, []string{"int"}, true},
		{[]string{"Item"}, []string{"Item"}, []string{"Other"}, true},
		{[]string{"Item"}, []string{"Base"}, []string{"Other"}, false},
	} {
		first, second := candidate{params: c.first}, candidate{params: c.second}
		for i, g := range c.given {
			first.fits = append(first.fits, fitOf(g, c.first[i]))
			second.fits = append(second.fits, fitOf(g, c.second[i]))
		}
		if got := beats(first, second); got != c.want {
			t.Errorf("%q: %q before %q: got %v, want %v", c.given, c.first, c.second, got, c.want)
		}
	}
}

func fitOf(given, param string) fit {
	if param == "..." {
		return matches
	}
	return fitting(nil, named(given), named(param))
}
