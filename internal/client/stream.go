package client

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/op"
)

// maxEvent bounds what is read of one line of a stream, in bytes.
const maxEvent = 4 << 20

// stream asks an operation for events and calls yield for each until the one
// named last, which is the operation's reply. An event "error" is returned as
// the error that it tells.
func (c *Client) stream(ctx context.Context, s op.Spec, req any, last string,
	yield func(event string, data []byte) error,
) error {
	hr, err := c.request(ctx, s, req)
	if err != nil {
		return err
	}
	hr.Header.Set("Accept", "text/event-stream")
	hresp, err := c.http.Do(hr)
	if err != nil {
		return c.unreachable(ctx, err)
	}
	defer func() { _ = hresp.Body.Close() }()
	if media, _, _ := mime.ParseMediaType(hresp.Header.Get("Content-Type")); media != "text/event-stream" {
		body, err := io.ReadAll(io.LimitReader(hresp.Body, maxReply))
		if err != nil {
			return c.unreachable(ctx, err)
		}
		if err := c.failure(reply{hresp.Status, hresp.Header, body}); err != nil {
			return err
		}
		return c.strange(nil)
	}
	return c.events(ctx, hresp, last, yield)
}

func (c *Client) events(ctx context.Context, hresp *http.Response, last string,
	yield func(event string, data []byte) error,
) error {
	lines := bufio.NewScanner(hresp.Body)
	lines.Buffer(nil, maxEvent)
	event := ""
	for lines.Scan() {
		if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			event = name
		}
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: "))
		if !ok {
			continue
		}
		if event == "error" {
			return c.failure(reply{hresp.Status, hresp.Header, append(bytes.Clone(data), '\n')})
		}
		if err := yield(event, data); err != nil {
			return err
		}
		if event == last {
			c.onReply(append(bytes.Clone(data), '\n'))
			return nil
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fault.Wrap(fault.RAGUnavailable, lines.Err(),
		"the server at %s stopped before the end; ask again when it is back", c.base)
}
