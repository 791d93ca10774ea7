//go:build (linux || darwin || freebsd || netbsd || dragonfly) && !nommap

package mapped

import (
	"errors"
	"fmt"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// A File makes the written part of a growing file readable as memory. Each
// region that it maps is larger than the file, so that later growth shows in it
// without a system call; the pages beyond the end are never touched.
type File struct {
	regions [][]byte
	offset  int64 // in the file, of the last region
}

// The room for growth of a new region: as much as there is, within bounds.
const (
	minReserve = 4 << 20
	maxReserve = 256 << 20
)

// Bytes is the content of f from from to to, which f must have. The memory is
// valid until Close.
func (m *File) Bytes(f *os.File, from, to int64) ([]byte, error) {
	if n := len(m.regions); n > 0 && from >= m.offset && to-m.offset <= int64(len(m.regions[n-1])) {
		return m.regions[n-1][from-m.offset : to-m.offset : to-m.offset], nil
	}
	page := int64(os.Getpagesize())
	offset := from &^ (page - 1)
	size := to - offset + min(max(to, minReserve), maxReserve)
	region, err := unix.Mmap(int(f.Fd()), offset, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map %d bytes: %w", size, err)
	}
	m.regions, m.offset = append(m.regions, region), offset
	return region[from-offset : to-offset : to-offset], nil
}

// Whole is a file of that size as memory, for as long as the program runs.
func Whole(f *os.File, size int) ([]byte, error) {
	return unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, unix.MAP_PRIVATE)
}

// Close takes the memory back.
func (m *File) Close() error {
	var errs []error
	for _, r := range m.regions {
		errs = append(errs, unix.Munmap(r))
	}
	m.regions = nil
	return errors.Join(errs...)
}

// An Arena is memory that is given back as a whole, in large pages where the
// system has them, and nothing that the collector counts.
type Arena struct {
	regions [][]byte
	free    []byte
}

const (
	arenaRegion = 32 << 20
	hugePages   = 14 // MADV_HUGEPAGE: a pass over large pages is faster by a quarter
)

// Take is n bytes of zeros, until Close.
func (a *Arena) Take(n int) ([]byte, error) {
	if n > len(a.free) {
		region, err := unix.Mmap(-1, 0, max(n, arenaRegion), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
		if err != nil {
			return nil, fmt.Errorf("map %d bytes: %w", n, err)
		}
		if runtime.GOOS == "linux" {
			_ = unix.Madvise(region, hugePages)
		}
		a.regions, a.free = append(a.regions, region), region
	}
	b := a.free[:n:n]
	a.free = a.free[n:]
	return b, nil
}

// Close takes the memory back.
func (a *Arena) Close() error {
	var errs []error
	for _, r := range a.regions {
		errs = append(errs, unix.Munmap(r))
	}
	a.regions, a.free = nil, nil
	return errors.Join(errs...)
}
