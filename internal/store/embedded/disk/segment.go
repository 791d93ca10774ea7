package disk

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// A segment ends with the CRC-32 (IEEE, big-endian) of all before it.
const (
	sumSize    = 4
	minSegment = 40 // the smallest footer
)

var buffers = sync.Pool{New: func() any { return new(make([]byte, 1<<18)) }}

// CheckSegment compares a segment, a file of zapx's format, with its checksum.
// It reads all of it, into a small buffer. name is the file's in errors.
func CheckSegment(file *os.File, name string) error {
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if size < minSegment {
		return &Damage{name, "is cut short"}
	}
	buf, _ := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	sum := crc32.NewIEEE()
	in := io.NewSectionReader(file, 0, size-sumSize)
	if n, err := io.CopyBuffer(struct{ io.Writer }{sum}, struct{ io.Reader }{in}, *buf); err != nil {
		return err
	} else if n != size-sumSize {
		return &Damage{name, "is cut short"}
	}
	var end [sumSize]byte
	if _, err := file.ReadAt(end[:], size-sumSize); errors.Is(err, io.EOF) {
		return &Damage{name, "is cut short"}
	} else if err != nil {
		return err
	}
	if binary.BigEndian.Uint32(end[:]) != sum.Sum32() {
		return &Damage{name, "has another content than was written (checksum)"}
	}
	return nil
}

// CheckSegmentAt is CheckSegment of a file by its name in a folder.
func CheckSegmentAt(dir, name string) error {
	file, err := os.Open(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		return damaged(name, err)
	}
	defer func() { _ = file.Close() }()
	return CheckSegment(file, name)
}
