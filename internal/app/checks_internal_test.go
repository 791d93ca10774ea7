package app

import "testing"

func TestCountedRepositories(t *testing.T) {
	for n, want := range map[int]string{0: "0 repositories", 1: "1 repository", 2: "2 repositories"} {
		if got := countedRepositories(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
