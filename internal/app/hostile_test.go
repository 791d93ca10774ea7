//go:build cgo

package app_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/reader"
	"github.com/ragnav/ragnav/internal/parse/worker"
	"github.com/ragnav/ragnav/internal/treesitter"
)

// The deadline of a parse is what the test mostly waits for. One file may take
// it twice, for a second try; hostileLimit has room for a busy machine.
const (
	hostileDeadline = 250 * time.Millisecond
	hostileLimit    = 5 * time.Minute
)

// The test binary is its own worker.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == app.ParseWorker {
		if err := app.ServeParser(os.Stdin, os.Stdout); err != nil {
			os.Exit(1) //nolint:forbidigo // this is a program, too
		}
		return
	}
	os.Exit(m.Run()) //nolint:forbidigo // this is a program, too
}

// TestHostileInput gives to real workers what hangs or crashes grammars, with
// the guard and with that of size only. Whatever happens the next file is parsed, and no line
// is outside of its file.
func TestHostileInput(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: parses for some seconds; run without -short")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, guard := range []struct {
		name string
		says func(string) string
	}{
		{"guarded", treesitter.Guard},
		{"guarded by size only", func(text string) string {
			if len(text) > 1<<20 {
				return "large"
			}
			return ""
		}},
	} {
		t.Run(guard.name, func(t *testing.T) {
			t.Parallel()
			pool := worker.New(worker.Config{
				Command: []string{program, app.ParseWorker}, Speaks: treesitter.Speaks, Guard: guard.says, Size: 1,
				Deadline: hostileDeadline,
			})
			t.Cleanup(func() { _ = pool.Close() })
			for name, f := range hostileFiles(t) {
				start := time.Now()
				out := reader.Parser{Outliner: pool}.Parse(t.Context(), f, parse.WantReferences)
				if took := time.Since(start); took > hostileLimit {
					t.Errorf("%s: %v", name, took)
				}
				lines := parse.Lines(f.Text)
				for _, s := range out.Symbols {
					if s.StartLine < 1 || s.EndLine < s.StartLine || s.EndLine > lines {
						t.Errorf("%s: %s at %d-%d of %d lines", name, s.Qualified, s.StartLine, s.EndLine, lines)
					}
				}
			}
			var out parse.Outline
			start := time.Now()
			// a busy machine may take long to start a worker
			for i := 0; out.Method != parse.MethodTree && time.Since(start) < hostileLimit; i++ {
				text := strings.Repeat("\n", i) + "def f():\n    pass\n"
				out = reader.Parser{Outliner: pool}.Parse(t.Context(), parse.File{Path: "a.py", Language: "Python", Text: text},
					parse.WantSymbols)
			}
			if out.Method != parse.MethodTree {
				t.Errorf("the next file is parsed by %s: %s", out.Method, out.Detail)
			}
		})
	}
}

// hostileFiles are bad texts in the languages whose grammars they hurt most.
func hostileFiles(t *testing.T) map[string]parse.File {
	random := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 100_000)
	for i := range noise {
		noise[i] = byte(random.IntN(256))
	}
	real, err := os.ReadFile(filepath.Join("..", "treesitter", "testdata", "cpp.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]parse.File{
		"parentheses":    {Path: "a.js", Language: "JavaScript", Text: strings.Repeat("(", 100_000)},
		"calls":          {Path: "a.py", Language: "Python", Text: strings.Repeat("f(", 100_000)},
		"ternaries":      {Path: "a.ts", Language: "TypeScript", Text: "x = " + strings.Repeat("a ? b : ", 50_000) + "c"},
		"minified":       {Path: "a.js", Language: "JavaScript", Text: strings.Repeat("function a(b){return b+1};", 400_000)},
		"nested objects": {Path: "a.js", Language: "JavaScript", Text: "x=" + strings.Repeat(`{"a":[`, 50_000)},
		"NULs":           {Path: "a.c", Language: "C", Text: "int f() {\n" + strings.Repeat("\x00", 10_000) + "\n}\n"},
		"blank lines":    {Path: "a.rb", Language: "Ruby", Text: strings.Repeat("\n", 500_000) + "def f\nend\n"},
		"carriage":       {Path: "a.py", Language: "Python", Text: strings.Repeat("def f(): pass\r", 2000)},
		"heredocs":       {Path: "a.sh", Language: "Shell", Text: strings.Repeat("cat <<EOF\n", 20_000)},
		"strings":        {Path: "a.rs", Language: "Rust", Text: strings.Repeat("r#\"", 50_000)},
		"templates":      {Path: "a.cc", Language: "C++", Text: strings.Repeat("A<B<C<", 30_000)},
		"indents":        {Path: "a.py", Language: "Python", Text: strings.Repeat("if x:\n ", 3000)},
	}
	for _, language := range []string{"Python", "C++", "Ruby", "PHP", "Kotlin", "Swift"} {
		files["noise as "+language] = parse.File{
			Path: "a", Language: language,
			Text: string(bytes.ToValidUTF8(noise, []byte("?"))),
		}
	}
	for _, cut := range []int{100, 400, 700, 1000} {
		files["cut off at "+string(rune('0'+cut/100))] = parse.File{
			Path: "a.cc", Language: "C++",
			Text: string(real[:min(cut, len(real))]),
		}
	}
	return files
}
