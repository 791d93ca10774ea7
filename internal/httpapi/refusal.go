package httpapi

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"strconv"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// What net/http can't read as a request it answers itself, in plain text, before
// any handler is called. Here such a reply gets an envelope on its way out.

// refusing is a listener whose connections do that.
type refusing struct{ net.Listener }

func (l refusing) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return refusingConn{c}, nil
}

type refusingConn struct{ net.Conn }

// ownReply is the head that net/http gives to such replies, written at once, and
// to none of a handler, which has a date.
var ownReply = pattern.NewLazy(
	`^HTTP/1\.1 (\d{3}) [^\r\n]*\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n`)

// unexpected is its reply to an Expect header that it doesn't know, without a body.
// No handler has that status.
var unexpected = pattern.NewLazy(`^HTTP/1\.1 (417) [^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n$`)

// Write implements net.Conn.
func (c refusingConn) Write(p []byte) (int, error) {
	const start = "HTTP/1.1 "
	if len(p) < len(start)+3 || string(p[:len(start)]) != start || p[len(start)] < '4' {
		return c.Conn.Write(p)
	}
	m := ownReply().FindSubmatch(p)
	if m == nil {
		m = unexpected().FindSubmatch(p)
	}
	if m == nil {
		return c.Conn.Write(p)
	}
	status, err := strconv.Atoi(string(m[1]))
	if err != nil {
		return c.Conn.Write(p)
	}
	reply, err := refusal(status, string(p[len(m[0]):]))
	if err != nil {
		return c.Conn.Write(p)
	}
	if _, err := c.Conn.Write(reply); err != nil {
		return 0, err
	}
	return len(p), nil
}

// refusal is a reply with an envelope.
func refusal(status int, text string) ([]byte, error) {
	code := fault.InvalidRequest
	message := fmt.Sprintf("this is no request that can be answered: %.200s; send HTTP/1.1 as RFC 9112 has it", text)
	switch status {
	case http.StatusRequestHeaderFieldsTooLarge:
		message = fmt.Sprintf(
			"the headers of the request are larger than %d KiB; send smaller ones, and long input in the body", maxHeader>>10)
	case http.StatusExpectationFailed:
		message = "the Expect header of the request asks for what is not known here; send 100-continue, or none"
	case http.StatusNotImplemented:
		message = "the Transfer-Encoding is not supported; send the body with a Content-Length, or chunked"
	}
	envelope := models.ErrorResult(string(code), message)
	envelope.Meta.RequestID = rand.Text()
	var body, reply bytes.Buffer
	if err := models.Encode(&body, &envelope); err != nil {
		return nil, err
	}
	fmt.Fprintf(&reply, "HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nCache-Control: no-store\r\n"+
		"Content-Length: %d\r\nConnection: close\r\n\r\n",
		status, http.StatusText(status), body.Len())
	reply.Write(body.Bytes())
	return reply.Bytes(), nil
}

// CloseWrite ends the sending alone, where the connection can: net/http does so
// before it closes, for the client to read what it was told.
func (c refusingConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
