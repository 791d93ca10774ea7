// Package worker runs a parser in processes of its own, because no text is
// safe to give to it: it may take for ever, take all memory or crash. A Pool
// asks; Serve, in the other process, answers. What goes wrong costs the file
// that was being parsed its outline and nothing else.
//
// A message is a frame: four bytes of length, high byte first, and that many
// bytes. The worker says first that it is ready. A request is two frames, its
// header and the text; a reply is one. Requests and replies alternate.
package worker

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/parse"
)

// maxFrame is more than any text that is parsed, or any reply about one.
const maxFrame = 64 << 20

// greeting is what a worker says when it is ready.
const greeting = "ragnav parse-worker"

type request struct {
	Path     string
	Language string
	Want     parse.Want
	Facts    bool // in place of an outline
	Locals   bool // in place of an outline
	Both     bool // an outline, and the facts to be kept
}

type reply struct {
	Outline *parse.Outline
	Facts   *facts.File
	Locals  []facts.Local
	Kept    []byte // facts, encoded
	Error   string
}

func writeFrame(w io.Writer, data []byte) error {
	var head [4]byte
	binary.BigEndian.PutUint32(head[:], uint32(len(data))) //nolint:gosec // texts and replies are far smaller
	if _, err := w.Write(head[:]); err != nil {
		return err
	}
	_, err := w.Write(data)
	return err
}

func readFrame(r io.Reader) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(head[:])
	if n > maxFrame {
		return nil, fmt.Errorf("a frame of %d bytes", n)
	}
	data := make([]byte, n)
	_, err := io.ReadFull(r, data)
	return data, err
}

func writeValue(w io.Writer, pointer any) error { return writeFrame(w, encode(pointer)) }

func readValue(r io.Reader, pointer any) error {
	data, err := readFrame(r)
	if err != nil {
		return err
	}
	return decode(data, pointer)
}
