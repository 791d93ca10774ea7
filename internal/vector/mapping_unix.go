//go:build (linux || darwin || freebsd || netbsd || dragonfly) && !nommap

package vector

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// A mapping makes the written part of a growing file readable as memory. Each
// region that it maps is larger than the file, so that later growth shows in it
// without a system call; the pages beyond the end are never touched.
type mapping struct {
	regions [][]byte
	offset  int64 // in the file, of the last region
}

// The room for growth of a new region: as much as there is, within bounds.
const (
	minReserve = 4 << 20
	maxReserve = 256 << 20
)

// bytes is the content of f from from to to, which f must have. The memory is
// valid until close.
func (m *mapping) bytes(f *os.File, from, to int64) ([]byte, error) {
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

func (m *mapping) close() error {
	var errs []error
	for _, r := range m.regions {
		errs = append(errs, unix.Munmap(r))
	}
	m.regions = nil
	return errors.Join(errs...)
}
