package nav

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/golang"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
)

// oneFolder is the repository o/a, in a folder; opened is called before that is opened.
type oneFolder struct {
	root   string
	opened func()
}

func (o *oneFolder) Repository(context.Context, models.RepoID) (models.Repository, error) {
	return models.Repository{RepoID: "o/a", Root: o.root}, nil
}

func (o *oneFolder) Open(ctx context.Context, known models.Repository) (repo.Files, error) {
	o.opened()
	return repo.Open(ctx, known.Root)
}

// goFacts reads Go.
type goFacts struct{}

func (goFacts) Revision(language string) string {
	if language == golang.Language {
		return "1"
	}
	return ""
}

func (goFacts) Facts(_ context.Context, path, _, text string) (*facts.File, error) {
	f, err := golang.Extract(path, text)
	return &f, err
}

// A map is drawn once, of files that are the same; what changes while it is drawn may be in it, so
// that it is not remembered.
func TestMapIsRemembered(t *testing.T) {
	root := t.TempDir()
	put := func(name, text string) {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("a.go", "package a\n\nfunc F() {}\n")
	put("README.md", "This is the first text of it.\n")
	repos := &oneFolder{root: root, opened: func() {}}
	s := New(gateway.Config{Repos: repos, Extract: goFacts{}})
	if _, err := s.Build(t.Context(), BuildRequest{RepoID: "o/a"}); err != nil {
		t.Fatal(err)
	}
	purpose := func() string {
		t.Helper()
		r, err := s.Map(t.Context(), MapRequest{RepoID: "o/a"})
		if err != nil || len(r.Items[0].Folders) != 1 {
			t.Fatalf("%+v, %v", r.Items, err)
		}
		return r.Items[0].Folders[0].Purpose
	}
	opened := 0
	repos.opened = func() {
		if opened++; opened == 2 {
			put("b.go", "package a\n")
		}
	}
	if purpose(); len(s.maps.all) != 0 {
		t.Error("a map is remembered of files that changed while it was drawn")
	}
	repos.opened = func() {}
	if err := os.Remove(filepath.Join(root, "b.go")); err != nil {
		t.Fatal(err)
	}
	const first, second = "This is the first text of it.", "This is the second text of it."
	if got := purpose(); got != first || len(s.maps.all) != 1 {
		t.Fatalf("%q, %d remembered", got, len(s.maps.all))
	}
	for k, d := range s.maps.all {
		d.item.Folders = slices.Clone(d.item.Folders)
		d.item.Folders[0].Purpose = "remembered"
		s.maps.all[k] = d
	}
	if got := purpose(); got != "remembered" {
		t.Errorf("of the same files: %q", got)
	}
	put("README.md", second)
	if got := purpose(); got != second {
		t.Errorf("of other files: %q, want %q", got, second)
	}
}

// What a document says of a folder is a sentence, and no step of a list.
func TestSaying(t *testing.T) {
	for text, want := range map[string]string{
		"1. `go get` - fetch what examples need.\n2. `go run *.go`":       "",
		"1) Fetch what examples need first.\n\nThese are small examples.": "These are small examples.",
		"2 servers talk to each other here.":                              "2 servers talk to each other here.",
	} {
		if got := saying([]parse.Section{{Text: text}}); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// What a file says to generators of documentation is nothing that it says of its folder.
func TestSummaryHasNoTags(t *testing.T) {
	for comment, want := range map[string]string{
		"@file big-play-button.js":             "",
		"@file Plays videos. Stops them.":      "Plays videos.",
		"@module evented\n\nPlays all videos.": "Plays all videos.",
	} {
		if got := summary(parse.Outline{Summary: comment}); got != want {
			t.Errorf("%q: %q, want %q", comment, got, want)
		}
	}
}
