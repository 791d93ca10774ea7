package app_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// inUTF16 is a text in UTF-16 of either byte order, with a byte order mark or without.
func inUTF16(text string, order binary.ByteOrder, mark bool) string {
	var out []byte
	add := func(unit uint16) { out = append(out, 0, 0); order.PutUint16(out[len(out)-2:], unit) }
	if mark {
		add(0xfeff)
	}
	for _, unit := range utf16.Encode([]rune(text)) {
		add(unit)
	}
	return string(out)
}

// Whatever ends the lines of a file and encodes them, a symbol is found at the
// line at which it is read. Every file has one symbol with a name of its own.
func TestOddLines(t *testing.T) {
	source := map[string]string{
		"go":   "package odd\n\n// comment\n\n// NAME walks.\nfunc NAME() {\n\treturn\n}\n\nvar tail = 1\n",
		"py":   "import os\n\n# comment\n\ndef NAME():\n    return 1\n\ntail = 1\n",
		"js":   "// comment\n\n\nfunction NAME(a) {\n  return a;\n}\n\nlet tail = 1;\n",
		"java": "package odd;\n\n/** NAME. */\npublic class NAME {\n  int f;\n}\n",
		"md":   "intro\n\nmore\n\n## NAME\n\ntext of NAME\n",
		"c":    "#include <a.h>\n\n/* c */\nint NAME(int a)\n{\n  return a;\n}\n",
		"rs":   "use a::b;\n\n/// doc\npub fn NAME() -> i32 {\n    1\n}\n",
		"rb":   "# c\n\n\ndef NAME\n  1\nend\n",
	}
	forms := map[string]func(string) string{
		"lf":   func(s string) string { return s },
		"crlf": func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		"cr":   func(s string) string { return strings.ReplaceAll(s, "\n", "\r") },
		"somecr": func(s string) string {
			return strings.Replace(strings.Replace(s, "\n", "\r\n", 2), "comment", "com\rment", 1)
		},
		"bom":      func(s string) string { return "\ufeff" + s },
		"bomcrlf":  func(s string) string { return "\ufeff" + strings.ReplaceAll(s, "\n", "\r\n") },
		"le":       func(s string) string { return inUTF16(s, binary.LittleEndian, true) },
		"be":       func(s string) string { return inUTF16(s, binary.BigEndian, true) },
		"lecrlf":   func(s string) string { return inUTF16(strings.ReplaceAll(s, "\n", "\r\n"), binary.LittleEndian, true) },
		"leodd":    func(s string) string { return inUTF16(s, binary.LittleEndian, true) + "x" },
		"nomarkle": func(s string) string { return inUTF16(s, binary.LittleEndian, false) },
		"nomarkbe": func(s string) string { return inUTF16(s, binary.BigEndian, false) },
		"latin":    func(s string) string { return strings.ReplaceAll(s, "tail", "t\xe4il") },
		"invalid":  func(s string) string { return strings.Replace(s, "c", "\xff\xfe\xc3", 1) },
		"feed":     func(s string) string { return strings.Replace(s, "\n\n", "\n\f\n", 1) },
		"vertical": func(s string) string { return strings.Replace(s, "\n\n", "\n\v\n", 1) },
		"separator": func(s string) string { // other ends of lines of Unicode are none here
			return strings.Replace(s, "\n\n", "\n\u2028\u2029\u0085\n", 1)
		},
		"noend":   func(s string) string { return strings.TrimRight(s, "\n") },
		"blank":   func(s string) string { return strings.Repeat("\n", 500) + s },
		"latenul": func(s string) string { return s + strings.Repeat("\n", 9000) + "\x00\n" },
	}
	a := open(t, t.TempDir())
	root := filepath.Join(t.TempDir(), "odd")
	names := map[string]string{} // symbol → file
	for form, change := range forms {
		for ext, text := range source {
			name := "walk" + form + ext
			names[name] = form + "." + ext
			writeFile(t, filepath.Join(root, form+"."+ext), change(strings.ReplaceAll(text, "NAME", name)))
		}
	}
	resp, err := op.StartIndex.By(t.Context(), a, index.StartRequest{Targets: []string{root}})
	if err != nil {
		t.Fatal(err)
	}
	if done, err := a.WatchJob(t.Context(), index.JobRequest{ID: resp.Items[0].ID}, func(index.Job) {}); err != nil ||
		done.Items[0].State != index.JobDone {
		t.Fatalf("the run: %+v, %v", done.Items, err)
	}
	notText := 0
	for name, file := range names {
		level := models.LevelSymbol
		if strings.HasSuffix(file, ".md") {
			level = models.LevelDoc
		}
		cover, err := op.Coverage.By(t.Context(), a, index.CoverageRequest{RepoID: "odd", Path: file})
		if err != nil {
			t.Fatal(err)
		}
		if !cover.Items[0].Indexed {
			notText++
			if !strings.HasPrefix(file, "nomark") || cover.Items[0].Reason != models.SkipBinary {
				t.Errorf("%s is left out: %+v", file, cover.Items[0])
			}
			continue
		}
		if file == "cr.go" { // to Go a comment goes on to the end of this file, so that it has no symbols
			continue
		}
		res, err := op.Search.By(t.Context(), a, search.Request{Query: name, Level: level, PathFilter: file, Limit: new(1)})
		if err != nil || len(res.Items) != 1 || res.Items[0].StartLine == nil {
			t.Errorf("%s: %d results, %v", file, len(res.Items), err)
			continue
		}
		hit := res.Items[0]
		lines, err := op.File.By(t.Context(), a,
			filefetch.Request{RepoID: "odd", FilePath: file, StartLine: hit.StartLine, EndLine: hit.EndLine})
		if err != nil || len(lines.Items) != 1 || !strings.Contains(lines.Items[0].Code, name) {
			t.Errorf("%s: lines %d to %d: %+v, %v", file, *hit.StartLine, *hit.EndLine, lines.Items, err)
		}
		wantExact(t, root, file, name, hit)
	}
	if notText != 2*len(source) {
		t.Errorf("%d files are not text, want those in UTF-16 without a byte order mark", notText)
	}
}

