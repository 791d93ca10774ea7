package mcpapi

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxMessage is how many bytes a message may have, its line's end among them. The
// SDK's own limit is as high.
const maxMessage = mcp.DefaultMaxLineLength - 1

// lastBatches is the last revision with several messages in one line.
const lastBatches = "2025-03-26"

// Stdio is the transport of one client that writes a message a line. A line that is
// no message of JSON-RPC is answered with an error and left out; the SDK would end
// the connection.
func Stdio(in io.Reader, out io.Writer) mcp.Transport {
	w := &replies{out: out}
	return &mcp.IOTransport{Reader: io.NopCloser(&messages{in: bufio.NewReaderSize(in, 64<<10), out: w}), Writer: w}
}

// messages reads the lines that are messages.
type messages struct {
	in   *bufio.Reader
	out  *replies
	rest []byte // of a line that was read in part
}

func (m *messages) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		line, whole, err := m.line()
		switch {
		case !whole:
			m.refuse(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message may have %d MiB at most; ask for less at once",
				(maxMessage+1)>>20))
		case len(bytes.TrimSpace(line)) > 0 && m.fits(line):
			line = append(line, '\n')
			m.rest = line
		}
		if err != nil && len(m.rest) == 0 {
			return 0, err
		}
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// line reads to the end of a line. One that is too long is skipped, and not whole.
func (m *messages) line() (line []byte, whole bool, err error) {
	whole = true
	for {
		part, err := m.in.ReadSlice('\n')
		if whole = whole && len(line)+len(part) <= maxMessage; whole {
			line = append(line, part...)
		} else {
			line = nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimRight(line, "\r\n"), whole, err
		}
	}
}

// fits reports whether a line is a message, or several where the revision has that;
// else it is refused.
func (m *messages) fits(line []byte) bool {
	one, code, why := wrong(line, m.out.batches())
	if why != "" {
		m.refuse(one, code, why)
	}
	return why == ""
}

// refuse answers a line.
func (m *messages) refuse(line []byte, code int64, why string) {
	_, _ = m.out.Write(refusal(line, code, why)) // who has gone reads no error
}

// replies is the client's input. Whole lines are written to it. It stays open.
type replies struct {
	mu     sync.Mutex
	out    io.Writer
	agreed string // the revision that the first reply with one names
}

func (r *replies) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, behind, ok := bytes.Cut(p, []byte(`"protocolVersion":"`)); ok && r.agreed == "" {
		version, _, _ := bytes.Cut(behind, []byte(`"`))
		r.agreed = string(version)
	}
	return r.out.Write(p)
}

// batches reports whether the revision that was agreed on has them. Before that
// there are none: an initialize must stand alone, and newer revisions have none.
func (r *replies) batches() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.agreed != "" && r.agreed <= lastBatches
}

func (*replies) Close() error { return nil }
