package pattern_test

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/cputime"
	"github.com/ragnav/ragnav/internal/pattern"
)

func whole(t testing.TB, expr string) *pattern.Whole {
	t.Helper()
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	w, err := pattern.NewWhole(re)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

var expressions = []string{
	"", "a", "a*", "(?:[^/]+/)*[^/]*\\.go", "src/(?:.*/)?a", "[^/]*a[^/][^/][^/]", "(a|b|ab)*c", "[ä-ü]+", "(?i)straße",
	".*", "(?s:.*)", "[^a]",
	"a{2,4}b?", "(|a)+", "[^/]*a[^/]{12}",
}

var texts = []string{
	"", "a", "aa", "aaab", "src/a", "src/b/c/a", "x.go", "a/b/x.go", "a/b/x.goo", "abcabc", "ababc", "ä", "äöü", "STRASSE",
	"Straße", "ſtraße", "a\nb", "\n",
	"\xff", "a\xffb", "日本/語.go", strings.Repeat("a", 40), strings.Repeat("ab", 30),
}

func TestWholeIsTheExpression(t *testing.T) {
	for _, expr := range expressions {
		want, w, walk := regexp.MustCompile("^(?:"+expr+")$"), whole(t, expr), pattern.NewWalk(whole(t, expr))
		for range 2 { // states are made, and known
			for _, text := range texts {
				if got := w.Match(text); got != want.MatchString(text) {
					t.Errorf("%q matches %q: %v", expr, text, got)
				}
				if got, must := walked(walk, text), want.MatchString(text); must && !got || got && !must && isASCII(text) {
					t.Errorf("%q leads to %q: %v", expr, text, got)
				}
			}
		}
	}
}

// walked reports whether a walk may end with a text.
func walked(w pattern.Walk, text string) bool {
	state := w.Start()
	for i := 0; i < len(text) && w.CanMatch(state); i++ {
		state = w.Accept(state, text[i])
	}
	return w.CanMatch(state) && w.IsMatch(state)
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r > 127 })
}

func TestWholeRefusesConditions(t *testing.T) {
	for _, expr := range []string{"^a", "a$", `\ba`} {
		re, err := syntax.Parse(expr, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := pattern.NewWhole(re); err == nil {
			t.Errorf("%q is taken", expr)
		}
	}
}

// An expression with 2^16 states takes the time of its text, and the memory of a
// few of them.
func TestWholeForgets(t *testing.T) {
	expr := "[ab]*a[ab]{15}"
	want, w := regexp.MustCompile("^(?:"+expr+")$"), whole(t, expr)
	walk := pattern.NewWalk(whole(t, expr))
	began := cputime.Used()
	for i := range 1 << 13 {
		var text strings.Builder
		for bit := range 17 {
			text.WriteByte("ab"[i*7>>bit&1])
		}
		if got := w.Match(text.String()); got != want.MatchString(text.String()) {
			t.Fatalf("matches %q: %v", &text, got)
		} else if got && !walked(walk, text.String()) {
			t.Fatalf("does not lead to %q", &text)
		}
	}
	if took := cputime.Used() - began; took > 20*time.Second {
		t.Errorf("took %v", took)
	}
}

func FuzzWhole(f *testing.F) {
	for i, expr := range expressions {
		f.Add(expr, texts[i%len(texts)])
	}
	f.Fuzz(func(t *testing.T, expr, text string) {
		re, err := syntax.Parse(expr, syntax.Perl)
		if err != nil || pattern.Steps(re) > 1000 {
			t.Skip("SKIPPED: no expression, or one that costs too much to be taken")
		}
		w, err := pattern.NewWhole(re)
		if err != nil {
			t.Skip("SKIPPED: an expression that asks what is around a text")
		}
		want := regexp.MustCompile("^(?:" + expr + ")$").MatchString(text)
		if want && !walked(pattern.NewWalk(whole(t, expr)), text) {
			t.Errorf("%q does not lead to %q", expr, text)
		}
		for range 2 {
			if w.Match(text) != want {
				t.Errorf("%q matches %q is not %v", expr, text, want)
			}
		}
	})
}

func BenchmarkWhole(b *testing.B) {
	w := whole(b, `(?:[^/]+/)*[^/]*\.(?:ts|tsx)`)
	for b.Loop() {
		w.Match("src/internal/package17/sub3/file_name_4711.go")
	}
}
