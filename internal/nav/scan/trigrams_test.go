package scan_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
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
)

// sequence yields files in order of paths.
func sequence(files map[string]string) iter.Seq2[scan.File, error] {
	return func(yield func(scan.File, error) bool) {
		paths := make([]string, 0, len(files))
		for p := range files {
			paths = append(paths, p)
		}
		slices.Sort(paths)
		for i, p := range paths {
			f := scan.File{
				Path: p, Size: int64(len(files[p])), ModTime: int64(1000 + i), Hash: [32]byte{byte(i)},
				Content: []byte(files[p]),
			}
			if !yield(f, nil) {
				return
			}
		}
	}
}

func build(t testing.TB, files map[string]string) *scan.Trigrams {
	t.Helper()
	path := filepath.Join(t.TempDir(), "trigrams")
	var data bytes.Buffer
	if err := scan.Build(context.Background(), &data, sequence(files)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return open(t, path)
}

func open(t testing.TB, path string) *scan.Trigrams {
	t.Helper()
	tri, err := scan.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tri.Close() })
	return tri
}

func compile(t testing.TB, q match.Query) *match.Matcher {
	t.Helper()
	m, err := match.Compile(q)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// matchingFiles are the files in which naive finds something.
func matchingFiles(files map[string]string, q match.Query) []string {
	var paths []string
	re := expression(q)
	for p, text := range files {
		if len(naive(p, text, re)) > 0 {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	return paths
}

func TestCandidatesMissNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long, and nothing in it runs side by side")
	}
	r := rand.New(rand.NewPCG(3, 4))
	narrowed := 0
	for round := range 20 {
		files := map[string]string{}
		for i := range 40 {
			files[fmt.Sprintf("d%d/f%02d.go", i%3, i)] = randomText(r)
		}
		tri := build(t, files)
		for range 50 {
			q := randomQuery(r)
			got, ok, err := tri.Candidates(compile(t, q))
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				continue
			}
			if len(got) < len(files) {
				narrowed++
			}
			if !slices.IsSorted(got) {
				t.Fatalf("round %d, %+v: not in order: %q", round, q, got)
			}
			for _, p := range matchingFiles(files, q) {
				if !slices.Contains(got, p) {
					t.Fatalf("round %d, %+v: %s is missing from %q, its text is\n%q", round, q, p, got, files[p])
				}
			}
		}
	}
	if narrowed < 250 {
		t.Errorf("the trigrams left files out for %d queries only", narrowed)
	}
}

