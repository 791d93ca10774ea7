package filefetch_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

const repoID models.RepoID = "acme/api"

// folder is a registered repository.
type folder string

func (f folder) Repository(_ context.Context, id models.RepoID) (models.Repository, error) {
	if id != repoID {
		return models.Repository{}, fault.New(fault.RepoNotFound, "no %s", id)
	}
	return models.Repository{RepoID: id, Root: string(f), State: models.StateFresh}, nil
}

func (folder) Open(ctx context.Context, known models.Repository) (repo.Files, error) {
	return repo.Open(ctx, known.Root)
}

const canary = "outside the repository"

func setUp(t testing.TB, files map[string]string) folder {
	t.Helper()
	base := t.TempDir()
	root := filepath.Join(base, "repo")
	repotest.Write(t, root, files)
	repotest.Write(t, base, map[string]string{"canary": canary})
	return folder(root)
}

func (f folder) link(t testing.TB, target, name string) {
	t.Helper()
	if err := os.Symlink(target, filepath.Join(string(f), name)); err != nil {
		t.Skip("SKIPPED: no symlinks here: ", err)
	}
}

func lines(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("x", i%7) + "\n")
	}
	return b.String()
}

func TestFile(t *testing.T) {
	f := setUp(t, map[string]string{
		"a.go": "package a\n\nfunc A() {}\n", "crlf.txt": "one\r\ntwo\r\n", "open.txt": "one\ntwo", "empty.txt": "",
		"latin1.txt": "caf\xe9\nau lait\n", "bom.txt": "\ufeffone\n", "utf16.txt": "\xff\xfeh\x00i\x00\n\x00",
		"blank.txt": "\n\n", "cafe\u0301.txt": "one\n", "th\u00e9.txt": "one\n",
	})
	tests := []struct {
		name       string
		path       string
		start, end *int
		want       models.FileContent
	}{
		{
			"all of it", "a.go", nil, nil,
			models.FileContent{Code: "package a\n\nfunc A() {}\n", StartLine: 1, EndLine: 3, TotalLines: 3, Language: "Go"},
		},
		{
			"a name that the system decomposed", "caf\u00e9.txt", nil, nil,
			models.FileContent{
				FilePath: "cafe\u0301.txt", Code: "one\n", StartLine: 1, EndLine: 1, TotalLines: 1, Language: "Text",
			},
		},
		{
			"a name that the client decomposed", "the\u0301.txt", nil, nil,
			models.FileContent{
				FilePath: "th\u00e9.txt", Code: "one\n", StartLine: 1, EndLine: 1, TotalLines: 1, Language: "Text",
			},
		},
		{
			"one line", "a.go", new(3), new(3),
			models.FileContent{Code: "func A() {}\n", StartLine: 3, EndLine: 3, TotalLines: 3, Language: "Go"},
		},
		{
			"from a line", "a.go", new(2), nil,
			models.FileContent{Code: "\nfunc A() {}\n", StartLine: 2, EndLine: 3, TotalLines: 3, Language: "Go"},
		},
		{
			"the end is clamped", "a.go", new(3), new(99),
			models.FileContent{Code: "func A() {}\n", StartLine: 3, EndLine: 3, TotalLines: 3, Language: "Go"},
		},
		{
			"a path with a dot", "./a.go", new(1), new(1),
			models.FileContent{FilePath: "a.go", Code: "package a\n", StartLine: 1, EndLine: 1, TotalLines: 3, Language: "Go"},
		},
		{
			"line ends stay", "crlf.txt", new(1), new(1),
			models.FileContent{Code: "one\r\n", StartLine: 1, EndLine: 1, TotalLines: 2, Language: "Text"},
		},
		{
			"no newline at the end", "open.txt", nil, nil,
			models.FileContent{Code: "one\ntwo", StartLine: 1, EndLine: 2, TotalLines: 2, Language: "Text"},
		},
		{"empty", "empty.txt", nil, nil, models.FileContent{StartLine: 1, Language: "Text"}},
		{"empty, asked for its first line", "empty.txt", new(1), new(1), models.FileContent{StartLine: 1, Language: "Text"}},
		{
			"blank lines", "blank.txt", nil, nil,
			models.FileContent{Code: "\n\n", StartLine: 1, EndLine: 2, TotalLines: 2, Language: "Text"},
		},
		{
			"not UTF-8", "latin1.txt", nil, nil,
			models.FileContent{Code: "café\nau lait\n", StartLine: 1, EndLine: 2, TotalLines: 2, Language: "Text"},
		},
		{
			"byte order mark", "bom.txt", nil, nil,
			models.FileContent{Code: "one\n", StartLine: 1, EndLine: 1, TotalLines: 1, Language: "Text"},
		},
		{
			"UTF-16", "utf16.txt", nil, nil,
			models.FileContent{Code: "hi\n", StartLine: 1, EndLine: 1, TotalLines: 1, Language: "Text"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			res, err := filefetch.New(f).File(t.Context(),
				filefetch.Request{RepoID: repoID, FilePath: test.path, StartLine: test.start, EndLine: test.end})
			if err != nil {
				t.Fatal(err)
			}
			test.want.RepoID = repoID
			if test.want.FilePath == "" {
				test.want.FilePath = test.path
			}
			if diff := cmp.Diff(test.want, res.Items[0]); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFileFails(t *testing.T) {
	f := setUp(t, map[string]string{
		"a.go": "package a\n\nfunc A() {}\n", "logo.png": "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", ".env": "KEY=1\n",
		"dir/x": "x\n", "dir/x.bin": "\x00", ".git/config": "secret\n",
		"key.txt": "-----BEGIN RSA PRIVATE KEY-----\nMII\n", "empty.txt": "",
	})
	f.link(t, "../canary", "out")
	f.link(t, ".env", "innocent.txt")
	tests := []struct {
		name, path string
		start, end int
		code       fault.Code
		says       string
	}{
		{"past the end", "a.go", 4, 0, fault.LineOutOfRange, "has 3 lines"},
		{"past the end of nothing", "empty.txt", 2, 0, fault.LineOutOfRange, "0 lines"},
		{"end before start", "a.go", 3, 2, fault.InvalidRequest, "before"},
		{"missing", "b.go", 0, 0, fault.PathNotFound, "b.go"},
		{"a folder", "dir", 0, 0, fault.InvalidPath, "structure"},
		{"the root", ".", 0, 0, fault.InvalidPath, `"." is a folder`},
		{"below a file", "a.go/b", 0, 0, fault.PathNotFound, ""},
		{"binary", "logo.png", 0, 0, fault.BinaryFile, "image/png"},
		{"binary in a folder", "dir/x.bin", 0, 0, fault.BinaryFile, `"dir/x.bin"`},
		{"a secret store", ".env", 0, 0, fault.Forbidden, "secrets"},
		{"a link to a secret store", "innocent.txt", 0, 0, fault.Forbidden, "secrets"},
		{"a private key by content", "key.txt", 0, 0, fault.Forbidden, "private key"},
		{"git's folder", ".git/config", 0, 0, fault.InvalidPath, ".git"},
		{"above the root", "dir/../../canary", 0, 0, fault.InvalidPath, ".."},
		{"absolute", "/etc/passwd", 0, 0, fault.InvalidPath, "absolute"},
		{"a NUL", "a.go\x00", 0, 0, fault.InvalidPath, "NUL"},
		{"a link that leaves", "out", 0, 0, fault.InvalidPath, "symlink"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := filefetch.New(f).Lines(t.Context(), repoID, test.path, max(1, test.start), test.end)
			if got := fault.CodeOf(err); got != test.code {
				t.Fatalf("code %s, want %s: %v", got, test.code, err)
			}
			if got := fault.MessageOf(err); !strings.Contains(got, test.says) {
				t.Errorf("message %q does not say %q", got, test.says)
			}
		})
	}
}

// Of a path that is not there the error names those that may have been meant.
func TestPathsThatMayBeMeant(t *testing.T) {
	f := setUp(t, map[string]string{
		"src/shop/fields.py": "x\n", "src/shop/schema.py": "x\n", "tests/schema.py": "x\n", "README.md": "x\n",
		"tests/app/.env": "x\n", "id_rsa": "x\n",
	})
	for name, says := range map[string]string{
		"src/shop/feilds.py": `did you mean "src/shop/fields.py"?`,
		"REAMDE.md":          `did you mean "README.md"?`,
		"shop/schema.py":     `did you mean "src/shop/schema.py", "tests/schema.py"?`,
		"src/shpo/fields.py": `did you mean "src/shop/fields.py"?`,
		"src/shop/tax.rs":    "explore_structure lists what there is",
		".env":               "explore_structure lists what there is", // the others of that name are never served
		"id_rsb":             "explore_structure lists what there is",
	} {
		_, err := filefetch.New(f).File(t.Context(), filefetch.Request{RepoID: repoID, FilePath: name})
		if got := fault.MessageOf(err); fault.CodeOf(err) != fault.PathNotFound || !strings.HasSuffix(got, says) {
			t.Errorf("%s: %q, want %q", name, got, says)
		}
	}
}

func TestFileOfMissingRepository(t *testing.T) {
	f := setUp(t, map[string]string{"a.go": "package a\n"})
	_, err := filefetch.New(f).File(t.Context(), filefetch.Request{RepoID: "x", FilePath: "a.go"})
	if fault.CodeOf(err) != fault.RepoNotFound {
		t.Errorf("got %v", err)
	}
}

// The pages of a long file, asked for as each message says, are the file.
func TestLongFile(t *testing.T) {
	text := lines(120_000)
	f := setUp(t, map[string]string{"long.txt": text})
	var got strings.Builder
	start, pages := 1, 0
	for {
		res, err := filefetch.New(f).File(t.Context(),
			filefetch.Request{RepoID: repoID, FilePath: "long.txt", StartLine: new(start)})
		if err != nil {
			t.Fatal(err)
		}
		c := res.Items[0]
		got.WriteString(c.Code)
		pages++
		if !c.Truncated {
			break
		}
		if start = c.EndLine + 1; !strings.Contains(*res.Meta.Message, "start_line") || len(c.Code) > 256<<10 {
			t.Fatalf("message %q with %d bytes", *res.Meta.Message, len(c.Code))
		}
	}
	if got.String() != text || pages < 2 {
		t.Errorf("%d pages of %d bytes, want the %d of the file", pages, got.Len(), len(text))
	}
}

// Pages by cursor are the lines that were asked for, however long these are, and
// say of how many bytes they are.
func TestPagesByCursor(t *testing.T) {
	long := strings.Repeat("é", 200_000) + "\n"
	for name, test := range map[string]struct {
		text       string
		start, end *int
		want       string
	}{
		"many lines": {lines(120_000), nil, nil, lines(120_000)},
		"long lines": {long + long + "last", nil, nil, long + long + "last"},
		"a span":     {"first\n" + long + long + "last\n", new(2), new(3), long + long},
	} {
		t.Run(name, func(t *testing.T) {
			f := setUp(t, map[string]string{"long.txt": test.text})
			req := filefetch.Request{RepoID: repoID, FilePath: "long.txt", StartLine: test.start, EndLine: test.end}
			var got strings.Builder
			for {
				res, err := filefetch.New(f).File(t.Context(), req)
				if err != nil {
					t.Fatal(err)
				}
				c := res.Items[0]
				got.WriteString(c.Code)
				if c.Truncated != (res.Meta.NextCursor != "") || c.Truncated &&
					(!strings.Contains(*res.Meta.Message, fmt.Sprintf("%d of %d bytes", got.Len(), len(test.want)))) ||
					len(c.Code) > 256<<10 || !utf8.ValidString(c.Code) {
					t.Fatalf("lines %d-%d, %d bytes, message %q", c.StartLine, c.EndLine, len(c.Code), *res.Meta.Message)
				}
				if req.Cursor = res.Meta.NextCursor; req.Cursor == "" {
					break
				}
			}
			if got.String() != test.want {
				t.Errorf("%d bytes, want %d", got.Len(), len(test.want))
			}
		})
	}
}

func TestCursorOfChangedFile(t *testing.T) {
	f := setUp(t, map[string]string{"long.txt": lines(120_000)})
	req := filefetch.Request{RepoID: repoID, FilePath: "long.txt"}
	res, err := filefetch.New(f).File(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(string(f), "long.txt"), []byte("x"+lines(120_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	req.Cursor = res.Meta.NextCursor
	if _, err := filefetch.New(f).File(t.Context(), req); fault.CodeOf(err) != fault.InvalidRequest ||
		!strings.Contains(fault.MessageOf(err), "changed") {
		t.Errorf("cursor of a file that changed: %v", err)
	}
}

func FuzzFileStaysInside(f *testing.F) {
	fs := setUp(f, map[string]string{
		"a.go": "package a\n", "dir/b.go": "package b\n", ".git/config": canary,
		".env": canary,
	})
	fs.link(f, "../canary", "out")
	fs.link(f, "..", "up")
	fs.link(f, ".env", "innocent")
	for _, seed := range []string{
		"a.go", "../canary", "out", "up/canary", "dir/../../canary", `..\canary`, "/etc/passwd", "C:/x", ".git/config",
		".GIT/config", ".git./config",
		"dir//b.go", "a.go\x00", "\xff", "innocent", "./.env", "up/repo/.env", "dir/./b.go/", "git~1/config",
	} {
		f.Add(seed, 1, 0)
	}
	f.Fuzz(func(t *testing.T, path string, start, end int) {
		c, _, err := filefetch.New(fs).Lines(t.Context(), repoID, path, start, end)
		if err != nil {
			if code := fault.CodeOf(err); code.Row().HTTP >= 500 {
				t.Fatalf("%q: %s: %v", path, code, err)
			}
			return
		}
		if !filepath.IsLocal(filepath.FromSlash(c.FilePath)) || bytes.Contains([]byte(c.Code), []byte(canary)) {
			t.Fatalf("%q read %q of %q", path, c.Code, c.FilePath)
		}
	})
}

// counted counts how often the files of a folder are walked.
type counted struct {
	folder
	walks *int
}

type countedFiles struct {
	repo.Files
	walks *int
}

func (c counted) Open(ctx context.Context, known models.Repository) (repo.Files, error) {
	files, err := c.folder.Open(ctx, known)
	return countedFiles{files, c.walks}, err
}

func (c countedFiles) Walk(ctx context.Context, dir string, yield func(disk.Entry) error) error {
	*c.walks++
	return c.Files.Walk(ctx, dir, yield)
}

// However many paths are not there, the files are walked once to find what was meant.
func TestManyMissingPaths(t *testing.T) {
	walks := 0
	f := counted{setUp(t, map[string]string{"src/shop/fields.py": "x\n", "src/shop/tax.py": "x\n"}), &walks}
	req := filefetch.Request{RepoID: repoID, Spans: []filefetch.Span{{FilePath: "src/shop/tax.py"}}}
	for i := range 20 {
		req.Spans = append(req.Spans, filefetch.Span{FilePath: fmt.Sprintf("lib%d/fields.py", i)})
	}
	res, err := filefetch.New(f).File(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range res.Items[1:] {
		if !strings.HasSuffix(item.Error, `did you mean "src/shop/fields.py"?`) {
			t.Errorf("%s: %q", item.FilePath, item.Error)
		}
	}
	if walks != 1 {
		t.Errorf("walked %d times", walks)
	}
}

// Coverage writes an odd name with escapes: whoever asks for it so is told how to, or
// that nobody can.
func TestEscapedNames(t *testing.T) {
	svc := filefetch.New(setUp(t, map[string]string{"a\x01b.txt": "x\n", `z\tother.md`: "real\n"}))
	for name, want := range map[string]string{
		`a\x01b.txt`:  "has control characters",
		`caf\xe9.py`:  "is not valid UTF-8",
		`a\qope.txt`:  "explore_structure lists what there is",
		`z\tother.md`: "",
		"a\x01b.txt":  "",
	} {
		_, err := svc.File(t.Context(), filefetch.Request{RepoID: repoID, FilePath: name})
		switch {
		case want == "" && err != nil:
			t.Errorf("%q: %v", name, err)
		case want != "" && (fault.CodeOf(err) != fault.PathNotFound || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, want %q", name, err, want)
		}
	}
}
