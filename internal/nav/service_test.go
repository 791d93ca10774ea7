package nav_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/golang"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// folder is the one repository there is.
type folder string

func (f folder) Repository(context.Context, models.RepoID) (models.Repository, error) {
	return models.Repository{RepoID: "o/a", Root: string(f)}, nil
}

func (f folder) Open(ctx context.Context, known models.Repository) (repo.Files, error) {
	return repo.Open(ctx, known.Root)
}

// goOnly reads Go.
type goOnly struct{}

func (goOnly) Revision(language string) string {
	return map[string]string{golang.Language: "1", golang.ModuleLanguage: "1"}[language]
}

func (goOnly) Facts(_ context.Context, path, language, text string) (*facts.File, error) {
	if language == golang.ModuleLanguage {
		f, err := golang.ExtractModule(path, text)
		return &f, err
	}
	f, err := golang.Extract(path, text)
	return &f, err
}

// many is a module in which each of n files uses Shared once.
func many(t *testing.T, n int) (root string, svc *nav.Service) {
	t.Helper()
	root = t.TempDir()
	put(t, root, "go.mod", "module example.com/many\n")
	put(t, root, "shared/shared.go", "package shared\n\n// Shared is used everywhere.\nfunc Shared() {}\n")
	for i := range n {
		put(t, root, user(i), fmt.Sprintf(
			"package p%d\n\nimport \"example.com/many/shared\"\n\nfunc Use%d() { shared.Shared() }\n", i, i))
	}
	return root, nav.New(gateway.Config{Repos: folder(root), Extract: goOnly{}})
}

func user(i int) string { return fmt.Sprintf("p%d/use.go", i) }

func put(t *testing.T, root, name, text string) {
	t.Helper()
	full := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// An answer is right however many files changed since the graph was built; what
// gave it is said. Without git its freshness is UNKNOWN.
func TestHowAnswersAreMade(t *testing.T) {
	const files = 260
	root, svc := many(t, files)
	build := func() {
		t.Helper()
		if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
			t.Fatal(err)
		}
	}
	type outcome struct {
		Status     models.Status
		Source     models.Source
		State      models.Freshness
		Uses       int
		Live       int // items that were read live though the graph answered
		StaleCount int
	}
	ask := func() outcome {
		t.Helper()
		r, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: "shared.Shared", Limit: new(1000)})
		if err != nil {
			t.Fatal(err)
		}
		o := outcome{
			Status: r.Meta.Status, Source: r.Meta.Source, State: r.Meta.FreshnessState,
			StaleCount: r.Meta.StaleFileCount,
		}
		for _, item := range r.Items {
			if item.Edge == "calls" {
				o.Uses++
			}
			if item.Edge == "calls" && item.Source == models.SourceFallback {
				o.Live++
			}
		}
		return o
	}
	edit := func(from, to int) {
		t.Helper()
		for i := from; i < to; i++ {
			put(t, root, user(i),
				fmt.Sprintf("package p%d\n\nimport \"example.com/many/shared\"\n\nfunc Use%d() {\n\tshared.Shared()\n"+
					"\tshared.Shared()\n}\n", i, i))
		}
	}
	for _, step := range []struct {
		name string
		do   func()
		want outcome
	}{
		{"no graph", func() {}, outcome{models.StatusFallback, models.SourceFallback, models.Unknown, files, 0, 0}},
		{"a graph", build, outcome{models.StatusOK, models.SourceGraph, models.Unknown, files, 0, 0}},
		{"three files", func() { edit(0, 3) }, outcome{models.StatusOK, models.SourceGraph, models.Unknown, files + 3, 6, 3}},
		{
			"most files", func() { edit(3, 250) },
			outcome{models.StatusFallback, models.SourceFallback, models.Unknown, files + 250, 0, 250},
		},
		{"built again", build, outcome{models.StatusOK, models.SourceGraph, models.Unknown, files + 250, 0, 0}},
		{
			"damaged", func() { put(t, root, ".llmc/rag_graph.json", "{}") },
			outcome{models.StatusFallback, models.SourceFallback, models.Unknown, files + 250, 0, 0},
		},
		{"mended", build, outcome{models.StatusOK, models.SourceGraph, models.Unknown, files + 250, 0, 0}},
		{"status says it is not", func() {
			put(t, root, ".llmc/rag_index_status.json",
				strings.Replace(read(t, root, ".llmc/rag_index_status.json"), `"fresh"`, `"error"`, 1))
		}, outcome{models.StatusFallback, models.SourceFallback, models.Stale, files + 250, 0, 0}},
	} {
		step.do()
		if diff := cmp.Diff(step.want, ask()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
	}
}