func TestCandidates(t *testing.T) {
	files := map[string]string{
		"a.go": "package a // ErrTooLong\n", "b.go": "package b // errtoolong\n", "c.go": "foo.bar\nbaz\n",
		"d.go": "taſk\n", "e.bin": "ErrTooLong\x00", "f.txt": "\xff\xfee\x00r\x00r\x00t\x00o\x00o\x00", "g.go": "fo\no.bar",
	}
	tri := build(t, files)
	for name, c := range map[string]struct {
		query match.Query
		want  []string // nil is all
	}{
		"a word":                 {match.Query{Pattern: "ErrTooLong"}, []string{"a.go", "b.go"}},
		"nowhere":                {match.Query{Pattern: "nowhere"}, []string{}},
		"without case":           {match.Query{Pattern: "TASK", Case: match.Insensitive}, []string{"d.go"}},
		"too short":              {match.Query{Pattern: "er"}, nil},
		"UTF-16":                 {match.Query{Pattern: "errtoo"}, []string{"a.go", "b.go", "f.txt"}},
		"not over lines":         {match.Query{Pattern: "foo.bar"}, []string{"c.go"}},
		"expression":             {match.Query{Pattern: `foo\W*bar`, Regexp: true}, []string{"c.go"}},
		"alternatives":           {match.Query{Pattern: `foo|task`, Regexp: true}, []string{"c.go", "d.go"}},
		"one alternative is any": {match.Query{Pattern: `foo|.*`, Regexp: true}, nil},
		// only "o.bar" is sure
		"repeated": {match.Query{Pattern: `fo+\.bar`, Regexp: true}, []string{"c.go", "g.go"}},
		"optional": {match.Query{Pattern: `(foo)?\.bar`, Regexp: true}, []string{"c.go", "g.go"}},
	} {
		got, ok, err := tri.Candidates(compile(t, c.query))
		if err != nil {
			t.Fatal(err)
		}
		if ok != (c.want != nil) {
			t.Errorf("%s: says something: %v", name, ok)
		}
		if diff := cmp.Diff(c.want, got); ok && diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

func TestTrigramsKeepFiles(t *testing.T) {
	files := map[string]string{"a": "one", "b/c": "two", "ü": ""}
	var want, got []scan.File
	for f, err := range sequence(files) {
		if err != nil {
			t.Fatal(err)
		}
		f.Content = nil
		want = append(want, f)
	}
	tri := build(t, files)
	for f := range tri.Files() {
		got = append(got, f)
	}
	if diff := cmp.Diff(want, got); diff != "" || tri.Len() != 3 {
		t.Errorf("%d files: (-want +got)\n%s", tri.Len(), diff)
	}
}

func TestUnreadFilesAreCandidates(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trigrams")
	err := scan.Create(context.Background(), path, func(yield func(scan.File, error) bool) {
		_ = yield(scan.File{Path: "a", Content: []byte("something")}, nil) && yield(scan.File{Path: "b", Unread: true}, nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	got, ok, err := open(t, path).Candidates(compile(t, match.Query{Pattern: "nowhere"}))
	if diff := cmp.Diff([]string{"b"}, got); diff != "" || !ok || err != nil {
		t.Errorf("ok %v, %v: (-want +got)\n%s", ok, err, diff)
	}
}

func TestOverlay(t *testing.T) {
	got := scan.Overlay([]string{"a", "c", "e"}, []string{"b", "c", "z"})
	if diff := cmp.Diff([]string{"a", "b", "c", "e", "z"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A search over candidates and what changed since finds what a search over all
// files finds.
func TestTrigramsWithChanges(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	files := map[string]string{}
	for i := range 60 {
		files[fmt.Sprintf("f%02d.go", i)] = mostlyText(r)
	}
	tri := build(t, files)
	var changed []string
	for i := range 8 {
		p := fmt.Sprintf("f%02d.go", i*9)
		changed = append(changed, p)
		if i%3 == 0 {
			delete(files, p)
			continue
		}
		files[p] = mostlyText(r)
	}
	root, paths := write(t, files)
	for range 200 {
		q := randomQuery(r)
		candidates, ok, err := tri.Candidates(compile(t, q))
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			continue
		}
		got := find(t, root, scan.Overlay(candidates, changed), q, scan.Options{})
		if diff := cmp.Diff(find(t, root, paths, q, scan.Options{}).Matches, got.Matches); diff != "" {
			t.Fatalf("%+v: (-want +got)\n%s", q, diff)
		}
	}
}

// Lists of many lengths, of both forms, and a trigram in a few of many files.
func TestManyFiles(t *testing.T) {
	files := map[string]string{}
	for i := range 5000 {
		text := "everywhere"
		for _, n := range []int{2, 3, 7, 50, 999} {
			if i%n == 0 {
				text += fmt.Sprintf(" of%dth", n)
			}
		}
		files[fmt.Sprintf("f%04d", i)] = text
	}
	tri := build(t, files)
	for pattern, want := range map[string]int{
		"everywhere": 5000, "of2th": 2500, "of3th": 1667, "of7th": 715,
		"of50th": 100, "of999th": 6, "of4th": 0,
	} {
		got, ok, err := tri.Candidates(compile(t, match.Query{Pattern: pattern}))
		if err != nil || !ok || len(got) != want {
			t.Errorf("%s: %d files, want %d (%v, %v)", pattern, len(got), want, ok, err)
		}
	}
}

// A long file is a candidate for what is on one of its lines, not for what is in
// it somewhere.
func TestLongFiles(t *testing.T) {
	filler := strings.Repeat("0123456789 some more text\n", 10_000)
	files := map[string]string{
		"a": "short", "long": "first\n" + filler + "second\n" + filler + "third", "m": "",
		"one line": strings.Repeat("x", 300_000) + "first.*second", "z": "third",
	}
	tri := build(t, files)
	for pattern, want := range map[string][]string{
		"first": {"long", "one line"}, "second": {"long", "one line"}, "third": {"long", "z"}, "first.*second": {"one line"},
		"short": {"a"}, "third.*second": {}, "89 some": {"long"},
	} {
		got, ok, err := tri.Candidates(compile(t, match.Query{Pattern: pattern, Regexp: true}))
		if diff := cmp.Diff(want, got); diff != "" || !ok || err != nil {
			t.Errorf("%s: %v, %v: (-want +got)\n%s", pattern, ok, err, diff)
		}
	}
}

func TestBuildIsDeterministicAndOrdered(t *testing.T) {
	files := map[string]string{}
	for i := range 300 {
		files[fmt.Sprint("f", i)] = strings.Repeat(fmt.Sprint("line ", i*7919, "\n"), 50)
	}
	var a, b bytes.Buffer
	for _, w := range []*bytes.Buffer{&a, &b} {
		if err := scan.Build(context.Background(), w, sequence(files)); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("two builds differ")
	}
	err := scan.Build(context.Background(), &a, func(yield func(scan.File, error) bool) {
		_ = yield(scan.File{Path: "b"}, nil) && yield(scan.File{Path: "a"}, nil)
	})
	if err == nil {
		t.Error("files out of order were taken")
	}
}

func TestCreateLeavesTheOldFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "trigrams")
	if err := scan.Create(context.Background(), path, sequence(map[string]string{"a": "old text"})); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := scan.Create(context.Background(), path, func(yield func(scan.File, error) bool) {
		_ = yield(scan.File{Path: "b"}, nil) && yield(scan.File{}, broken)
	})
	if !errors.Is(err, broken) {
		t.Errorf("error is %v", err)
	}
	if tri := open(t, path); tri.Len() != 1 {
		t.Errorf("%d files", tri.Len())
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("temporary files stay: %v", left)
	}
}

// Each byte of a trigram file matters: with any one changed, or with the end
// missing, the file is refused or the answer is an error or the right one.
func TestDamagedTrigrams(t *testing.T) {
	var whole bytes.Buffer
	if err := scan.Build(context.Background(), &whole,
		sequence(map[string]string{"a.go": "some text here\n", "b.go": "other text\n"})); err != nil {
		t.Fatal(err)
	}
	m := compile(t, match.Query{Pattern: "some text"})
	path := filepath.Join(t.TempDir(), "trigrams")
	check := func(name string, data []byte) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		tri, err := scan.Open(path)
		if err != nil {
			if code := fault.CodeOf(err); code != fault.IndexNotReady && len(data) > 0 {
				t.Errorf("%s: code %s", name, code)
			}
			return
		}
		defer func() { _ = tri.Close() }()
		got, ok, err := tri.Candidates(m)
		if err == nil && (!ok || !slices.Contains(got, "a.go")) {
			t.Errorf("%s: candidates %q, %v", name, got, ok)
		}
	}
	for i := 0; i < whole.Len(); i += 1 + i/100 { // the header byte by byte
		data := bytes.Clone(whole.Bytes())
		data[i] ^= 0x41
		check(fmt.Sprint("byte ", i), data)
		check(fmt.Sprint("cut at ", i), data[:i])
	}
	if _, err := scan.Open(filepath.Join(t.TempDir(), "none")); fault.CodeOf(err) != fault.PathNotFound {
		t.Errorf("a missing file: %v", err)
	}
}

// However it is written, a pattern is prepared in a moment.
func TestCompileIsQuick(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it compiles for long")
	}
	for _, p := range []string{
		strings.Repeat("(a|b|c|d)?", 400), strings.Repeat("[ab]", 1000) + "needle",
		strings.Repeat("(", 900) + strings.Repeat(")*", 900), "((([a-z]{1,20}){1,10}){1,4})x",
		strings.Repeat("(ab|cd)+", 400), strings.Repeat("a", 4096), strings.Repeat("a|", 2000),
		strings.Repeat(`(\pL\b)?`, 200), "(?i)" + strings.Repeat("ſ", 2000),
	} {
		start := time.Now()
		m, err := match.Compile(match.Query{Pattern: p, Regexp: true, Word: true})
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%.30s took %v", p, took)
		} else if testing.Verbose() {
			t.Logf("%.30s: %v", p, took)
		}
		if err != nil {
			continue
		}
		if _, err := scan.Search(t.Context(), memory{"f": head + strings.Repeat("abcd", 2000)}, []string{"f"}, m,
			scan.Options{}); err != nil {
			t.Error(err)
		}
	}
}

func TestClausesOfManyPieces(t *testing.T) {
	files := map[string]string{"a": strings.Repeat("ab", 30) + "needle", "b": strings.Repeat("ab", 30)}
	got, ok, err := build(t,
		files).Candidates(compile(t, match.Query{Pattern: strings.Repeat("[ab]", 60) + "needle", Regexp: true}))
	if diff := cmp.Diff([]string{"a"}, got); diff != "" || !ok || err != nil {
		t.Errorf("%v, %v: (-want +got)\n%s", ok, err, diff)
	}
}
