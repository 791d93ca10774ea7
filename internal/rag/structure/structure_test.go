package structure_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/structure"
	"github.com/ragnav/ragnav/internal/repo"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

const repoID models.RepoID = "acme/api"

// fake is a registered repository and what is known of it.
type fake struct {
	root    string
	records map[string]models.FileRecord
	docs    map[models.DocumentID]models.Document
}

func (f fake) Repository(_ context.Context, id models.RepoID) (models.Repository, error) {
	if id != repoID {
		return models.Repository{}, fault.New(fault.RepoNotFound, "no %s", id)
	}
	return models.Repository{RepoID: id, Root: f.root, State: models.StateFresh}, nil
}

func (f fake) Freshness(context.Context, models.Repository) (models.Freshness, error) {
	return models.Fresh, nil
}

func (f fake) Open(ctx context.Context, known models.Repository) (repo.Files, error) {
	return repo.Open(ctx, known.Root)
}

func (f fake) Record(_ context.Context, _, key string, v any) (bool, error) {
	rec, ok := f.records[key]
	if !ok {
		return false, nil
	}
	stored, err := json.Marshal(rec)
	*v.(*json.RawMessage) = stored
	return true, err
}

func (f fake) Documents(_ context.Context, ids []models.DocumentID) ([]models.Document, error) {
	var docs []models.Document
	for _, id := range ids {
		if d, ok := f.docs[id]; ok {
			d.ID = id
			docs = append(docs, d)
		}
	}
	return docs, nil
}

