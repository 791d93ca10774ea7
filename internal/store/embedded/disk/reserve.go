package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// reserveFile is room that is kept for the day on which the disk is full: to remove
// what an index has takes some, too.
const reserveFile = "reserve"

// The reserve is a part of the index, between a least and a most. What is smaller
// than the least index gives back too little.
const (
	reserveOf    = 16
	leastIndexed = 1 << 20
	leastReserve = 256 << 10
	mostReserve  = 32 << 20
)

// KeepReserve makes the reserve of a directory, if that has an index which is worth it
// and none as large. It fails silently: without room there is none to keep.
func KeepReserve(dir string) {
	size := sizeOf(filepath.Join(dir, TextDir)) + sizeOf(filepath.Join(dir, RowsDir))
	want := min(max(size/reserveOf, leastReserve), mostReserve)
	file := filepath.Join(dir, reserveFile)
	if info, err := os.Stat(file); size < leastIndexed || err == nil && info.Size() >= want {
		return
	}
	if fill(file, want) != nil {
		_ = os.Remove(file)
	}
}

// FreeReserve gives the reserve back, and reports whether there was one.
func FreeReserve(dir string) bool { return os.Remove(filepath.Join(dir, reserveFile)) == nil }

// IsFull reports that an error is that of a full disk.
func IsFull(err error) bool {
	return err != nil && (is(err, syscall.ENOSPC) || is(err, syscall.EDQUOT))
}

// fill writes a file of that size, as one with a hole would have no room.
func fill(file string, size int64) error {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	block := make([]byte, leastReserve)
	for ; size > 0 && err == nil; size -= int64(len(block)) {
		_, err = f.Write(block[:min(size, int64(len(block)))])
	}
	return errors.Join(err, f.Close())
}

// sizeOf is that of the files in a folder.
func sizeOf(dir string) (n int64) {
	entries, _ := os.ReadDir(dir) // none, as far as is known
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode()&fs.ModeType == 0 {
			n += info.Size()
		}
	}
	return n
}
