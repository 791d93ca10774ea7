package disk

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
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

// SumOf is the checksum that a segment, a file of zapx's format, ends with. Where
// want is known, not 0, another one is Damage. name is the file's in errors.
func SumOf(file *os.File, name string, want uint32) (uint32, error) {
	info, err := file.Stat()
	switch {
	case err != nil:
		return 0, err
	case !info.Mode().IsRegular():
		return 0, &Damage{name, noFile}
	case info.Size() < minSegment:
		return 0, &Damage{name, "is cut short"}
	}
	var end [sumSize]byte
	if _, err := file.ReadAt(end[:], info.Size()-sumSize); errors.Is(err, io.EOF) {
		return 0, &Damage{name, "is cut short"}
	} else if err != nil {
		return 0, err
	}
	sum := binary.BigEndian.Uint32(end[:])
	if want != 0 && sum != want {
		return 0, &Damage{name, "is another file than was written (checksum)"}
	}
	return sum, nil
}

// CheckSegment is SumOf a segment of which all was read, into a small buffer, and
// compared with it.
func CheckSegment(file *os.File, name string, want uint32) (uint32, error) {
	said, err := SumOf(file, name, want)
	if err != nil {
		return 0, err
	}
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	buf, _ := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	sum := crc32.NewIEEE()
	in := io.NewSectionReader(file, 0, size-sumSize)
	if n, err := io.CopyBuffer(struct{ io.Writer }{sum}, struct{ io.Reader }{in}, *buf); err != nil {
		return 0, err
	} else if n != size-sumSize {
		return 0, &Damage{name, "is cut short"}
	}
	if said != sum.Sum32() {
		return 0, &Damage{name, "has another content than was written (checksum)"}
	}
	return said, nil
}

// CheckSegmentAt is CheckSegment of a file by its name in a folder, and how it
// looked before.
func CheckSegmentAt(dir, name string, want uint32) (fs.FileInfo, uint32, error) {
	file, info, err := OpenFile(filepath.Join(dir, filepath.FromSlash(name)), name)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = file.Close() }()
	sum, err := CheckSegment(file, name, want)
	return info, sum, err
}

// OpenFile opens a file to be read. What is missing or no file is Damage; a pipe
// without a writer holds nobody up.
func OpenFile(path, name string) (*os.File, fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, damaged(name, err)
	}
	if !info.Mode().IsRegular() {
		return nil, nil, &Damage{name, noFile}
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, damaged(name, err)
	}
	return file, info, nil
}
