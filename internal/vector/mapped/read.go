//go:build !(linux || darwin || freebsd || netbsd || dragonfly) || nommap

package mapped

import (
	"fmt"
	"os"
)

// A File stands in for a memory map where there is none, or none that can be
// depended on: it reads the file into memory.
type File struct{}

// Bytes is the content of f from from to to.
func (*File) Bytes(f *os.File, from, to int64) ([]byte, error) {
	b := make([]byte, to-from)
	if _, err := f.ReadAt(b, from); err != nil {
		return nil, fmt.Errorf("read %d bytes: %w", len(b), err)
	}
	return b, nil
}

// Close does nothing.
func (*File) Close() error { return nil }

// Whole is the content of a file of that size.
func Whole(f *os.File, size int) ([]byte, error) {
	b := make([]byte, size)
	_, err := f.ReadAt(b, 0)
	return b, err
}

// An Arena is memory that is given back as a whole: here the collector's.
type Arena struct{}

// Take is n bytes of zeros.
func (*Arena) Take(n int) ([]byte, error) { return make([]byte, n), nil }

// Close does nothing.
func (*Arena) Close() error { return nil }
