package scan_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/scan"
	"github.com/ragnav/ragnav/internal/nav/scan/match"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/filekind"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// places are matches as path:line:column+length.
func places(r scan.Result) []string {
	found := []string{}
	for _, m := range r.Matches {
		found = append(found, fmt.Sprintf("%s:%d:%d+%d", m.Path, m.Line, m.Column, m.Length))
	}
	return found
}

func TestWhatIsALine(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		query match.Query
		want  []string
	}{
		"empty file": {"", match.Query{Pattern: ".*", Regexp: true}, []string{}},
		"only newlines": {
			"\n\n\n",
			match.Query{Pattern: "^$", Regexp: true},
			[]string{"f:1:1+0", "f:2:1+0", "f:3:1+0"},
		},
		"no newline at the end":   {"a\nb", match.Query{Pattern: "b$", Regexp: true}, []string{"f:2:1+1"}},
		"CRLF":                    {"ab\r\ncb\r\n", match.Query{Pattern: "b$", Regexp: true}, []string{"f:1:2+1", "f:2:2+1"}},
		"CRLF, dot":               {"ab\r\n", match.Query{Pattern: "b.", Regexp: true}, []string{}},
		"CRLF, literal":           {"ab\r\nab\rc\n", match.Query{Pattern: "b\r"}, []string{"f:2:2+2"}},
		"CR alone is no line end": {"a\rb\rc", match.Query{Pattern: "c"}, []string{"f:1:5+1"}},
		"CR at the end":           {"ab\r", match.Query{Pattern: "b$", Regexp: true}, []string{}},
		"not over lines":          {"a\nb\n", match.Query{Pattern: `a\s*b|[^x]{3}|(?s)a.b`, Regexp: true}, []string{}},
		"edges of the text":       {"ab\nab\n", match.Query{Pattern: `\Aab\z`, Regexp: true}, []string{"f:1:1+2", "f:2:1+2"}},
		"not UTF-8":               {"a\xffb \xe9t\xe9\n", match.Query{Pattern: "b .t"}, []string{}},
		"not UTF-8, dot": {
			"a\xffb \xe9t\xe9, and then more that is text\n",
			match.Query{Pattern: "b .t", Regexp: true},
			[]string{"f:1:3+4"},
		},
		"not UTF-8, U+FFFD": {"plain\na\xffb\n", match.Query{Pattern: "a\ufffdb"}, []string{"f:2:1+3"}},
		"byte order mark":   {"\xef\xbb\xbfabc\n", match.Query{Pattern: "^abc", Regexp: true}, []string{"f:1:1+3"}},
		"UTF-16":            {"\xff\xfea\x00\n\x00b\x00c\x00", match.Query{Pattern: "c"}, []string{"f:2:2+1"}},
		"UTF-16, big": {
			"\xfe\xff\x00a\x00\n\x00b\x00c",
			match.Query{Pattern: "C", Case: match.Insensitive},
			[]string{"f:2:2+1"},
		},
		"long s": {
			"xtask taſk task\n",
			match.Query{Pattern: "TASK", Case: match.Insensitive, Word: true},
			[]string{"f:1:7+5"},
		},
		"word": {
			"xab abx ab\n_ab ab_\nab1\néab\n(ab)\n",
			match.Query{Pattern: "ab", Word: true},
			[]string{"f:1:9+2", "f:5:2+2"},
		},
		"word of an expression": {
			"foobar foo\nfoobar\n",
			match.Query{Pattern: "foo|bar", Word: true, Regexp: true},
			[]string{"f:1:8+3"},
		},
		"overlapping": {"aaab\n", match.Query{Pattern: "aab"}, []string{"f:1:2+3"}},
	} {
		root, paths := write(t, map[string]string{"f": c.text})
		if diff := cmp.Diff(c.want, places(find(t, root, paths, c.query, scan.Options{}))); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

func TestLongLine(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long, and nothing in it runs side by side")
	}
	line := strings.Repeat("0123456789", 10<<20)
	root, paths := write(t, map[string]string{"f": line + "needle" + line[:100] + "\nneedle\n"})
	o := scan.Options{MaxFileSize: 1 << 30, Snippets: true}
	for _, q := range []match.Query{
		{Pattern: "needle"},
		{Pattern: "NEEDLE", Case: match.Insensitive},
		{Pattern: "need.e", Regexp: true},
	} {
		want := []string{"f:1:104857601+6", "f:2:1+6"}
		if q.Regexp {
			root, paths = write(t, map[string]string{"f": line[:4<<20] + "needle" + line[:100] + "\nneedle\n"})
			want[0] = "f:1:4194305+6"
		}
		r := find(t, root, paths, q, o)
		if diff := cmp.Diff(want, places(r)); diff != "" {
			t.Fatalf("%+v: (-want +got)\n%s", q, diff)
		}
		if s := r.Matches[0].Snippet; len(s.Text) > 1000 || !strings.Contains(s.Text, "needle") {
			t.Errorf("%+v: a snippet of %d bytes", q, len(s.Text))
		}
	}
}

