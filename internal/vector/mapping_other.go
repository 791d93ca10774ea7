//go:build !(linux || darwin || freebsd || netbsd || dragonfly) || nommap

package vector

import (
	"fmt"
	"os"
)

// A mapping stands in for a memory map where there is none, or none that can be
// depended on: it reads the file into memory.
type mapping struct{}

// bytes is the content of f from from to to.
func (*mapping) bytes(f *os.File, from, to int64) ([]byte, error) {
	b := make([]byte, to-from)
	if _, err := f.ReadAt(b, from); err != nil {
		return nil, fmt.Errorf("read %d bytes: %w", len(b), err)
	}
	return b, nil
}

func (*mapping) close() error { return nil }

// mapWhole is the content of a file of that size.
func mapWhole(f *os.File, size int) ([]byte, error) {
	b := make([]byte, size)
	_, err := f.ReadAt(b, 0)
	return b, err
}

// An arena is memory that is given back as a whole: here the collector's.
type arena struct{}

func (*arena) take(n int) ([]byte, error) { return make([]byte, n), nil }

func (*arena) close() error { return nil }
