package models_test

import (
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/cputime"
	"github.com/ragnav/ragnav/internal/rag/models"
)

func TestPlainName(t *testing.T) {
	for name, want := range map[string]string{
		"A::B#c":                    "A.B.c",
		"::A::B.c?":                 "A.B.c?",
		"A::B#<=>":                  "A.B.<=>",
		"A#<<":                      "A.<<",
		"A#[]=":                     "A.[]=",
		`\App\Models\User::find()`:  "App.Models.User.find",
		"User::$age":                "User.age",
		"User->name":                "User.name",
		"crate::a::b::run":          "a.b.run",
		"self::run":                 "run",
		"a::Thing::<T>::go":         "a.Thing.go",
		"Thing<'a, Vec<T>>::go":     "Thing.go",
		"ns::A<T>::b(int, char)":    "ns.A.b",
		"ns::A::operator<":          "ns.A.operator<",
		"ns::A::operator<<":         "ns.A.operator<<",
		"ns::A::operator->":         "ns.A.operator->",
		"ns::A::operator()(int)":    "ns.A.operator()",
		"A<T>::operator[](int)":     "A.operator[]",
		"operator::get":             "operator.get",
		"a\xff<":                    "a\xff<",
		"com.x.A#b(int, String)":    "com.x.A.b",
		"http.(*Client).Do":         "http.Client.Do",
		"std::pair<int, int>::swap": "std.pair.swap",
		"":                          "",
		"#private":                  "private",
		" net/http.Client.Do ":      "net/http.Client.Do",
	} {
		if got := models.PlainName(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}

func TestNameMeans(t *testing.T) {
	for _, test := range []struct {
		name, qualified string
		around          []string
		want            bool
	}{
		{"A::B#c", "A.B.c", nil, true},
		{"B#c", "A.B.c", nil, true},
		{"c", "A.B.c", nil, true},
		{"A#c", "A.B.c", nil, false},
		{`App\Models\User::find`, "User.find", nil, false},
		{`App\Models\User::find`, "User.find", []string{`App\Models`}, true},
		{`Models\User::find`, "User.find", []string{"src/App/Models"}, true},
		{`Other\User::find`, "User.find", []string{`App\Models`, "src/Models"}, false},
		{"a::b::run", "run", []string{"src/a", "src/a/b"}, true},
		{"c::b::run", "run", []string{"src/a", "src/a/b"}, false},
		{"com.x.A#b(int)", "A.b", []string{"com.x"}, true},
		{"", "A", nil, false},
		{"A", "", nil, false},
	} {
		if got := models.NameMeans(test.name, test.qualified, test.around...); got != test.want {
			t.Errorf("%q means %q in %q: %t", test.name, test.qualified, test.around, got)
		}
	}
	if !models.NameEnds(`A\B::c`, "B.c") || models.NameEnds(`A\B::c`, "X.c") || models.NameEnds("c", "") {
		t.Error("the end of a name is not what it is")
	}
}

// A name may be as long as a request.
func TestLongNames(t *testing.T) {
	const most = 2 * time.Second // it takes a millisecond, and 4 s where each sign looks at all behind it
	name := strings.Repeat("<a", 20_000)
	cputime.Bound(t, most, func() {
		if got := models.PlainName(name); got != name {
			t.Errorf("a name of %d bytes without types has %d", len(name), len(got))
		}
	})
}

// A damaged graph may have names that are no text.
func TestNamesThatAreNoText(t *testing.T) {
	for _, name := range []string{"a\xff", "\xff", "a<\xff", "a<b\xff>"} {
		if got := models.PlainName(name); got == "" {
			t.Errorf("nothing is left of %q", name)
		}
	}
}
