package main

import (
	"testing"
	"time"
)

func TestCountGit(t *testing.T) {
	children := map[int][]process{
		1: {{2, "git"}, {3, "sh"}}, 2: {{4, "git"}}, 3: {{5, "git"}, {6, "cat"}},
		9: {{10, "git"}},
	}
	if got := countGit(children, 1); got != 2 {
		t.Errorf("%d processes of git, want 2: those of others and of git itself don't count", got)
	}
}

func TestPercentile(t *testing.T) {
	of := []time.Duration{5, 1, 4, 2, 3}
	if a, b, none := percentile(of, .5), percentile(of, .99), percentile(nil, .5); a != 3 || b != 5 || none != 0 {
		t.Errorf("%d, %d and %d, want 3, 5 and 0", a, b, none)
	}
}
