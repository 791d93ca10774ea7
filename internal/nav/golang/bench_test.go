package golang_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ragnav/ragnav/internal/nav/golang"
)

// BenchmarkExtract reads packages of this project.
func BenchmarkExtract(b *testing.B) {
	names, _ := filepath.Glob("../../*/*.go")
	var texts []string
	var size int64
	for _, name := range names {
		if text, err := os.ReadFile(name); err == nil {
			texts = append(texts, string(text))
			size += int64(len(text))
		}
	}
	b.SetBytes(size)
	for b.Loop() {
		for i, text := range texts {
			if _, err := golang.Extract(names[i], text); err != nil {
				b.Fatal(err)
			}
		}
	}
}
