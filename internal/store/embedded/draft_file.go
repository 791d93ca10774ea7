package embedded

import (
	"bufio"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// A draftFile is a sequence of frames: the length of what follows the checksum
// (uint32, little-endian), its CRC-32C, one byte that says what it is, and that.
// The first is a header, then come batches, and at most one seal ends it. What
// follows the last whole frame was cut short by a crash and doesn't count.
type draftFile struct {
	draftHeader

	path    string
	size    int64 // of its whole frames
	batches int
	sealed  bool
	vectors *draftVectors
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

const frameHead = 8 // bytes of length and checksum

var crcTable = crc32.MakeTable(crc32.Castagnoli)

// errDraftDamaged is a draft that was whole once and isn't now.
var errDraftDamaged = errors.New("a draft is damaged")

// newDraft is an empty draft that has no file yet.
func newDraft(path string, repo models.RepoID, label string) *draftFile {
	return &draftFile{
		draftHeader: draftHeader{ID: rand.Text(), Repo: repo, Label: label}, path: path,
		vectors: newDraftVectors(path),
	}
}

// openDraft reads what there is of a draft. One without a header is
// os.ErrNotExist: it was never begun.
func openDraft(path string) (*draftFile, error) {
	d := &draftFile{path: path, size: -1, vectors: newDraftVectors(path)}
	at := int64(0)
	end, err := readFrames(path, 1<<62, func(kind byte, body []byte) error {
		start := at + frameHead + 1
		at = start + int64(len(body))
		switch kind {
		case frameHeader:
			return json.Unmarshal(body, &d.draftHeader)
		case frameBatch:
			d.batches++
			return d.vectors.add(body, start)
		case frameSeal:
			d.sealed = true
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if d.size = end; d.ID == "" {
		return nil, fmt.Errorf("draft %s has no header: %w", path, os.ErrNotExist)
	}
	return d, nil
}

// append adds frames behind the last whole one, durably. After an error they
// don't count.
func (d *draftFile) append(frames ...[]byte) error {
	file, err := os.OpenFile(d.path, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	size := d.size
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
	d.size = size
	return nil
}

// header is the first frame.
func (d *draftFile) header() ([]byte, error) {
	body, err := json.Marshal(d.draftHeader)
	if err != nil {
		return nil, err
	}
	return frame(frameHeader, body), nil
}

// read calls yield with each batch in order. It fails when the file has less
// than was written.
func (d *draftFile) read(yield func(body []byte) error) error {
	n := 0
	end, err := readFrames(d.path, d.size, func(kind byte, body []byte) error {
		if kind != frameBatch {
			return nil
		}
		n++
		return yield(body)
	})
	if err == nil && (end != d.size || n != d.batches) {
		return fmt.Errorf("%w: %s ends after %d of %d bytes", errDraftDamaged, d.path, end, d.size)
	}
	return err
}

// frame puts length and checksum before a body.
func frame(kind byte, body []byte) []byte {
	b := make([]byte, frameHead, frameHead+1+len(body))
	b = append(append(b, kind), body...)
	binary.LittleEndian.PutUint32(b, uint32(len(b)-frameHead)) //nolint:gosec // AppendDraft bounds it
	binary.LittleEndian.PutUint32(b[4:], crc32.Checksum(b[frameHead:], crcTable))
	return b
}

// readFrames calls yield with each whole frame of the first limit bytes of a
// file and returns where the last one ends. Bodies are new for each call.
func readFrames(path string, limit int64, yield func(kind byte, body []byte) error) (int64, error) {
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
		var head [frameHead]byte
		if limit-at < frameHead+1 {
			return at, nil
		}
		if _, err := io.ReadFull(in, head[:]); err != nil {
			return at, err
		}
		n := int64(binary.LittleEndian.Uint32(head[:]))
		if n < 1 || n > limit-at-frameHead {
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
		at += frameHead + n
	}
}
