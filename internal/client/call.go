package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// maxReply bounds what is read of one reply: far above the largest that the
// contract allows (100 files of 256 KiB).
const maxReply = 64 << 20

func (c *Client) strange(err error) error {
	return fault.Wrap(fault.RAGUnavailable, err,
		"the server at %s gave a reply that this version does not understand; compare `ragnav version` with %s/version",
		c.base, c.base)
}

// A reply is what a server answered, whatever it is.
type reply struct {
	status string // "200 OK"
	header http.Header
	body   []byte
}

// exchange sends a request and reads the whole reply.
func (c *Client) exchange(ctx context.Context, s op.Spec, req any) (reply, error) {
	hr, err := c.request(ctx, s, req)
	if err != nil {
		return reply{}, err
	}
	hresp, err := c.http.Do(hr)
	if err != nil {
		return reply{}, c.unreachable(ctx, err)
	}
	defer func() { _ = hresp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(hresp.Body, maxReply))
	if err != nil {
		return reply{}, c.unreachable(ctx, err)
	}
	return reply{hresp.Status, hresp.Header, body}, nil
}

// request writes a request: the fields that the route names into the path, the
// others as the JSON body of a POST, else as query parameters.
func (c *Client) request(ctx context.Context, s op.Spec, req any) (*http.Request, error) {
	text, err := json.Marshal(req)
	if err != nil {
		return nil, err
	}
	target, body := c.base+s.Path, io.Reader(http.NoBody)
	if s.Method == http.MethodPost {
		body = bytes.NewReader(text)
	} else if target, err = c.target(s, text); err != nil {
		return nil, err
	}
	hr, err := http.NewRequestWithContext(ctx, s.Method, target, body)
	if err != nil {
		return nil, err
	}
	hr.Header.Set("Accept", "application/json")
	if c.token != "" {
		hr.Header.Set("Authorization", "Bearer "+c.token)
	}
	if s.Method == http.MethodPost {
		hr.Header.Set("Content-Type", "application/json")
	}
	return hr, nil
}

// target is the URL of a request without body; object is the request as a flat
// JSON object.
func (c *Client) target(s op.Spec, object []byte) (string, error) {
	fields := map[string]any{}
	dec := json.NewDecoder(bytes.NewReader(object))
	dec.UseNumber()
	if err := dec.Decode(&fields); err != nil {
		return "", err
	}
	target, params := c.base+fill(s.Path, fields), url.Values{}
	for name, v := range fields {
		switch v := v.(type) {
		case string:
			params.Set(name, v)
		case json.Number:
			params.Set(name, v.String())
		case bool:
			params.Set(name, strconv.FormatBool(v))
		}
	}
	if len(params) == 0 {
		return target, nil
	}
	return target + "?" + params.Encode(), nil
}

// failure is the error that a reply tells, or that it is.
func (c *Client) failure(got reply) error {
	var envelope models.Result[json.RawMessage]
	head := &envelope.Meta
	if err := json.Unmarshal(got.body, &envelope); err != nil || head.Status == "" {
		return fault.Wrap(fault.RAGUnavailable, err,
			"%s answered %s, which is not a reply of ragnav; check the address", c.base, got.status)
	}
	if head.Status != models.StatusError {
		return nil
	}
	c.onReply(got.body)
	e := &fault.Error{
		Code: fault.Code(models.Or(head.ErrorCode, string(fault.Internal))), Message: models.Or(head.Message, ""),
		Fields: head.Fields, RetryAfter: retryAfter(got.header),
	}
	if e.Code == fault.Internal {
		e.Err = errors.New("the server's log has it under request id " + head.RequestID)
	}
	return e
}

func retryAfter(h http.Header) time.Duration {
	s, err := strconv.Atoi(h.Get("Retry-After"))
	if err != nil {
		return 0
	}
	return time.Duration(s) * time.Second
}

func (c *Client) unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fault.Wrap(fault.RAGUnavailable, err,
		"no server answers at %s; start one with `api-server`, or check the address", c.base)
}

// Lost reports whether an error of a Client is that of its connection: the server is
// gone, or went before it had answered.
func Lost(err error) bool {
	_, broken := errors.AsType[*url.Error](err)
	return broken || errors.Is(err, io.ErrUnexpectedEOF)
}

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
