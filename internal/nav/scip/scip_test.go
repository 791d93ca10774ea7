package scip

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fresh"
)

func TestSymbolGrammar(t *testing.T) {
	for _, text := range []string{
		"scip-typescript npm rxjs 7.8.2 src/`types.ts`/Observer#next().",
		"scip-python python rich 13.7.1 `rich.style`/Style#__init__().(color)",
		"scip-go gomod example.com/m v1.0.0 `example.com/m/lib`/List#Add(+1).",
		"scip-x . . . f().[T]",
		"a  b . c  d 1 `back``tick`#m!k:",
	} {
		s, ok := Parse(text)
		if !ok || s.String() != text {
			t.Errorf("%q is read as %+v (%t), written %q", text, s, ok, s.String())
		}
	}
	for _, text := range []string{
		"", "local 1", "a b c d", "a b c d ", "a b c d x", "a b c d `x", "a b c d x(",
		"a b c d [x", "a b c d ``#",
	} {
		if s, ok := Parse(text); ok {
			t.Errorf("%q is taken for the symbol %+v", text, s)
		}
	}
	if got := nameOf("s . . . a/B#`do it`()."); got != "do it" {
		t.Errorf("the last name is %q", got)
	}
}

// document is one with all fields that are read.
var document = Document{
	Path: "a/b.go", Language: "Go", Text: "package b\n", Encoding: UTF8,
	Occurrences: []Occurrence{
		{Range: Range{0, 8, 0, 9}, Symbol: "s . . . b/", Roles: Definition | Generated, Enclosing: Range{0, 0, 2, 4}},
		{Range: Range{3, 1, 4, 2}, Symbol: "local 3", Roles: ReadAccess},
	},
	Symbols: []SymbolInformation{{
		Symbol: "s . . . b/", Documentation: []string{"x", "y"}, Kind: KindNamespace, DisplayName: "b",
		Signature: "package b", Language: "Go", Enclosing: "s . . . a/",
		Relationships: []Relationship{{
			Symbol: "s . . . c/", IsReference: true, IsImplementation: true,
			IsTypeDefinition: true, IsDefinition: true,
		}},
	}},
}

func encoded(t testing.TB, docs ...Document) []byte {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b)
	if err := w.Metadata(Metadata{ToolName: "test", ToolVersion: "1", ProjectRoot: "file:///x"}); err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		if err := w.Document(d); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func decoded(data []byte) (meta Metadata, docs []Document, err error) {
	err = Read(data, func(m Metadata) error { meta = m; return nil },
		func(d Document) error { docs = append(docs, d); return nil })
	return meta, docs, err
}

func TestReadWhatWasWritten(t *testing.T) {
	data := encoded(t, document, Document{Path: "c"})
	meta, docs, err := decoded(data)
	if err != nil || meta != (Metadata{"test", "1", "file:///x"}) {
		t.Errorf("metadata %+v, error %v", meta, err)
	}
	if diff := cmp.Diff([]Document{document, {Path: "c"}}, docs); diff != "" {
		t.Errorf("documents (-want +got):\n%s", diff)
	}
	for n := 1; n < len(data); n++ {
		if _, docs, err := decoded(data[:n]); err == nil && len(docs) == 2 {
			t.Errorf("the first %d of %d bytes are taken for the whole", n, len(data))
		}
	}
	for _, bad := range []string{"", "hello, this is text\n", "\x1f\x8b\x08"} {
		if _, _, err := decoded([]byte(bad)); !errors.Is(err, errDamaged) {
			t.Errorf("%q: error %v", bad, err)
		}
	}
}

func TestOffset(t *testing.T) {
	const line = "aß𝒳z"
	for _, c := range []struct {
		e    Encoding
		char int32
		want int
		ok   bool
	}{
		{UTF8, 7, 7, true},
		{UTF16, 4, 7, true},
		{UTF32, 3, 7, true},
		{UTF16, 5, 8, true},
		{UTF16, 6, 0, false},
		{UTF32, 5, 0, false},
		{UTF8, 9, 9, false},
	} {
		if got, ok := c.e.offset(line, c.char); ok != c.ok || ok && got != c.want {
			t.Errorf("character %d in encoding %d is at byte %d (%t), want %d (%t)", c.char, c.e, got, ok, c.want, c.ok)
		}
	}
}

// indexOf makes an index of texts in which each word is a symbol, declared where
// it has a star before it.
func indexOf(texts map[string]string) (docs []Document) {
	for p, text := range texts {
		d := Document{Path: p, Encoding: UTF16}
		for n, line := range strings.Split(text, "\n") {
			for i := 0; i < len(line); i++ {
				if !isWord(rune(line[i])) {
					continue
				}
				end := i
				for end < len(line) && isWord(rune(line[end])) {
					end++
				}
				o := Occurrence{Range: Range{int32(n), int32(i), int32(n), int32(end)}, Symbol: "t . . . " + line[i:end] + "#"}
				if i > 0 && line[i-1] == '*' {
					o.Roles = Definition
				}
				d.Occurrences, i = append(d.Occurrences, o), end
			}
		}
		docs = append(docs, d)
	}
	return docs
}

