package nav_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
)

// folders are repositories by id.
type folders map[models.RepoID]string

func (f folders) Repository(_ context.Context, id models.RepoID) (models.Repository, error) {
	if f[id] == "" {
		return models.Repository{}, fault.New(fault.RepoNotFound, "no repository %s", id)
	}
	return models.Repository{RepoID: id, Root: f[id]}, nil
}

func (f folders) Open(ctx context.Context, known models.Repository) (repo.Files, error) {
	return repo.Open(ctx, known.Root)
}

func (f folders) Match(_ context.Context, name string) ([]models.Repository, error) {
	var ids []models.RepoID
	for id := range f {
		ids = append(ids, id)
	}
	meant, err := filter.Repositories(ids, name)
	var all []models.Repository
	for _, id := range meant {
		all = append(all, models.Repository{RepoID: id, Root: f[id]})
	}
	return all, err
}

var lyrics = map[models.RepoID]map[string]string{
	"o/one": {
		"a.go": "package a\n\n// TODO first\nvar Alpha = 1 // alpha\n", "sub/b.py": "alpha = 1\nTODO = alpha\n",
		"notes.md": "alpha todo\n",
	},
	"o/two": {"a.go": "package a\n\nfunc alphabet() {}\n", "x_test.go": "package a\n\n// TODO alpha alpha\n"},
	"p/one": {"c.go": "package c\n\nvar s = \"alpha beta\"\n", "c.py": "x = 'alpha  beta'\n"},
}

func lyricsService(t *testing.T) *nav.Service {
	t.Helper()
	all := folders{}
	for id, files := range lyrics {
		all[id] = t.TempDir()
		for name, text := range files {
			put(t, all[id], name, text)
		}
	}
	svc := nav.New(gateway.Config{Repos: all, Match: all.Match, Extract: goOnly{}})
	if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/one"}); err != nil {
		t.Fatal(err)
	}
	return svc
}

// scanned is what a plain scan finds: lines of files, in order.
func scanned(repos, files, line string) []string {
	var all []string
	for id, texts := range lyrics {
		for name, text := range texts {
			for i, l := range strings.Split(text, "\n") {
				if regexp.MustCompile(repos).MatchString(string(id)) && regexp.MustCompile(files).MatchString(name) &&
					regexp.MustCompile(line).MatchString(l) {
					all = append(all, fmt.Sprintf("%s %s:%d", id, name, i+1))
				}
			}
		}
	}
	slices.Sort(all)
	return all
}

