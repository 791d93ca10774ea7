package nav_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// A strict reader finds no facts in a text that is broken, and counts those.
type strict struct {
	goOnly

	refused *atomic.Int64
	also    string // another language that it reads
}

func (s strict) Revision(language string) string {
	if s.also != "" && language == s.also {
		return "1"
	}
	return s.goOnly.Revision(language)
}

func (s strict) Facts(ctx context.Context, path, language, text string) (*facts.File, error) {
	if strings.Contains(text, "broken") {
		s.refused.Add(1)
		return nil, errors.New("it is broken")
	}
	return s.goOnly.Facts(ctx, path, language, text)
}

// TestBrokenFileIsReadOnce: a text without facts is not read for each question, and
// is told of by each whose name is in it; another text of the same length is read,
// whatever the time of the file says.
func TestBrokenFileIsReadOnce(t *testing.T) {
	root, _ := many(t, 3)
	const text = "package p1\n\nimport \"example.com/many/shared\"\n\nfunc Use1() { shared.SHARED() } // "
	put(t, root, user(1), text+"broken\n")
	var refused atomic.Int64
	svc := nav.New(gateway.Config{Repos: folder(root), Extract: strict{refused: &refused}})
	if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
		t.Fatal(err)
	}
	ask := func(symbol string) (uses, warnings int) {
		t.Helper()
		r, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: symbol})
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range r.Meta.Warnings {
			warnings += map[string]int{"FILES_WITHOUT_FACTS": 1}[w.Code]
		}
		return len(r.Items), warnings
	}
	ask("shared.Shared")
	known := refused.Load()
	for range 3 {
		if uses, warnings := ask("shared.Shared"); uses != 2 || warnings != 1 { // case does not count
			t.Errorf("%d uses with %d warnings, want 2 with 1", uses, warnings)
		}
		if uses, warnings := ask("Use0"); uses != 0 || warnings != 0 {
			t.Errorf("%d uses with %d warnings of a name that is not in the file", uses, warnings)
		}
	}
	if n := refused.Load() - known; n > 0 {
		t.Errorf("read %d more times", n)
	}
	was, err := os.Stat(filepath.Join(root, user(1)))
	if err != nil {
		t.Fatal(err)
	}
	put(t, root, user(1), strings.Replace(text, "SHARED", "Shared", 1)+"mended\n")
	if err := os.Chtimes(filepath.Join(root, user(1)), was.ModTime(), was.ModTime()); err != nil {
		t.Fatal(err)
	}
	if uses, warnings := ask("shared.Shared"); uses != 3 || warnings != 0 {
		t.Errorf("%d uses with %d warnings once it is mended, want 3 with 0", uses, warnings)
	}
	put(t, root, user(1), text+"broken\n")
	if uses, warnings := ask("shared.Shared"); uses != 2 || warnings != 1 {
		t.Errorf("%d uses with %d warnings when it is broken again, want 2 with 1", uses, warnings)
	}
}

// TestLackOfAnotherLanguage: of files without facts a reply names those alone that may use
// what was asked for, and of a name that has no definition all in languages.
func TestLackOfAnotherLanguage(t *testing.T) {
	root, _ := many(t, 3)
	put(t, root, "a.php", "<?php Shared(); // broken\n")
	put(t, root, "a.png", "Shared broken")
	read := strict{refused: new(atomic.Int64), also: "PHP"}
	all := folders{"o/a": root}
	svc := nav.New(gateway.Config{Repos: all, Match: all.Match, Extract: read})
	for _, when := range []string{"live", "graph"} {
		for _, test := range []struct{ file, want string }{
			{"b.php", ""},
			{user(1), "1 file could not be read, the first one p1/use.go"},
		} {
			put(t, root, test.file, "package p1 // Shared broken\n")
			if when == "graph" {
				if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
					t.Fatal(err)
				}
			}
			for _, id := range []models.RepoID{"o/a", "*"} {
				r, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: id, Symbol: "shared.Shared"})
				if err != nil {
					t.Fatal(err)
				}
				got := ""
				if i := slices.IndexFunc(r.Meta.Warnings, isWithoutFacts); i >= 0 {
					got = r.Meta.Warnings[i].Message
				}
				if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
					t.Errorf("%s, %s broken, of %s: %q, want %q", when, test.file, id, got, test.want)
				}
			}
		}
		_, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: "broken"})
		if want := "3 files could not be read and may define it, the first one a.php"; err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", when, err, want)
		}
		put(t, root, user(1), "package p1\n")
	}
}

