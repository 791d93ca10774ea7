// Package draft is the file of a draft: batches that nobody sees yet, with where in it
// the vectors are.
package draft

import (
	"bufio"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/embedded/codec"
)

// A File is a sequence of frames: the length of what follows the checksum
// (uint32, little-endian), its CRC-32C, one byte that says what it is, and that.
// The first is a header, then come batches, and at most one seal ends it. What
// follows the last whole frame was cut short by a crash and doesn't count.
type File struct {
	draftHeader

	Path    string
	Size    int64 // of its whole frames
	Batches int
	Sealed  bool
	Vectors *Vectors
}

// A draftHeader is the first frame, as JSON.
type draftHeader struct {
	ID    string        `json:"id"` // of this draft; the next of the repository has another
	Repo  models.RepoID `json:"repo"`
	Label string        `json:"label"`
}

// What a frame is.
const (
	frameHeader = 'h'
	frameBatch  = 'b'
	frameSeal   = 's'
)

// FrameHead is how many bytes length and checksum have.
const FrameHead = 8

var crcTable = crc32.MakeTable(crc32.Castagnoli)

// newFile is an empty draft that has no file yet.
func newFile(path string, repo models.RepoID, label string) *File {
	return &File{
		draftHeader: draftHeader{ID: rand.Text(), Repo: repo, Label: label}, Path: path,
		Vectors: newVectors(path),
	}
}

// Open reads what there is of a draft. One without a header is
// os.ErrNotExist: it was never begun.
func Open(path string) (*File, error) {
	d := &File{Path: path, Size: -1, Vectors: newVectors(path)}
	at := int64(0)
	end, err := ReadFrames(path, 1<<62, func(kind byte, body []byte) error {
		start := at + FrameHead + 1
		at = start + int64(len(body))
		switch kind {
		case frameHeader:
			return json.Unmarshal(body, &d.draftHeader)
		case frameBatch:
			d.Batches++
			return d.Vectors.Add(body, start)
		case frameSeal:
			d.Sealed = true
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if d.Size = end; d.ID == "" {
		return nil, fmt.Errorf("draft %s has no header: %w", path, os.ErrNotExist)
	}
	return d, nil
}

// Append adds frames behind the last whole one, durably. After an error they
// don't count.
func (d *File) Append(frames ...[]byte) error {
	file, err := os.OpenFile(d.Path, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	size := d.Size
	err = file.Truncate(size)
	for _, f := range frames {
		if err == nil {
			_, err = file.WriteAt(f, size)
			size += int64(len(f))
		}
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	d.Size = size
	return nil
}

// Header is the first frame.
func (d *File) Header() ([]byte, error) {
	body, err := json.Marshal(d.draftHeader)
	if err != nil {
		return nil, err
	}
	return frame(frameHeader, body), nil
}

// Read calls yield with each batch in order. It fails when the file has less
// than was written.
func (d *File) Read(yield func(body []byte) error) error {
	n := 0
	end, err := ReadFrames(d.Path, d.Size, func(kind byte, body []byte) error {
		if kind != frameBatch {
			return nil
		}
		n++
		return yield(body)
	})
	if err == nil && (end != d.Size || n != d.Batches) {
		return fmt.Errorf("%w: %s ends after %d of %d bytes", codec.ErrDraftDamaged, d.Path, end, d.Size)
	}
	return err
}

// frame puts length and checksum before a body.
func frame(kind byte, body []byte) []byte {
	b := make([]byte, FrameHead, FrameHead+1+len(body))
	b = append(append(b, kind), body...)
	binary.LittleEndian.PutUint32(b, uint32(len(b)-FrameHead)) //nolint:gosec // AppendDraft bounds it
	binary.LittleEndian.PutUint32(b[4:], crc32.Checksum(b[FrameHead:], crcTable))
	return b
}

// ReadFrames calls yield with each whole frame of the first limit bytes of a
// file and returns where the last one ends. Bodies are new for each call.
func ReadFrames(path string, limit int64, yield func(kind byte, body []byte) error) (int64, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	limit = min(limit, info.Size())
	in := bufio.NewReaderSize(io.LimitReader(file, limit), 1<<16)
	for at := int64(0); ; {
		var head [FrameHead]byte
		if limit-at < FrameHead+1 {
			return at, nil
		}
		if _, err := io.ReadFull(in, head[:]); err != nil {
			return at, err
		}
		n := int64(binary.LittleEndian.Uint32(head[:]))
		if n < 1 || n > limit-at-FrameHead {
			return at, nil
		}
		body := make([]byte, n)
		if _, err := io.ReadFull(in, body); err != nil {
			return at, err
		}
		if crc32.Checksum(body, crcTable) != binary.LittleEndian.Uint32(head[4:]) {
			return at, nil
		}
		if err := yield(body[0], body[1:]); err != nil {
			return at, err
		}
		at += FrameHead + n
	}
}

// Seal ends a draft for good, after a look at whether all of it is there.
func (d *File) Seal() error {
	if err := d.Read(func([]byte) error { return nil }); err != nil {
		return err
	}
	if err := d.Append(frame(frameSeal, nil)); err != nil {
		return err
	}
	d.Sealed = true
	return nil
}

// Suffix is how the names of drafts end.
const Suffix = ".draft"

// Path is the draft of a repository in a folder.
func Path(folder string, id models.RepoID) string {
	sum := sha256.Sum256([]byte(id))
	return filepath.Join(folder, hex.EncodeToString(sum[:12])+Suffix)
}
