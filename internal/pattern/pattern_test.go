package pattern_test

import (
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/pattern"
)

func TestSteps(t *testing.T) {
	for expr, most := range map[string]int{
		"abc": 5, "a|b|c": 8, "[a-z]+": 4, `\pL{20}`: 50, "(a{10}){10}": 400, "(abcdefghij){100}": 1500, "a{0,}": 3,
	} {
		re, err := syntax.Parse(expr, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		prog, err := syntax.Compile(re.Simplify())
		if err != nil {
			t.Fatal(err)
		}
		if n := pattern.Steps(re); n > most || 3*n < len(prog.Inst) {
			t.Errorf("%s: %d steps, want at most %d; its program has %d", expr, n, most, len(prog.Inst))
		}
	}
}

func TestStepsAreNotWrittenOut(t *testing.T) {
	re, err := syntax.Parse(strings.Repeat("((abcdefghij){10}){100}", 100), syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	if n := pattern.Steps(re); n < 1_000_000 {
		t.Errorf("%d steps", n)
	}
}

func TestAlternatives(t *testing.T) {
	for glob, want := range map[string]int{
		"": 1, "*.go": 1, "*.{go,md}": 2, "{a,b}{c,d}": 4, "{a,{b,c},d}": 4, "{a{b,c}{d,e},f}": 5, `\{a,b}`: 1, "[{]a,b}": 1,
		"a,b": 1, "{a,b": 2, strings.Repeat("{a,a}", 300): pattern.Most,
	} {
		if got := pattern.Alternatives(glob); got != want {
			t.Errorf("%q stands for %d globs, want %d", glob, got, want)
		}
	}
}