var texts = map[string]string{"pkg/a.x": "*foo *bar\nfoo bar baz\n", "pkg/b.x": "foo\n  *baz foo\n"}

func tableOf(t testing.TB, data []byte, files map[string]string) (*Table, Report) {
	t.Helper()
	table, report, err := newTable([]Input{{Data: data, Source: Source{ModTime: time.Unix(7, 0)}}}, "/root",
		func(p string) bool { return files[p] != "" },
		func(p string) (string, Hash, bool) { return files[p], sha256.Sum256([]byte(files[p])), true })
	if err != nil {
		t.Fatal(err)
	}
	table.Made = time.Unix(8, 0).UTC()
	return table, report
}

func TestTable(t *testing.T) {
	data := encoded(t, indexOf(texts)...)
	table, report := tableOf(t, data, texts)
	if report.Documents != 2 || table.Len() != 2 || len(table.files[0].uses) != 3 ||
		table.files[1].uses[1] != (use{2, 8, table.files[1].uses[0].symbol}) {
		t.Errorf("%+v of %+v", report, table.files)
	}
	table.bound = true
	again, err := decode(table.Encode())
	if err != nil || again.Revision() != table.Revision() || !again.Made.Equal(table.Made) ||
		again.Sources[0].Tool != "test 1" || !again.Sources[0].ModTime.Equal(time.Unix(7, 0)) {
		t.Errorf("read again: %+v, %v", again, err)
	}
	if diff := cmp.Diff(table.files, again.files, cmp.AllowUnexported(file{}, use{})); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	damaged := table.Encode()
	damaged[len(damaged)-1] ^= 1
	if _, err := decode(damaged); err == nil {
		t.Error("a damaged table is taken")
	}
}

// What was made of another text, or of no file, is left out and named.
func TestOtherTexts(t *testing.T) {
	long := map[string]string{"a.x": strings.Repeat("*one two three\n", 20), "b.x": "*two one\n", "c.x": "*three\n"}
	data := encoded(t, indexOf(long)...)
	for name, edit := range map[string]func(string) string{
		"a line before": func(s string) string { return "x\n" + s },
		"words before":  func(s string) string { return strings.ReplaceAll(s, "*", "a*") },
		"shorter":       func(s string) string { return s[:len(s)/2] },
	} {
		table, report := tableOf(t, data, map[string]string{"a.x": edit(long["a.x"]), "b.x": long["b.x"]})
		if table.Len() != 1 || !slices.Equal(report.Changed, []string{"a.x"}) ||
			!slices.Equal(report.Missing, []string{"c.x"}) {
			t.Errorf("%s: %d files, %+v", name, table.Len(), report)
		}
	}
}

// An index of a folder is found to be one of it, by where it is or what it says.
func TestBelow(t *testing.T) {
	data := encoded(t, indexOf(map[string]string{"a.x": "*foo"})...)
	files := map[string]string{"packages/one/a.x": "*foo"}
	table, _, err := newTable([]Input{{Data: data, Source: Source{Path: "packages/one/index.scip"}}}, "/root",
		func(p string) bool { return files[p] != "" }, func(p string) (string, Hash, bool) { return files[p], Hash{}, true })
	if err != nil || table.Len() != 1 || table.files[0].path != "packages/one/a.x" {
		t.Errorf("%+v, %v", table, err)
	}
	if got := inside("/src/repo", "file:///src/repo/packages/one"); got != "packages/one" {
		t.Errorf("inside %q", got)
	}
}

func TestFolders(t *testing.T) {
	files := func(yield func(string, fresh.Hash) bool) {
		for _, p := range []string{"a/b/c/d/e.go", "x.go", "a/z.go"} {
			if !yield(p, fresh.Hash{}) {
				return
			}
		}
	}
	if got := Folders(files); !slices.Equal(got, []string{"", "a", "a/b", "a/b/c"}) {
		t.Errorf("folders %q", got)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(encoded(f, document))
	f.Add(encoded(f, indexOf(texts)...))
	f.Add([]byte("\x12\x06\x12\x04\x0a\x02\xff\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, docs, err := decoded(data)
		if err != nil {
			return
		}
		if _, again, err := decoded(encoded(t, docs...)); err != nil || len(again) != len(docs) {
			t.Fatalf("what was read is not read again: %v", err)
		}
		table, _ := tableOf(t, data, texts)
		table.bound = true
		if _, err := decode(table.Encode()); err != nil {
			t.Fatalf("the table of it is not read again: %v", err)
		}
	})
}

func FuzzDecode(f *testing.F) {
	table, _ := tableOf(f, encoded(f, indexOf(texts)...), texts)
	f.Add(table.Encode()[len(magic)+sha256.Size:])
	f.Fuzz(func(t *testing.T, data []byte) {
		sum := sha256.Sum256(data)
		table, err := decode(slices.Concat([]byte(magic), sum[:], data))
		if err == nil && table.Revision() == "" {
			t.Fatal("no revision")
		}
	})
}
