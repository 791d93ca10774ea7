package app_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// oddExtensions are those of which files are cut off and made of noise.
var oddExtensions = []string{
	"go", "py", "js", "ts", "tsx", "java", "kt", "c", "h", "cpp", "cs", "rs", "rb", "php", "sh", "lua", "sql", "pl", "r",
	"jl", "ex", "hs", "ml", "scala",
	"groovy", "swift", "zig", "dart", "ps1", "vim", "cmake", "tex", "json", "yaml", "toml", "tf", "proto", "graphql",
	"html", "css", "xml", "md", "rst",
	"adoc", "txt", "ipynb", "csv", "svg", "ini",
}

// oddTexts are texts that hang or crash careless readers.
func oddTexts() map[string]string {
	deep := func(open, middle, closing string, n int) string {
		return strings.Repeat(open, n) + middle + strings.Repeat(closing, n)
	}
	return map[string]string{
		"parens.go": "package p\n\nvar x = " + strings.Repeat("(", 100_000), "parens.py": strings.Repeat("(", 100_000),
		"parens.c":  strings.Repeat("(", 100_000),
		"parens.js": "x = " + deep("(", "1", ")", 100_000), "calls.rb": strings.Repeat("f(", 100_000),
		"parens.md": strings.Repeat("(", 100_000), "links.md": strings.Repeat("[a](", 50_000),
		"deep.json": deep("[", "1", "]", 100_000), "objects.json": deep(`{"a":`, "1", "}", 100_000),
		"package.json": deep(`{"name":`, "1", "}", 100_000),
		"deep.yaml":    deep("[", "1", "]", 100_000), "indent.yaml": indented(1200),
		"bomb.yaml": "a: &a [x]\nb: &b [*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\nd: [*c,*c,*c,*c]\n",
		"deep.xml":  deep("<a>", "x", "</a>", 100_000), "pom.xml": deep("<a>", "x", "</a>", 100_000),
		"entities.xml": "<!DOCTYPE a [<!ENTITY b \"&c;&c;\"><!ENTITY c \"&b;\">]><a>&b;</a>",
		"deep.html":    deep("<div>", "x", "</div>", 50_000), "deep.toml": "a = " + deep("[", "1", "]", 100_000),
		"Cargo.toml": "[package]\nname = \"" + strings.Repeat("x", 500_000),
		"front.md":   "---\ntitle: " + deep("[", "a", "]", 100_000) + "\n---\n# Deep\n",
		"quotes.md":  strings.Repeat("> ", 100_000) + "x\n", "lists.md": indented(1000),
		"cells.ipynb": `{"cells":[` + deep("[", "", "]", 50_000) + "]}", "stars.md": strings.Repeat("*_", 200_000),
		"pipes.md": strings.Repeat("|", 300_000), "ticks.md": strings.Repeat("`", 300_000) + "x",
		"minified.js": strings.Repeat("function a(b){return b+1};", 400_000),
		"oneline.css": strings.Repeat(".a{b:c}", 100_000), "line.txt": strings.Repeat("x", 900_000),
		"go.mod": "module " + strings.Repeat("a/", 100_000),
		".gitignore": strings.Repeat("**/", 5000) + "x\n" + strings.Repeat("a*", 2000) + "\n[" + strings.Repeat("a-", 3000) +
			"\n",
		"zero.go": "package p\x00\nfunc F() {}\n", "nul.txt": strings.Repeat("text\n", 3000) + "\x00\x00",
		"keys.env.go": strings.Repeat("password = \"", 20_000),
	}
}

// indented are lines of which each is one step further in.
func indented(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "- a:\n")
	}
	return b.String()
}

// oddNames are names of files that some program mistakes for something else.
var oddNames = []string{
	"-rf", "--help", "-", "con", "aux.txt", "nul.go", "COM1.py", "trailing.", "trailing ", " leading.go", "a:b.go",
	"a|b.go", "quo\"te.go", "back\\slash.go", "star*.go", "que?.go",
	"new\nline.go", "ret\rurn.go", "esc\x1b[31m.go", "bad\xff.go", "bad\xc3\x28.py", "~", "$HOME.go", "%41.go", "#.go",
	":(top)x.go", "ünïcödé.go", "e\u0301.go", "🦆.go", "\u202egnp.go",
	"...", "..a", ".hidden.go",
}