func TestFilesThatAreNotSearched(t *testing.T) {
	root, _ := write(t, map[string]string{
		"binary": "needle\x00", "late": strings.Repeat("x", 8192) + "needle\x00", "large": strings.Repeat("needle\n", 200),
		"control": strings.Repeat("\x01", 40) + "needle", "latin": strings.Repeat("\xe9", 40) + "needle",
		"key":  "-----BEGIN PRIVATE KEY-----\nneedle\n",
		".env": "needle\n", "ok": "needle\n", "nul.a": strings.Repeat("\x00", 200_000), "dir/f": "needle\n",
		".git/config": "needle\n", "dir/.git": "needle\n",
	})
	if err := os.Mkdir(filepath.Join(root, "empty"), 0o755); err != nil { // a submodule that is not checked out
		t.Fatal(err)
	}
	paths := []string{
		"binary", "late", "large", "control", "latin", "key", ".env", "ok", "nul.a", "dir", "empty", "gone",
		"ok/below", ".git/config",
		"dir/.git", ".GIT/config",
		"../outside", "/etc/passwd", "", ".", "dir/../ok", "dir//f", `dir\f`, "a\x00b", "dir/", "git~1/x",
	}
	r := find(t, root, paths, match.Query{Pattern: "needle"}, scan.Options{MaxFileSize: 1000})
	if diff := cmp.Diff([]string{"ok:1:1+6"}, places(r)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	want := scan.Skipped{Binary: 1, TooLarge: 3, Gone: 4, Submodules: 1, Unreadable: 12, NoText: 2, Secret: 2}
	if diff := cmp.Diff(want, r.Skipped); diff != "" || r.Files != 1 || r.Bytes != 7 || r.Skipped.Total() != len(paths)-1 {
		t.Errorf("%d files, %d bytes, %d paths, skipped %d: (-want +got)\n%s", r.Files, r.Bytes, len(paths),
			r.Skipped.Total(), diff)
	}
	if r := find(t, root, []string{"late", "nul.a"}, match.Query{Pattern: "needle"},
		scan.Options{}); r.Skipped.Binary != 1 || len(r.Matches) != 1 {
		t.Errorf("a NUL behind the first 8 KiB is text, one before is not: %+v", r)
	}
}

// What is text is the same as for the index.
func TestTextIsWhatTheIndexTakes(t *testing.T) {
	for name, content := range map[string]string{
		"ASCII": "needle\n", "DEL": "needle\x7f", "escape": "needle \x1b[1m",
		"many controls": "needle" + strings.Repeat("\x02\x7f", 20),
		"accents":       "needle é", "latin": "needle\xe9", "mostly latin": "needle" + strings.Repeat("\xe9", 20),
		"cut rune": strings.Repeat("a", 7993) + "needleé",
	} {
		root, paths := write(t, map[string]string{"f": content})
		reason, _ := filekind.Examine([]byte(content))
		got := len(find(t, root, paths, match.Query{Pattern: "needle"}, scan.Options{}).Matches) == 1
		if want := reason == "" && name != "many controls"; got != want {
			t.Errorf("%s: searched is %v, want %v", name, got, want)
		}
	}
}

func TestCompileRefuses(t *testing.T) {
	for name, q := range map[string]match.Query{
		"empty": {}, "too long": {Pattern: strings.Repeat("a", match.MaxPattern+1)}, "NUL": {Pattern: "a\x00"},
		"newline":         {Pattern: "a\nb"},
		"escaped newline": {Pattern: `a\nb`, Regexp: true}, "class of a newline": {Pattern: `a[\n]b`, Regexp: true},
		"not UTF-8":      {Pattern: "\xff"},
		"bad expression": {Pattern: "a(", Regexp: true}, "unbalanced": {Pattern: "a)|(b", Regexp: true},
		"too large":      {Pattern: "((a{100}){100}){100}", Regexp: true},
		"too many steps": {Pattern: "(abcdefghij){500}(abcdefghij){500}x", Regexp: true},
		"look behind":    {Pattern: "(?<=a)b", Regexp: true}, "negative limit": {Pattern: "a", Limit: -1},
	} {
		if _, err := match.Compile(q); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSmartCase(t *testing.T) {
	for pattern, insensitive := range map[string]bool{
		"abc": true, "aBc": false, `\W\S+b`: true, `\pLb`: true, `\p{Greek}b`: true, `(?P<Name>b)`: true, `[A-Z]b`: false,
		`\QA\Eb`: false, `\x{4A}?b`: true, `[[:alpha:]]b`: true, "Éb": false,
	} {
		root, paths := write(t, map[string]string{"f": "xxB\nÉB AB .AB x aB\n"})
		r := find(t, root, paths, match.Query{Pattern: "(?:" + pattern + "|b)", Regexp: true}, scan.Options{})
		if got := len(r.Matches) > 0; got != insensitive {
			t.Errorf("%s finds the other case: %v", pattern, got)
		}
	}
}

func TestSearchStopsEarlyAndTheSame(t *testing.T) {
	files := map[string]string{}
	for i := range 400 {
		files[fmt.Sprintf("d%d/f%03d", i/50, i)] = strings.Repeat("needle\n", i%4) + strings.Repeat("hay\n", 100*(i%7))
	}
	root, paths := write(t, files)
	for _, limit := range []int{1, 2, 10, 100, 599, 600, 601} {
		q := match.Query{Pattern: "needle", Limit: limit}
		want := find(t, root, paths, q, scan.Options{Workers: 1, Snippets: true})
		for range 20 {
			got := find(t, root, paths, q, scan.Options{Workers: 4, Snippets: true})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("limit %d: (-one worker +four)\n%s", limit, diff)
			}
		}
		if len(want.Matches) != min(limit, 600) || want.Truncated != (limit < 600) {
			t.Errorf("limit %d: %d matches, truncated is %v", limit, len(want.Matches), want.Truncated)
		}
	}
}

func TestSearchEndsWithItsContext(t *testing.T) {
	root, paths := write(t,
		map[string]string{"f": strings.Repeat("aaaaaaaaa ", 4<<20), "g": strings.Repeat("abc abd\n", 4<<20)})
	m := compile(t, match.Query{Pattern: `(\w+\s+){30}[^a ]x?y`, Regexp: true})
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := scan.Search(ctx, scan.OpenFolder(root), paths, m, scan.Options{MaxFileSize: 1 << 30})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error is %v", err)
	}
	if took := time.Since(start); took > 20*time.Second { // it takes minutes to the end
		t.Errorf("it took %v", took)
	}
}

func TestSnippets(t *testing.T) {
	text := "one\ntwo\r\nthree\nfour é\xff\nfive\nsix\n\n"
	root, _ := write(t, map[string]string{"f": text, "b": "\x00", ".env": "x", "one": "only", "empty": ""})
	reader, err := scan.OpenFolder(root).Reader()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reader.Close() }()
	snippet := func(text string, start, end int) *models.Snippet {
		return &models.Snippet{Text: text, Location: models.SnippetLocation{Path: "f", StartLine: start, EndLine: end}}
	}
	got, err := scan.Snippets(context.Background(), reader, "f",
		[]scan.Spot{{Line: 4}, {Line: 1, Column: 2}, {Line: 7}, {Line: 8}, {Line: 0}}, 2)
	want := []*models.Snippet{
		snippet("two\nthree\nfour é\ufffd\nfive\nsix", 2, 6), snippet("one\ntwo\nthree", 1, 3),
		snippet("five\nsix\n", 5, 7), nil, nil,
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v: (-want +got)\n%s", err, diff)
	}
	for path, code := range map[string]fault.Code{
		"b": fault.BinaryFile, ".env": fault.Forbidden,
		"gone": fault.PathNotFound, "../f": fault.PathNotFound,
	} {
		if _, err := scan.Snippets(context.Background(), reader, path, []scan.Spot{{Line: 1}}, 2); fault.CodeOf(err) != code {
			t.Errorf("%s: %v", path, err)
		}
	}
	found, err := scan.Snippets(context.Background(), reader, "empty", []scan.Spot{{Line: 1}}, 2)
	if err != nil || found[0] != nil {
		t.Errorf("an empty file: %v, %v", found, err)
	}
	for _, m := range find(t, root, []string{"f"}, match.Query{Pattern: ".", Regexp: true},
		scan.Options{Snippets: true}).Matches {
		again, err := scan.Snippets(context.Background(), reader, "f", []scan.Spot{{Line: m.Line, Column: m.Column}}, 2)
		if diff := cmp.Diff(again[0], m.Snippet); diff != "" || err != nil {
			t.Errorf("line %d: %v: (-read again +search)\n%s", m.Line, err, diff)
		}
	}
}