func setUp(t testing.TB) fake {
	t.Helper()
	root := t.TempDir()
	repotest.Write(t, root, map[string]string{
		"README.md": "# API\n", "go.mod": "module x\n", "LICENSE": "MIT\n", "Makefile": "all:\n",
		"main.go":    "package main\n\nfunc main() {}\n",
		"Dockerfile": "FROM scratch\n", ".github/workflows/ci.yml": "on: push\n", "logo.png": "\x89PNG\r\n\x1a\n\x00\x00",
		"cmd/api/main.go": "package main\n", "internal/a/a.go": "package a", "internal/a/a_test.go": "package a\n",
		"internal/b/b.go": "package b\n",
		".env":            "KEY=1\nSECRET=2\n", "empty.txt": "",
	})
	info, err := os.Stat(filepath.Join(root, "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	return fake{
		root: root,
		records: map[string]models.FileRecord{
			"main.go": {
				Path: "main.go", Size: info.Size(), ModTime: info.ModTime().UnixNano(), Language: "Go", Lines: 3,
				Documents: []models.DocumentID{"file:acme/api:main.go"},
			},
			"logo.png": {Path: "logo.png", Skipped: models.SkipBinary},
		},
		docs: map[models.DocumentID]models.Document{
			models.RepoDocID(repoID):              {Content: "the api"},
			models.ModuleID(repoID, "."):          {Content: "the root folder"},
			models.ModuleID(repoID, "internal/a"): {Content: "package a"},
		},
	}
}

func explore(t *testing.T, f fake, req structure.Request) structure.Response {
	t.Helper()
	req.RepoID = repoID
	res, err := structure.New(f, f).Explore(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// With a pattern the reply has what matches it, and nothing beside.
func TestPatternHasNoKeyFiles(t *testing.T) {
	item := explore(t, setUp(t), structure.Request{Pattern: "*.md"}).Items[0]
	if len(item.Files) != 1 || item.KeyFiles == nil || len(item.KeyFiles) != 0 {
		t.Errorf("files %v, key files %v; want README.md and an empty object", item.Files, item.KeyFiles)
	}
}

func TestExploreRoot(t *testing.T) {
	res := explore(t, setUp(t), structure.Request{})
	want := models.StructureInfo{
		RepoID: repoID, Path: "",
		Directories: []string{".github/", "cmd/", "internal/"},
		Files: []models.FileInfo{
			{Name: ".env", Path: ".env", Language: "Dotenv"},
			{Name: "Dockerfile", Path: "Dockerfile", Language: "Dockerfile", LineCount: 1},
			{Name: "LICENSE", Path: "LICENSE", Language: "Text", LineCount: 1},
			{Name: "Makefile", Path: "Makefile", Language: "Makefile", LineCount: 1},
			{Name: "README.md", Path: "README.md", Language: "Markdown", LineCount: 1},
			{Name: "empty.txt", Path: "empty.txt", Language: "Text"},
			{Name: "go.mod", Path: "go.mod", Language: "Go Module", LineCount: 1},
			{Name: "logo.png", Path: "logo.png"},
			{Name: "main.go", Path: "main.go", Language: "Go", LineCount: 3, HasSummary: true},
		},
		KeyFiles: map[string]string{
			"readme": "README.md", "config": "go.mod", "entry_point": "main.go", "license": "LICENSE", "build": "Makefile",
			"ci": ".github/workflows/ci.yml", "container": "Dockerfile",
		},
	}
	if diff := cmp.Diff(want, res.Items[0]); diff != "" {
		t.Error(diff)
	}
	if *res.Meta.Total != 12 || res.Meta.Truncated || res.Meta.IndexStatus == nil {
		t.Errorf("meta %+v", res.Meta)
	}
}

func TestExplorePatterns(t *testing.T) {
	f := setUp(t)
	tests := []struct {
		name, path, pattern string
		dirs, files         []string
	}{
		{"a folder", "internal", "", []string{"internal/a/", "internal/b/"}, nil},
		{"a slash at the end", "internal/", "", []string{"internal/a/", "internal/b/"}, nil},
		{"names in the folder", "", "*.go", nil, []string{"main.go"}},
		{
			"every depth", "", "**/*.go", nil,
			[]string{"cmd/api/main.go", "internal/a/a.go", "internal/a/a_test.go", "internal/b/b.go", "main.go"},
		},
		{"relative to the folder", "internal", "**/a*.go", nil, []string{"internal/a/a.go", "internal/a/a_test.go"}},
		{"folders too", "", "internal/*", []string{"internal/a/", "internal/b/"}, nil},
		{"only folders", "", "**/a*/", []string{"cmd/api/", "internal/a/"}, nil},
		{"all below", "internal/a", "**", nil, []string{"internal/a/a.go", "internal/a/a_test.go"}},
		{"nothing", "", "*.rs", nil, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			res := explore(t, f, structure.Request{Path: test.path, Pattern: test.pattern})
			var files []string
			for _, file := range res.Items[0].Files {
				files = append(files, file.Path)
			}
			if diff := cmp.Diff(test.files, files); diff != "" {
				t.Error("files", diff)
			}
			if diff := cmp.Diff(append([]string{}, test.dirs...), res.Items[0].Directories); diff != "" {
				t.Error("directories", diff)
			}
			if (len(test.dirs)+len(test.files) == 0) != (res.Meta.Message != nil) {
				t.Errorf("message %v", res.Meta.Message)
			}
		})
	}
}

func TestExplorePages(t *testing.T) {
	f := setUp(t)
	all := explore(t, f, structure.Request{}).Items[0]
	var dirs []string
	var files []models.FileInfo
	cursor := ""
	for range 20 {
		res := explore(t, f, structure.Request{Limit: new(2), Cursor: cursor})
		dirs, files = append(dirs, res.Items[0].Directories...), append(files, res.Items[0].Files...)
		if cursor = res.Meta.NextCursor; cursor == "" {
			break
		}
	}
	if diff := cmp.Diff(all.Directories, dirs); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(all.Files, files); diff != "" {
		t.Error(diff)
	}
}

func TestExploreSummaries(t *testing.T) {
	f := setUp(t)
	for path, want := range map[string]*string{"": new("the api"), "internal/a": new("package a"), "cmd": nil} {
		res := explore(t, f, structure.Request{Path: path, IncludeSummaries: true})
		if diff := cmp.Diff(want, res.Items[0].Summary); diff != "" {
			t.Errorf("%q: %s", path, diff)
		}
	}
}

// A summary that speaks of files that are gone or changed is told from one that
// is true.
func TestStaleSummaries(t *testing.T) {
	f := setUp(t)
	for _, test := range []struct {
		name     string
		children []models.DocumentID
		edit     func(root string) error
		want     []string
	}{
		{
			"as it was",
			[]models.DocumentID{"file:acme/api:main.go", "doc:acme/api:README.md#api", "doc:acme/api:README.md#api#2"},
			nil,
			nil,
		},
		{
			"a file is gone",
			[]models.DocumentID{"file:acme/api:main.go", "file:acme/api:gone.go", "doc:acme/api:OLD.md#x"},
			nil,
			[]string{"OLD.md", "gone.go"},
		},
		{"a folder is", []models.DocumentID{"module:acme/api:old"}, nil, []string{"old"}},
		{"a file changed", nil, func(root string) error {
			return os.WriteFile(filepath.Join(root, "main.go"), []byte("package main"), 0o600)
		}, []string{"main.go"}},
	} {
		if test.edit != nil {
			if err := test.edit(f.root); err != nil {
				t.Fatal(err)
			}
		}
		d := f.docs[models.ModuleID(repoID, ".")]
		d.ChildrenIDs = test.children
		f.docs[models.ModuleID(repoID, ".")] = d
		res := explore(t, f, structure.Request{IncludeSummaries: true})
		if stale := res.Meta.FreshnessState == models.Stale; stale != (test.want != nil) ||
			!stale && res.Meta.FreshnessState != models.Fresh { // as the index is
			t.Errorf("%s: %s", test.name, res.Meta.FreshnessState)
		}
		if diff := cmp.Diff(test.want, res.Meta.StaleFiles); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		if res = explore(t, f, structure.Request{}); res.Meta.FreshnessState != models.Fresh {
			t.Errorf("%s: a listing without summaries is %s", test.name, res.Meta.FreshnessState)
		}
	}
}

func TestExploreFails(t *testing.T) {
	f := setUp(t)
	tests := []struct {
		name string
		req  structure.Request
		code fault.Code
		says string
	}{
		{"unknown repository", structure.Request{RepoID: "x"}, fault.RepoNotFound, ""},
		{"missing folder", structure.Request{RepoID: repoID, Path: "nope"}, fault.PathNotFound, "nope"},
		{
			"misspelt folder",
			structure.Request{RepoID: repoID, Path: "internl"},
			fault.PathNotFound,
			`there is no "internl" in this repository now; did you mean "internal"?`,
		},
		{
			"misspelt folders",
			structure.Request{RepoID: repoID, Path: "Internal/aa"},
			fault.PathNotFound,
			`did you mean "internal/a"?`,
		},
		{
			"misspelt folder above",
			structure.Request{RepoID: repoID, Path: "cmmd/api"},
			fault.PathNotFound,
			`did you mean "cmd/api"?`,
		},
		{
			"misspelt file",
			structure.Request{RepoID: repoID, Path: "cmd/api/man.go"},
			fault.PathNotFound,
			`did you mean "cmd/api/main.go"?`,
		},
		{"a file", structure.Request{RepoID: repoID, Path: "main.go"}, fault.InvalidRequest, "get_file"},
		{"above the root", structure.Request{RepoID: repoID, Path: "../x"}, fault.InvalidPath, ".."},
		{"absolute", structure.Request{RepoID: repoID, Path: "/etc"}, fault.InvalidPath, "absolute"},
		{"git's folder", structure.Request{RepoID: repoID, Path: ".git"}, fault.InvalidPath, ".git"},
		{"bad pattern", structure.Request{RepoID: repoID, Pattern: "[a"}, fault.InvalidRequest, "pattern"},
		{"pattern above the root", structure.Request{RepoID: repoID, Pattern: "../*"}, fault.InvalidRequest, "relative"},
		{"foreign cursor", structure.Request{RepoID: repoID, Cursor: "AAAA"}, fault.InvalidRequest, "cursor"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := structure.New(f, f).Explore(t.Context(), test.req)
			if got := fault.CodeOf(err); got != test.code {
				t.Fatalf("code %s, want %s: %v", got, test.code, err)
			}
			if got := fault.MessageOf(err); !strings.Contains(got, test.says) {
				t.Errorf("message %q does not say %q", got, test.says)
			}
		})
	}
}

func FuzzExplore(f *testing.F) {
	for _, seed := range [][2]string{
		{"", "**"},
		{"internal", "*/a*"},
		{"../..", "../**"},
		{"a\x00", "[z-a]"},
		{"./internal/", "{a,b/}"},
		{`..\..`, `\`},
	} {
		f.Add(seed[0], seed[1])
	}
	fk := setUp(f)
	f.Fuzz(func(t *testing.T, path, pattern string) {
		res, err := structure.New(fk, fk).Explore(t.Context(),
			structure.Request{RepoID: repoID, Path: path, Pattern: pattern})
		if err != nil {
			if code := fault.CodeOf(err); code.Row().HTTP >= 500 {
				t.Fatalf("%s: %v", code, err)
			}
			return
		}
		for _, file := range res.Items[0].Files {
			if !filepath.IsLocal(file.Path) {
				t.Fatalf("%q is outside", file.Path)
			}
		}
	})
}

// A folder is found by its name however the accents of that are written.
func TestFolderInAnotherForm(t *testing.T) {
	f := setUp(t)
	const composed, decomposed = "caf\u00e9", "cafe\u0301"
	if err := os.MkdirAll(filepath.Join(f.root, decomposed), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(f.root, decomposed, "a.md"), []byte("# A\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{composed, decomposed} {
		res := explore(t, f, structure.Request{Path: path})
		if got := res.Items[0]; got.Path != decomposed || len(got.Files) != 1 || got.Files[0].Path != decomposed+"/a.md" {
			t.Errorf("%q: %+v", path, got)
		}
	}
}

// What ragnav itself keeps in a repository is none of its folders, nor is it
// looked into.
func TestOwnFolderIsNotListed(t *testing.T) {
	f := setUp(t)
	if err := os.MkdirAll(filepath.Join(f.root, ".llmc"), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(f.root, ".llmc", "rag_graph.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"", ".*", "**"} {
		res, err := structure.New(f, f).Explore(t.Context(), structure.Request{RepoID: repoID, Pattern: pattern})
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range res.Items[0].Directories {
			if strings.HasPrefix(dir, ".llmc") {
				t.Errorf("pattern %q lists %s", pattern, dir)
			}
		}
	}
}

// A pattern whose braces stand for 2^200 globs is refused; before, it was matched.
func TestPatternOfManyGlobs(t *testing.T) {
	f := setUp(t)
	_, err := structure.New(f, f).Explore(t.Context(),
		structure.Request{RepoID: repoID, Pattern: strings.Repeat("{a,a}", 199) + "b"})
	if fault.CodeOf(err) != fault.InvalidRequest || !strings.Contains(fault.MessageOf(err), "256") {
		t.Errorf("error %v, want INVALID_REQUEST with the limit", err)
	}
}

// What can't be listed is counted.
func TestOddNamesAreCounted(t *testing.T) {
	f := setUp(t)
	for _, name := range []string{"two\nlines.go", "latin\xe9.go"} {
		if err := os.WriteFile(filepath.Join(f.root, "internal", name), []byte("package a\n"), 0o600); err != nil {
			t.Skipf("SKIPPED: this file system takes no such names: %v", err)
		}
	}
	for _, test := range []struct{ path, pattern, want string }{
		{"internal", "", ": 2 in this folder"},
		{"internal/a", "", ""},
		{"", "", ""},
		{"", "**", ": 2 in and below this folder"},
		{"", "**/*.md", ": 2 in and below this folder"},
		{"internal/a", "**", ""},
	} {
		got := warnings(explore(t, f, structure.Request{Path: test.path, Pattern: test.pattern}))
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("of %s %s: %q, want %q", test.path, test.pattern, got, test.want)
		}
	}
}

func warnings(res structure.Response) string {
	var said []string
	for _, w := range res.Meta.Warnings {
		said = append(said, w.Message)
	}
	return strings.Join(said, "\n")
}

// A folder whose files are not indexed says why: it is a submodule's, or ignored.
func TestFoldersThatAreNotIndexed(t *testing.T) {
	repotest.NeedGit(t)
	f, lib := setUp(t), repotest.Tree(t, map[string]string{"lib.go": "package lib\n", "deep/d.go": "package deep\n"})
	repotest.Write(t, f.root, map[string]string{".gitignore": "build/\n", "build/out.js": "1\n"})
	repotest.Run(t, f.root, "init", "-q")
	for _, at := range []string{"ext/lib", "ext/absent"} {
		repotest.Run(t, f.root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib, at)
	}
	repotest.Run(t, f.root, "submodule", "--quiet", "deinit", "-f", "ext/absent")
	for _, test := range []struct{ path, pattern, message, warning string }{
		{"ext/lib", "", "", "in the submodule or nested repository ext/lib"},
		{"ext/lib/deep", "", "", "in the submodule or nested repository ext/lib"},
		{"ext/absent", "", "`git submodule update --init`", ""},
		{"build", "", "", `rule "build/" in .gitignore line 1`},
		{"ext", "**", "nothing below", "what is in 2 submodules"},
		{"ext", "", "", ""},
		{"cmd", "", "", ""},
	} {
		res := explore(t, f, structure.Request{Path: test.path, Pattern: test.pattern})
		message, warned := models.Or(res.Meta.Message, ""), warnings(res)
		if (message == "") != (test.message == "") || !strings.Contains(message, test.message) ||
			(warned == "") != (test.warning == "") || !strings.Contains(warned, test.warning) {
			t.Errorf("%s %s: message %q, warnings %q; want %q, %q", test.path, test.pattern, message, warned, test.message,
				test.warning)
		}
	}
}

// Folders that can't be read are counted, where a pattern looks into them.
func TestClosedFoldersAreCounted(t *testing.T) {
	if repotest.AsNobody(t) {
		return
	}
	f := setUp(t)
	closed := filepath.Join(f.root, "internal", "a")
	if err := os.Chmod(closed, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(closed, 0o700) })
	got := warnings(explore(t, f, structure.Request{Pattern: "**"}))
	if !strings.Contains(got, "what is in 1 folder that can't be read") {
		t.Errorf("%q, want that a folder can't be read", got)
	}
}

// Brackets in a pattern may be a part of names.
func TestPatternWithBracketsInNames(t *testing.T) {
	f := setUp(t)
	repotest.Write(t, f.root, map[string]string{
		"app/[slug]/page.tsx": "1\n", "app/[slug]/[id].ts": "1\n", "app/s/page.tsx": "1\n",
	})
	for pattern, want := range map[string]string{
		"app/[slug]/page.tsx": "app/[slug]/page.tsx app/s/page.tsx",
		"app/[slug]/**/*.ts":  "app/[slug]/[id].ts",
	} {
		var got []string
		for _, file := range explore(t, f, structure.Request{Pattern: pattern}).Items[0].Files {
			got = append(got, file.Path)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", pattern, got, want)
		}
	}
	if got := explore(t, f, structure.Request{Path: "app/[slug]", Pattern: "[id].ts"}).Items[0].Files; len(got) != 1 {
		t.Errorf("[id].ts: %v, want the file of that name", got)
	}
}