// A search over repositories finds what a plain scan of them all finds, page by
// page, and counts it by file and by repository.
func TestSearchAll(t *testing.T) {
	svc := lyricsService(t)
	for _, test := range []struct {
		id                 models.RepoID
		query              string
		repos, files, line string
	}{
		{"*", "alpha", "", "", "(?i)alpha"},
		{"o/*", "alpha", "^o/", "", "(?i)alpha"},
		{"*/one", "Alpha", "/one$", "", "Alpha"},
		{"*", "alpha case:yes", "", "", "alpha"},
		{"*", "alpha file:*.go", "", `\.go$`, "(?i)alpha"},
		{"*", "alpha -file:*.go", "", `\.(py|md)$`, "(?i)alpha"},
		{"*", "alpha lang:python", "", `\.py$`, "(?i)alpha"},
		{"*", `"alpha beta"`, "", "", "alpha beta"},
		{"*", "alpha beta lang:go", "", `\.go$`, "alpha beta"},
		{"*", `/al\w+bet/`, "", "", `al\w+bet`},
		{"*", "todo repo:o/*", "^o/", "", "(?i)todo"},
		{"*", "alpha file:sub lang:python", "", "^sub/", "(?i)alpha"},
		{"*", "(alpha)", "", "", `\(alpha\)`},
		{"*", "nowhere", "", "", "nowhere"},
	} {
		want := scanned(test.repos, test.files, test.line)
		for _, limit := range []int{1, 3, 100} {
			var got []string
			req := nav.SearchRequest{RepoID: test.id, Query: test.query, Limit: &limit}
			for {
				r, err := svc.Search(t.Context(), req)
				if err != nil {
					t.Fatalf("%s in %s: %v", test.query, test.id, err)
				}
				for _, item := range r.Items {
					got = append(got, fmt.Sprintf("%s %s:%d", item.RepoID, item.FilePath, item.Line))
				}
				checkCounts(t, test.query, r, want)
				if req.Cursor = r.Meta.NextCursor; req.Cursor == "" {
					break
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s in %s, %d a page (-want +got):\n%s", test.query, test.id, limit, diff)
			}
		}
	}
}

func checkCounts(t *testing.T, query string, r nav.SearchResponse, want []string) {
	t.Helper()
	files, sum := map[string]int{}, 0
	for _, place := range want {
		files[strings.TrimRight(place, "0123456789")]++
	}
	for _, f := range r.Files {
		if n := files[fmt.Sprintf("%s %s:", f.RepoID, f.FilePath)]; n != f.Matches {
			t.Errorf("%s: %s has %d matches, want %d", query, f.FilePath, f.Matches, n)
		}
	}
	for _, one := range r.Repositories {
		sum += one.Matches
	}
	if r.FileCount != len(files) || *r.Meta.Total != len(want) || sum != len(want) {
		t.Errorf("%s: %d lines in %d files, %d by repository, want %d in %d", query, *r.Meta.Total, r.FileCount, sum,
			len(want), len(files))
	}
}

func TestSearchAllRefuses(t *testing.T) {
	svc := lyricsService(t)
	for _, test := range []struct {
		id    models.RepoID
		query string
		want  fault.Code
	}{
		{"q/*", "alpha", fault.RepoNotFound},
		{"o/*", "alpha repo:p/*", fault.RepoNotFound},
		{"*", "sym:alpha", fault.InvalidRequest},
		{"*", "file:*.go", fault.InvalidRequest},
		{"*", "alpha or lang:go", fault.InvalidRequest},
		{"*", "alpha (repo:o/* or lang:go)", fault.InvalidRequest},
		{"*", "alpha -repo:o/*", fault.InvalidRequest},
		{"*", "alpha lang:klingon", fault.InvalidRequest},
	} {
		_, err := svc.Search(t.Context(), nav.SearchRequest{RepoID: test.id, Query: test.query})
		if fault.CodeOf(err) != test.want {
			t.Errorf("%s in %s: %v, want %s", test.query, test.id, err, test.want)
		}
	}
	one := nav.New(gateway.Config{Repos: folder(t.TempDir()), Extract: goOnly{}})
	if _, err := one.Search(t.Context(), nav.SearchRequest{RepoID: "*", Query: "x"}); fault.CodeOf(err) !=
		fault.InvalidRequest {
		t.Errorf("in one folder: %v", err)
	}
}

// A repository that cannot be searched is named, and the others answer.
func TestSearchAllWithout(t *testing.T) {
	root := t.TempDir()
	put(t, root, "a.go", "package alpha\n")
	all := folders{"o/gone": filepath.Join(root, "gone"), "o/here": root}
	svc := nav.New(gateway.Config{Repos: all, Match: all.Match, Extract: goOnly{}})
	r, err := svc.Search(t.Context(), nav.SearchRequest{RepoID: "o/*", Query: "alpha"})
	if err != nil || len(r.Items) != 1 || len(r.Meta.Warnings) != 1 ||
		!strings.HasPrefix(r.Meta.Warnings[0].Message, "o/gone was not searched") {
		t.Errorf("%+v, %v", r, err)
	}
}

// Paths are searched as lines are, with the same fields.
func TestSearchForNames(t *testing.T) {
	svc := lyricsService(t)
	for _, test := range []struct {
		repo, query string
		regexp      bool
		want        string
	}{
		{"*", "B.py", false, ""},
		{"*", "b.py", false, "o/one sub/b.py"},
		{"*", `^a\.go$`, true, "o/one a.go, o/two a.go"},
		{"o/*", "/[ab]\\./ -lang:python", false, "o/one a.go, o/two a.go"},
		{"p/one", "c", false, " c.go,  c.py"},
	} {
		r, err := svc.Search(t.Context(),
			nav.SearchRequest{RepoID: models.RepoID(test.repo), Query: test.query, Regexp: test.regexp, Names: true})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, item := range r.Items {
			got = append(got, string(item.RepoID)+" "+item.FilePath)
		}
		if text := strings.Join(got, ", "); text != test.want {
			t.Errorf("%s in %s: %s, want %s", test.query, test.repo, text, test.want)
		}
	}
}

// Every graph has trigrams, also one that was built without them.
func TestTrigramsOfEveryGraph(t *testing.T) {
	root := t.TempDir()
	put(t, root, "a.go", "package alpha\n")
	svc := nav.New(gateway.Config{Repos: folder(root), Extract: goOnly{}})
	name := filepath.Join(root, ".llmc", "rag_trigrams.bin")
	for range 2 {
		if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
		svc = nav.New(gateway.Config{Repos: folder(root), Extract: goOnly{}})
	}
}

// Lines behind the page are counted in a number of files, and what is not counted is
// said; the cursor goes on to the end.
func TestSearchAllCountsInSomeFiles(t *testing.T) {
	all, lines := folders{}, map[models.RepoID]int{}
	var want []string
	for i, n := range []int{700, 5, 600} {
		id := models.RepoID(fmt.Sprintf("o/r%d", i))
		all[id] = t.TempDir()
		for k := range n {
			name := fmt.Sprintf("f%03d.txt", k)
			put(t, all[id], name, strings.Repeat("alpha\n", k%3))
			lines[id] += k % 3
			for line := range k % 3 {
				want = append(want, fmt.Sprintf("%s %s:%d", id, name, line+1))
			}
		}
	}
	svc := nav.New(gateway.Config{Repos: all, Match: all.Match, Extract: goOnly{}})
	if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/r2"}); err != nil {
		t.Fatal(err)
	}
	limit, pages := 500, 0
	req := nav.SearchRequest{RepoID: "*", Query: "alpha", Limit: &limit}
	var got []string
	for {
		r, err := svc.Search(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range r.Items {
			got = append(got, fmt.Sprintf("%s %s:%d", item.RepoID, item.FilePath, item.Line))
		}
		sum, less := 0, false
		for _, one := range r.Repositories {
			sum += one.Matches
			less = less || one.AtLeast
			if one.Matches == 0 || one.AtLeast != (one.Matches < lines[one.RepoID]) {
				t.Errorf("page %d: %+v, want %d", pages, one, lines[one.RepoID])
			}
		}
		if sum != *r.Meta.Total || less != r.Meta.TotalAtLeast || less != (sum < len(want)) {
			t.Errorf("page %d: %d lines, total %d, at least is %v", pages, sum, *r.Meta.Total, r.Meta.TotalAtLeast)
		}
		if pages++; pages == 1 && !less {
			t.Error("all were counted for the first page")
		}
		if req.Cursor = r.Meta.NextCursor; req.Cursor == "" {
			break
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The next page is what one gets who asked for none before, also when files changed in
// between.
func TestSearchGoesOn(t *testing.T) {
	all := folders{"o/one": t.TempDir(), "o/two": t.TempDir()}
	for i := range 60 {
		id := []models.RepoID{"o/one", "o/two"}[i%2]
		put(t, all[id], fmt.Sprintf("f%02d.txt", i), strings.Repeat("hay\nneedle\n", i%4))
	}
	c := gateway.Config{Repos: all, Match: all.Match, Extract: goOnly{}}
	svc := nav.New(c)
	for id := range all {
		if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: id}); err != nil {
			t.Fatal(err)
		}
	}
	req := nav.SearchRequest{RepoID: "*", Query: "needle", Limit: new(7)}
	for page := 0; ; page++ {
		want, err := nav.New(c).Search(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		got, err := svc.Search(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("page %d (-first question +one of several):\n%s", page, diff)
		}
		if got.Meta.NextCursor == "" {
			if page < 10 {
				t.Errorf("%d pages of 7 lines, of %d", page, *got.Meta.Total)
			}
			return
		}
		switch page {
		case 3:
			put(t, all["o/one"], "f02.txt", strings.Repeat("needle\n", 9))
		case 5:
			put(t, all["o/one"], "f02.txt", "needle\n")
		case 6:
			put(t, all["o/two"], "f00.txt", "needle\n")
		}
		req.Cursor = got.Meta.NextCursor
	}
}

// The query language is that of all searches: a mistake is refused, and where nothing
// has a text it is said what of it may have been meant to select.
func TestSearchTellsOfOperators(t *testing.T) {
	svc := lyricsService(t)
	for asked, want := range map[string]string{
		"path:a.go alpha": "path:a.go was taken as words; to select write file:a.go",
		"alpha or beta":   `write "one" or "other"`,
		"foo (bar":        "are not searched",
		"case:maybe":      "at character 1: case: is yes or no",
		"(alpha file:x":   "at character 1: the parenthesis is not closed",
		"alpha file:x or": "at character 14: nothing stands behind",
		"/a(/":            "at character 1: /a(/ is not a regular expression",
		"x lang:klingon":  "at character 3 (lang:klingon)",
		`"alpha`:          "at character 1: the quote is not closed",
	} {
		resp, err := svc.Search(t.Context(), nav.SearchRequest{RepoID: "*", Query: asked})
		got := ""
		switch {
		case err != nil && fault.CodeOf(err) != fault.InvalidRequest:
			t.Errorf("%s: %v", asked, err)
		case err != nil:
			got = err.Error()
		case resp.Meta.Message != nil:
			got = *resp.Meta.Message
		}
		if !strings.Contains(got, want) || len(resp.Items) > 0 {
			t.Errorf("%s: %d lines, %q; want none, and %q", asked, len(resp.Items), got, want)
		}
	}
}

// What was left out is told with a graph and without one: files too large, and those
// that have the text and are not text.
func TestSearchTellsWhatWasLeftOut(t *testing.T) {
	all := folders{"o/a": t.TempDir()}
	put(t, all["o/a"], "a.txt", "alpha\n")
	put(t, all["o/a"], "odd.txt", "alpha \xff\xfe\xfd\n")
	put(t, all["o/a"], "sub/large.txt", "")
	if err := os.Truncate(filepath.Join(all["o/a"], "sub/large.txt"), gateway.MaxSearched+1); err != nil {
		t.Fatal(err)
	}
	svc := nav.New(gateway.Config{Repos: all, Match: all.Match, Extract: goOnly{}})
	for range 3 { // without a graph, with one, and as it was the time before
		for req, want := range map[nav.SearchRequest]string{
			{RepoID: "o/a", Query: "alpha"}: "not searched: 1 file larger than 64 MiB, " +
				"1 file with a match, in no encoding of text that is known",
			{RepoID: "o/*", Query: "alpha", PathFilter: "sub"}: "not searched: 1 file larger than 64 MiB",
			{RepoID: "o/*", Query: "alpha", PathFilter: "a.*"}: "",
			{RepoID: "o/a", Query: "large", Names: true}:       "",
		} {
			resp, err := svc.Search(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, w := range resp.Meta.Warnings {
				if w.Code == "FILES_NOT_SEARCHED" {
					got += w.Message
				}
			}
			if got != want {
				t.Errorf("%s in %q: told %q, want %q", req.Query, req.PathFilter, got, want)
			}
		}
		if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
			t.Fatal(err)
		}
	}
}