// wantExact wants the first line of a hit to be that of the declaration, or of
// its comment, in files of which every byte is as it was.
func wantExact(t *testing.T, root, file, name string, hit models.SearchResult) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	for n := *hit.StartLine; n <= *hit.EndLine && n <= len(lines); n++ {
		if strings.Contains(lines[n-1], name) {
			if n > *hit.StartLine+1 {
				t.Errorf("%s: %s is in line %d, the hit begins with line %d", file, name, n, *hit.StartLine)
			}
			return
		}
	}
	if !strings.HasPrefix(file, "le") && !strings.HasPrefix(file, "be") {
		t.Errorf("%s: %s is not in lines %d to %d", file, name, *hit.StartLine, *hit.EndLine)
	}
}

// A merge that is not decided leaves both sides in a file, with marks around them: what
// is declared and used in either is found where it is.
func TestConflicts(t *testing.T) {
	text := "CLAUSE<<<<<<< HEAD\nLEFT\n=======\nRIGHT\n>>>>>>> topic\nLAST\n"
	a := open(t, t.TempDir())
	root := filepath.Join(t.TempDir(), "merging")
	for file, words := range map[string][]string{
		"a.go": {"package a\n", "func leftGo() {}", "func rightGo() {}", "func last() { leftGo(); rightGo() }"},
		"a.py": {"import os\n", "def leftPython(): pass", "def rightPython(): pass", "def last(): leftPython()"},
	} {
		writeFile(t, filepath.Join(root, file), strings.NewReplacer(
			"CLAUSE", words[0], "LEFT", words[1], "RIGHT", words[2], "LAST", words[3]).Replace(text))
	}
	indexFolder(t, a, root)
	for name, line := range map[string]int{"leftGo": 3, "rightGo": 5, "leftPython": 3, "rightPython": 5} {
		found, err := op.Search.By(t.Context(), a, search.Request{Query: name, Level: models.LevelSymbol, Limit: new(1)})
		if err != nil || len(found.Items) != 1 || *found.Items[0].SymbolName != name || *found.Items[0].StartLine != line {
			t.Errorf("%s: found %+v, %v, want it in line %d", name, found.Items, err, line)
		}
		if strings.HasSuffix(name, "Python") { // uses are read in a worker, which this process has not
			continue
		}
		used, err := op.WhereUsed.By(t.Context(), a, nav.WhereUsedRequest{RepoID: "merging", Symbol: name})
		if err != nil || len(used.Items) != 1 || used.Items[0].Line != 7 {
			t.Errorf("%s: used %+v, %v, want one use in line 7", name, used.Items, err)
		}
	}
}
