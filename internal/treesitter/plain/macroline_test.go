package plain

import "testing"

func TestFieldMacro(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"VersionSet* const versions_ GUARDED_BY(mutex_);", "GUARDED_BY(mutex_)"},
		{"int total PT_GUARDED_BY(mu) = 0;", "PT_GUARDED_BY(mu)"},
		{"std::map<int, Foo> all_ ABSL_GUARDED_BY(mu_){};", "ABSL_GUARDED_BY(mu_)"},
		{"mutable Stats *stats GUARDED_BY( mu ) ;", "GUARDED_BY( mu )"},
		{"static int GET_ALL(int);", ""},
		{"static Foo GET_ALL(int);", ""},
		{"const unsigned int GET_ALL(int);", ""},
		{"return x GET_ALL(y);", ""},
		{"GET_ALL(y);", ""},
		{"x = y GET_ALL(z);", ""},
		{"Foo* GET_ALL(z);", ""},
		{"int n GUARDED(mu);", ""},
		{"f(a) GET_ALL(z);", ""},
	} {
		from, to := fieldMacro(test.line)
		if got := test.line[from:to]; got != test.want {
			t.Errorf("%s: got %q, want %q", test.line, got, test.want)
		}
	}
}
