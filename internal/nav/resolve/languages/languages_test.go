package languages_test

import (
	"testing"

	"github.com/ragnav/ragnav/internal/nav/resolve/languages"
)

func TestMeet(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"Go", "Go", true},
		{"TypeScript", "Vue", true},
		{"Kotlin", "Java", true},
		{"Objective-C", "C++", true},
		{"Go", "PHP", false},
		{"Java", "C#", false},
		{"", "", false},
		{"Go", "", false},
	} {
		if got := languages.Meet(test.a, test.b); got != test.want {
			t.Errorf("%q, %q: %t, want %t", test.a, test.b, got, test.want)
		}
	}
	for a := range languages.All() {
		for b := range languages.All() {
			if got := languages.Meet(a, b); got != languages.Meet(b, a) || a == b && !got {
				t.Errorf("%s, %s: %t", a, b, got)
			}
		}
	}
}