// TestOddFiles indexes a repository of nothing but odd files, with the program
// in one piece: the run ends, each path has an answer, and no result is outside
// of its file.
func TestOddFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("indexes some 20 MB of noise")
	}
	root := filepath.Join(t.TempDir(), "odd")
	var paths []string
	put := func(name, text string) {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Logf("%.40q: %v", name, err) // a name that this system does not have
			return
		}
		paths = append(paths, name)
	}
	random := rand.New(rand.NewPCG(3, 4))
	noise := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(random.IntN(256))
		}
		return string(b)
	}
	whole := "// c\npackage a\nimport os\nclass A {\n  def f(self): /* x\n" +
		"  fn g() { \"\"\" <<EOF `${ r#\" @\" (* {- #if [[ <a b=\"\n# h\n```\n- [x](y\n"
	for _, ext := range oddExtensions {
		put("noise/a."+ext, noise(3000))
		put("noise/text."+ext, strings.Map(func(r rune) rune { return ' ' + r%95 }, noise(3000)))
		put("noise/magic."+ext, "\xff\xfe"+noise(2999))
		for cut := 10; cut < len(whole); cut += 25 {
			put("cut/"+string(rune('a'+cut/25))+"."+ext, whole[:cut])
		}
	}
	for name, text := range oddTexts() {
		put(name, text)
	}
	for _, name := range oddNames {
		put("names/"+name, "package names\n\nfunc Odd() {}\n")
	}
	put("names/"+strings.Repeat("l", 250)+".go", "package long\n")
	put(strings.Repeat(strings.Repeat("d", 200)+"/", 15)+"deep.go", "package deep\n\nfunc Deep() {}\n")
	specials(t, root)

	c := settings(t, t.TempDir())
	c.MaxFileSize = 16 << 20 // the minified file too
	begun := time.Now()
	a := openWith(t, c)
	resp, err := op.StartIndex.By(t.Context(), a, index.StartRequest{Targets: []string{root}})
	if err != nil {
		t.Fatal(err)
	}
	if done, err := a.WatchJob(t.Context(), index.JobRequest{ID: resp.Items[0].ID}, func(index.Job) {}); err != nil ||
		done.Items[0].State != index.JobDone {
		t.Fatalf("the run: %+v, %v", done.Items, err)
	}
	t.Logf("%d files in %v", len(paths), time.Since(begun))
	for _, p := range append(paths, "fifo", "socket", "device", "loop", "out", "self", "nothing") {
		res, err := op.Coverage.By(t.Context(), a, index.CoverageRequest{RepoID: "odd", Path: p})
		if code := fault.CodeOf(err); err != nil && code.Row().HTTP >= 500 || err == nil && len(res.Items) == 0 {
			t.Errorf("%.60q: %d answers, %v", p, len(res.Items), err)
		}
	}
	resultsAreInside(t, a)
}

func openWith(t *testing.T, c config.Config) *app.App {
	t.Helper()
	a, err := app.Open(t.Context(), c, app.Tool)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

// resultsAreInside wants the lines of results to be lines of their files.
func resultsAreInside(t *testing.T, a *app.App) {
	t.Helper()
	seen := 0
	for _, level := range []models.Level{models.LevelSymbol, models.LevelDoc, models.LevelFile} {
		for _, query := range []string{"a", "odd function names", "x", "class A", "title", "password", "deep"} {
			res, err := op.Search.By(t.Context(), a, search.Request{Query: query, Level: level, Limit: new(100)})
			if err != nil {
				t.Fatal(err)
			}
			for _, hit := range res.Items {
				if hit.FilePath == nil || hit.StartLine == nil {
					continue
				}
				seen++
				lines, err := op.File.By(t.Context(), a,
					filefetch.Request{RepoID: "odd", FilePath: *hit.FilePath, StartLine: hit.StartLine, EndLine: hit.EndLine})
				if err != nil || lines.Items[0].TotalLines < *hit.EndLine {
					t.Errorf("%.80q, lines %d to %d: %v", *hit.FilePath, *hit.StartLine, *hit.EndLine, err)
				}
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d results", seen)
	}
}