func TestMissingFolder(t *testing.T) {
	_, err := scan.Search(context.Background(), scan.OpenFolder(filepath.Join(t.TempDir(), "none")), []string{"f"},
		compile(t, match.Query{Pattern: "a"}), scan.Options{})
	if fault.CodeOf(err) != fault.PathNotFound {
		t.Error(err)
	}
}

func TestPathsMayComeInAnyOrder(t *testing.T) {
	root, paths := write(t, map[string]string{"a": "x", "b": "x", "c/d": "x"})
	slices.Reverse(paths)
	mixed := append(slices.Clone(paths), "a")
	got := places(find(t, root, mixed, match.Query{Pattern: "x"}, scan.Options{}))
	if diff := cmp.Diff([]string{"a:1:1+1", "b:1:1+1", "c/d:1:1+1"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"c/d", "b", "a", "a"}, mixed); diff != "" {
		t.Errorf("the caller's paths were changed: (-want +got)\n%s", diff)
	}
}

func TestLiveSearchesWhatIsListed(t *testing.T) {
	root, paths := write(t,
		map[string]string{
			"a.go": "needle", "b/c.go": "needle", "b/d.txt": "needle", "ignored/x.go": "needle",
			".gitignore": "ignored/\n", ".env": "needle",
		})
	_ = paths
	tree, err := disk.Open(context.Background(), root)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tree.Close() }()
	keep := func(p string) bool { return strings.HasSuffix(p, ".go") || p == ".env" }
	r, err := scan.Live(context.Background(), tree, listing.Limits{}, compile(t, match.Query{Pattern: "needle"}),
		scan.Options{Keep: keep})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a.go:1:1+6", "b/c.go:1:1+6"}, places(r)); diff != "" || r.Skipped.Secret != 1 {
		t.Errorf("%+v: (-want +got)\n%s", r.Skipped, diff)
	}
}

// A folder that became a file holds nothing any more.
func TestDisappearingFiles(t *testing.T) {
	root, paths := write(t, map[string]string{"a": "x", "b": "x", "c/d": "x"})
	if err := os.RemoveAll(filepath.Join(root, "c")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "c"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := find(t, root, paths, match.Query{Pattern: "x"}, scan.Options{})
	if r.Skipped.Gone != 1 || len(r.Matches) != 2 {
		t.Errorf("%+v", r)
	}
}