func read(t *testing.T, root, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Another build that runs is a conflict, and one that is cancelled leaves the
// graph before.
func TestBuildCancelled(t *testing.T) {
	root, svc := many(t, 50)
	if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
		t.Fatal(err)
	}
	before := read(t, root, ".llmc/rag_graph.json")
	put(t, root, user(1), "package p1\n")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := svc.Build(ctx, nav.BuildRequest{RepoID: "o/a", Full: true}); err == nil {
		t.Error("a build that was cancelled is done")
	}
	if read(t, root, ".llmc/rag_graph.json") != before {
		t.Error("a build that was cancelled changed the graph")
	}
	_, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: "Use1"})
	if fault.CodeOf(err) != fault.SymbolNotFound {
		t.Errorf("what an edit removed is found: %v", err)
	}
}

// Who misspells a name is told those like it, which are there.
func TestNamesAlike(t *testing.T) {
	_, svc := many(t, 2)
	for name, want := range map[string]string{
		"Sharde": "names like it are Shared;", "shared.Shraed": "names like it are Shared;", "Elsewhere": "was found; `nav",
		"shared/shared.go": "is a file, and uses are of symbols: `ragnav outline` lists what it has, `nav search` for " +
			`"shared"`,
		"./p0/use.go": "is a file", "p0/us.go": "no definition",
	} {
		_, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: name})
		if fault.CodeOf(err) != fault.SymbolNotFound || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

func TestIncludeText(t *testing.T) {
	root, svc := many(t, 2)
	put(t, root, "notes.md", "Shared is documented.\nUnShared is not.\n")
	r, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: "Shared", IncludeText: true})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, item := range r.Items {
		got = append(got, fmt.Sprintf("%s:%d %s", item.FilePath, item.Line, item.Edge))
	}
	want := []string{"p0/use.go:5 calls", "p1/use.go:5 calls", "notes.md:1 text", "shared/shared.go:3 text"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A busy reader can't read one file for a while.
type busy struct {
	goOnly

	file *string
}

func (b busy) Facts(ctx context.Context, path, language, text string) (*facts.File, error) {
	if path == *b.file {
		return nil, fault.New(fault.Timeout, "it takes too long")
	}
	return b.goOnly.Facts(ctx, path, language, text)
}

// An answer that lacks a file says so, and the file is tried again.
func TestFileThatCannotBeRead(t *testing.T) {
	root, _ := many(t, 3)
	slow := ""
	svc := nav.New(gateway.Config{Repos: folder(root), Extract: busy{file: &slow}})
	ask := func() (uses int, warned bool) {
		t.Helper()
		r, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: "shared.Shared"})
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range r.Meta.Warnings {
			warned = warned || w.Code == "FILES_WITHOUT_FACTS"
		}
		return len(r.Items), warned
	}
	for _, graph := range []bool{false, true} {
		if graph {
			if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); err != nil {
				t.Fatal(err)
			}
		}
		slow = user(1)
		put(t, root, user(1), fmt.Sprintf(
			"package p1\n\nimport \"example.com/many/shared\"\n\nfunc Use1() { shared.Shared() } // %t\n", graph))
		if uses, warned := ask(); uses != 2 || !warned {
			t.Errorf("graph %t: %d uses, warned %t while a file can't be read", graph, uses, warned)
		}
		slow = ""
		if uses, warned := ask(); uses != 3 || warned {
			t.Errorf("graph %t: %d uses, warned %t when it can", graph, uses, warned)
		}
	}
}

