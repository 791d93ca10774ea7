package listing

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/repo/filekind"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

func goSources(b *testing.B) string {
	b.Helper()
	src := filepath.Join(runtime.GOROOT(), "src") //nolint:staticcheck // only a corpus
	if _, err := os.Stat(src); err != nil {
		b.Skip("SKIPPED: no Go sources on this machine")
	}
	return src
}

// BenchmarkListPlain walks Go's standard library.
func BenchmarkListPlain(b *testing.B) {
	tree := open(b, goSources(b))
	files := 0
	for b.Loop() {
		l, err := List(b.Context(), tree, Limits{})
		if err != nil {
			b.Fatal(err)
		}
		files = len(l.Files)
	}
	b.ReportMetric(float64(files), "files")
}

// BenchmarkListGit lists 50,000 files in 1,000 folders of a git tree.
func BenchmarkListGit(b *testing.B) {
	repotest.NeedGit(b)
	dir := b.TempDir()
	repotest.Run(b, dir, "init", "-q")
	for i := range 1000 {
		folder := filepath.Join(dir, "src", string(rune('a'+i%26)), "pkg"+strings.Repeat("x", i%7),
			"d"+strings.Repeat("y", i/26))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			b.Fatal(err)
		}
		for j := range 50 {
			if err := os.WriteFile(filepath.Join(folder, "f"+string(rune('A'+j))+".go"), nil, 0o644); err != nil {
				b.Fatal(err)
			}
		}
	}
	repotest.Run(b, dir, "add", ".")
	tree := open(b, dir)
	files := 0
	for b.Loop() {
		l, err := List(b.Context(), tree, Limits{})
		if err != nil {
			b.Fatal(err)
		}
		files = len(l.Files)
	}
	b.ReportMetric(float64(files), "files")
}

// BenchmarkClassify judges the files of Go's net/http with their content.
func BenchmarkClassify(b *testing.B) {
	paths, _ := filepath.Glob(filepath.Join(goSources(b), "net", "http", "*.go"))
	contents := make([][]byte, len(paths))
	for i, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			b.Fatal(err)
		}
		contents[i] = data
	}
	n := 0
	for b.Loop() {
		for i, p := range paths {
			filekind.Of("src/net/http/"+filepath.Base(p), contents[i])
			n++
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(n), "µs/file")
}
