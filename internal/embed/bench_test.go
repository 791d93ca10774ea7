package embed

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if s, err := Builtin(); err != nil || s.Common("the") == 0 {
			b.Fatal(err)
		}
	}
}

func BenchmarkQuery(b *testing.B) {
	s := builtin(b)
	for b.Loop() {
		_, _ = s.Queries(b.Context(), []string{"open a network connection with retries"})
	}
}

// BenchmarkDocuments embeds real code.
func BenchmarkDocuments(b *testing.B) {
	s, inputs := builtin(b), functions(b)
	b.ReportAllocs()
	for b.Loop() {
		_, _ = s.Documents(b.Context(), inputs)
	}
}

// BenchmarkKeys is what it costs to ask whether the same inputs were embedded before.
func BenchmarkKeys(b *testing.B) {
	k, inputs := NewKeyer(builtin(b).Manifest()), functions(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, in := range inputs {
			_ = k.Key(in)
		}
	}
}

// functions is this toolchain's net/http in pieces of 645 bytes, the mean size
// of a function.
func functions(b *testing.B) []Input {
	b.Helper()
	files, _ := filepath.Glob(filepath.Join(runtime.GOROOT(), "src", "net", "http", "*.go")) //nolint:staticcheck // only a corpus
	var inputs []Input
	size := 0
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			b.Fatal(err)
		}
		for ; len(data) > 645; data = data[645:] {
			inputs = append(inputs, Input{Text: string(data[:645]), Name: "openFile", File: "server"})
			size += 645
		}
	}
	if size == 0 {
		b.Skip("no Go sources on this machine")
	}
	b.SetBytes(int64(size))
	return inputs
}
