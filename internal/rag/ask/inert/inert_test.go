package inert

import (
	"strings"
	"testing"
)

func TestProse(t *testing.T) {
	for text, want := range map[string]string{
		"Retries a request":                  "Retries a request",
		"a [link](http://e.example/x) there": "a [link] (http://e.example/x) there",
		"![p](http://e.example/p.png?d=1)":   "![p] (http://e.example/p.png?d=1)",
		`in <img src="//e.example/p"> line`:  "in  line",
		"<im<img>g src=x>":                   "",
		"<scr<script>ipt>":                   "",
		"of Map<String, List<T>>":            "of Map<String, List<T>>",
		"one\nline":                          "one line",
	} {
		if got := Prose(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	deep := "<img>"
	for range 12 {
		deep = "<im" + deep + "g>"
	}
	if got := Prose(deep); strings.Contains(got, "<") {
		t.Errorf("%q", got)
	}
}

func TestCode(t *testing.T) {
	for text, want := range map[string]string{
		"a.go": "`a.go`", "a`b": "`` a`b ``", "a``b`": "``` a``b` ```", "a\nb": "`a b`",
	} {
		if got := Code(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
