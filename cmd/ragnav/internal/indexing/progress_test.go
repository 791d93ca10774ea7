package indexing

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/index"
)

// Jobs that run at the same time have a line each, with their own names and
// rates, drawn over those before; what has ended goes.
func TestBarsOfSeveralJobs(t *testing.T) {
	var out bytes.Buffer
	b := &bars{screen: &term.Screen{Err: &out, Progress: true, Width: 80}}
	one := index.Job{RepoID: "acme/one", State: index.JobParsing, Total: 2200, Done: 1100, Rate: 560, ETASeconds: 2}
	two := index.Job{Target: "/src/a-folder-with-a-very-long-name-of-its-own", State: index.JobListing}
	b.show(one, two)
	want := []string{
		"acme/one              parsing     █████░░░░░  50%  1,100/2,200  560/s  2s left",
		"…ong-name-of-its-own  listing …", "",
	}
	if diff := cmp.Diff(want, strings.Split(out.String(), "\n")); diff != "" {
		t.Error(diff)
	}
	out.Reset()
	one.State, two.State = index.JobDone, index.JobCommitting
	two.RepoID, two.Total, two.Committed, two.Changed = "two", 10, 0.25, 7
	b.show(one, two)
	if want := "\x1b[2A\x1b[Jtwo       committing  ██░░░░░░░░  25%  7 files\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	out.Reset()
	b.show(index.Job{RepoID: "two", State: index.JobListing, WaitsFor: "all repositories"})
	if want := "\x1b[1A\x1b[Jall repositories  listing …\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	out.Reset()
	b.note("stopping")
	if want := "\x1b[1A\x1b[Jragnav: stopping\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	for line := range strings.Lines(strings.Join(want, "\n")) {
		if n := utf8.RuneCountInString(line); n > 80 {
			t.Errorf("a line of %d columns", n)
		}
	}
}