// A file that could not be read when the graph was built is tried again by
// questions about names in it; as long as that fails they say so.
func TestGraphWithoutAFile(t *testing.T) {
	root, _ := many(t, 3)
	slow := user(1)
	svc := nav.New(gateway.Config{Repos: folder(root), Extract: busy{file: &slow}})
	built, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"})
	if err != nil || built.Items[0].Skipped != 1 {
		t.Fatalf("%+v %v, want one file that is skipped", built.Items, err)
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
	if uses, warnings := ask("shared.Shared"); uses != 2 || warnings != 1 {
		t.Errorf("%d uses with %d warnings, want 2 with 1", uses, warnings)
	}
	if uses, warnings := ask("Use0"); uses != 0 || warnings != 0 {
		t.Errorf("%d uses with %d warnings of a name that is not in the file", uses, warnings)
	}
	_, err = svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: "Use1"})
	if fault.CodeOf(err) != fault.SymbolNotFound || !strings.Contains(err.Error(), user(1)) {
		t.Errorf("%v, want that %s may define it", err, user(1))
	}
	slow = ""
	if uses, warnings := ask("shared.Shared"); uses != 3 || warnings != 0 {
		t.Errorf("%d uses with %d warnings when it can be read, want 3 with 0", uses, warnings)
	}
	status, err := svc.Status(t.Context(), nav.StatusRequest{RepoID: "o/a"})
	if err != nil || status.Items[0].Graph.Skipped != 1 || status.Items[0].Graph.Bytes == 0 {
		t.Errorf("status %+v %v, want one file skipped and the size of the graph", status.Items, err)
	}
}

// Large files have no facts, and are searched.
func TestSearchLargeFiles(t *testing.T) {
	root, _ := many(t, 1)
	put(t, root, "large.go", "package large\n// "+strings.Repeat("padding ", 1<<10)+"\nfunc Needle() {}\n")
	svc := nav.New(gateway.Config{Repos: folder(root), Extract: goOnly{}, Limits: listing.Limits{MaxFileSize: 1 << 10}})
	for _, graph := range []bool{false, true} {
		if graph {
			built, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"})
			if err != nil || built.Items[0].Skipped != 0 || len(built.Meta.Warnings) != 1 ||
				built.Meta.Warnings[0].Code != "FILES_TOO_LARGE" {
				t.Fatalf("%+v %v", built, err)
			}
		}
		r, err := svc.Search(t.Context(), nav.SearchRequest{RepoID: "o/a", Query: "func Needle"})
		if err != nil || len(r.Items) != 1 || r.Items[0].Line != 3 {
			t.Errorf("graph %t: %+v %v, want one match", graph, r.Items, err)
		}
		if _, err = svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "o/a", Symbol: "Needle"}); fault.CodeOf(err) !=
			fault.SymbolNotFound {
			t.Errorf("graph %t: %v, want no facts of a large file", graph, err)
		}
	}
}

// What git keeps for itself is not served, but has a status.
func TestGitFolders(t *testing.T) {
	root, _ := many(t, 1)
	for _, name := range []string{".git/HEAD", ".git/objects/x", ".git/refs/x"} {
		put(t, root, name, "ref: refs/heads/main\n")
	}
	svc := nav.New(gateway.Config{Repos: folder(filepath.Join(root, ".git")), Extract: goOnly{}})
	if _, err := svc.Search(t.Context(), nav.SearchRequest{RepoID: "o/a", Query: "ref"}); fault.CodeOf(err) !=
		fault.InvalidRequest {
		t.Errorf("search: %v", err)
	}
	if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: "o/a"}); fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("build: %v", err)
	}
	if _, err := os.Stat(filepath.Join(root, ".git", ".llmc")); err == nil {
		t.Error("a graph was written into .git")
	}
	r, err := svc.Status(t.Context(), nav.StatusRequest{RepoID: "o/a"})
	if err != nil || r.Items[0].Freshness != models.Unknown {
		t.Errorf("status: %+v %v", r.Items, err)
	}
	if r.Meta.Message == nil || !strings.Contains(*r.Meta.Message, "give a work tree") {
		t.Errorf("status says %v", r.Meta.Message)
	}
}
