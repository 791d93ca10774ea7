package access

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
)

// asked is a Backend that keeps what it was asked last.
type asked struct {
	op.Backend

	last any
}

func (a *asked) Call(_ context.Context, _ op.Row, req any) (any, error) {
	a.last = req
	return index.JobsResponse{}, nil
}

// Who is not the owner indexes what the paths led to when they were allowed.
func TestTargets(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"roots/a", "outside"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{
		"roots/in": "a", "roots/out": "../outside", "linked": "roots", "outside/back": "../roots/a",
	} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip("no symlinks here: ", err)
		}
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	b := &asked{}
	guarded := Guarded(b, []string{at("linked")})
	for _, test := range []struct {
		name, target, want string // want is "" where it is refused
	}{
		{"below a root", at("roots/a"), at("roots/a")},
		{"by a symlink of the root", at("linked/a"), at("roots/a")},
		{"by a symlink in it", at("roots/in"), at("roots/a")},
		{"by a symlink from outside", at("outside/back"), at("roots/a")},
		{"by a symlink that leaves it", at("roots/out"), ""},
		{"by dots that leave it", at("roots") + "/../outside", ""},
		{"beside it", at("outside"), ""},
		{"not there", at("roots/none"), ""},
		{"a URL", "https://example.com/a.git", "https://example.com/a.git"},
		{"the scp form", "git@example.com:a.git", "git@example.com:a.git"},
		{"a URL of this machine", "file:///etc", ""},
		{"a relative folder", "roots/a", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			b.last = nil
			_, err := guarded.Call(With(t.Context(), Remote), op.StartIndex, index.StartRequest{Targets: []string{test.target}})
			if test.want == "" {
				if fault.CodeOf(err) != fault.Forbidden || b.last != nil {
					t.Errorf("%v, asked for %v", err, b.last)
				}
				return
			}
			want := index.StartRequest{Targets: []string{test.want}, Settled: true}
			if diff := cmp.Diff(any(want), b.last); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
}