// TestUsesOfAnImportedFile: the path of an import is none of a symbol, and says so.
func TestUsesOfAnImportedFile(t *testing.T) {
	_, svc := many(t, 1)
	_, err := svc.WhereUsed(t.Context(),
		nav.WhereUsedRequest{RepoID: "o/a", File: user(0), Line: new(3), Column: new(12)})
	if fault.CodeOf(err) != fault.SymbolNotFound || !strings.Contains(err.Error(), "1 file") {
		t.Errorf("%v, want that it is a file", err)
	}
}

func isWithoutFacts(w models.Warning) bool { return w.Code == "FILES_WITHOUT_FACTS" }

// TestLargeFileIsToldOf: what is defined in a file that is too large to be parsed is not
// said to be nowhere, with a graph and without.
func TestLargeFileIsToldOf(t *testing.T) {
	root, _ := many(t, 3)
	put(t, root, "large/large.go", "package large\n\nfunc Enormous() {}\n"+strings.Repeat("// padding\n", 500))
	svc := nav.New(gateway.Config{Repos: folder(root), Extract: goOnly{}, Limits: listing.Limits{MaxFileSize: 4 << 10}})
	told := func(when string) {
		t.Helper()
		_, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: "Enormous"})
		if got := fault.MessageOf(err); fault.CodeOf(err) != fault.SymbolNotFound ||
			!strings.Contains(got, "large/large.go (it has more than 4096 bytes; RAGNAV_MAX_FILE_SIZE") {
			t.Errorf("%s: %v", when, err)
		}
		r, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: "shared.Shared"})
		if err != nil || slices.ContainsFunc(r.Meta.Warnings, isWithoutFacts) {
			t.Errorf("%s, of what is not in it: %v, %v", when, r.Meta.Warnings, err)
		}
	}
	told("without a graph")
	for _, when := range []string{"built", "built again"} {
		r, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Meta.Warnings) != 1 || r.Meta.Warnings[0].Code != "FILES_TOO_LARGE" {
			t.Errorf("%s: %v", when, r.Meta.Warnings)
		}
		told(when)
	}
}

// What builds that were killed have left of trigrams goes with the next build, and nothing else.
func TestBuildSweepsWhatWasKilled(t *testing.T) {
	root, svc := many(t, 3)
	build := func() {
		t.Helper()
		if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
			t.Fatal(err)
		}
	}
	build()
	put(t, root, ".llmc/rag_trigrams.bin.123.tmp", "half")
	put(t, root, ".llmc/mine.tmp", "whole")
	put(t, root, "p0/more.go", "package p0\n")
	build()
	left, err := filepath.Glob(filepath.Join(root, ".llmc", "*.tmp"))
	if err != nil || len(left) != 1 || filepath.Base(left[0]) != "mine.tmp" {
		t.Errorf("left are %v, %v", left, err)
	}
}

// In a tree that is too large to be read for an answer, what is beside a declaration is read
// with the files that have the name: the type of a receiver is mostly there.
func TestLiveReadsBesideTheDeclaration(t *testing.T) {
	root, svc := many(t, 2100)
	put(t, root, "box/box.go", "package box\n\ntype Box struct{}\n")
	put(t, root, "box/open.go", "package box\n\nfunc (b *Box) Unwrap() {}\n")
	put(t, root, "box/use.go", "package box\n\nfunc all(b *Box) { b.Unwrap() }\n")
	r, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: "Unwrap"})
	if err != nil || len(r.Items) != 1 || r.Items[0].FilePath != "box/use.go" {
		t.Errorf("uses %+v, %v; want the one of box/use.go", r.Items, err)
	}
}
