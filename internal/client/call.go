package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// maxReply bounds what is read of one reply: far above the largest that the
// contract allows (100 files of 256 KiB).
const maxReply = 64 << 20

// A route is where an operation is served.
type route struct{ method, path string }

// call does one operation. req becomes the JSON body of a POST, else the query
// parameters.
func call[Req, Resp any](ctx context.Context, c *Client, r route, req Req) (resp Resp, err error) {
	got, err := c.exchange(ctx, r, req)
	if err != nil {
		return resp, err
	}
	if err := c.failure(got); err != nil {
		return resp, err
	}
	if err := json.Unmarshal(got.body, &resp); err != nil {
		return resp, c.strange(err)
	}
	c.onReply(got.body)
	return resp, nil
}

func (c *Client) strange(err error) error {
	return fault.Wrap(fault.RAGUnavailable, err,
		"the server at %s gave a reply that this version does not understand; compare `ragnav version` with %s/version", c.base, c.base)
}

// A reply is what a server answered, whatever it is.
type reply struct {
	status string // "200 OK"
	header http.Header
	body   []byte
}

// exchange sends a request and reads the whole reply.
func (c *Client) exchange(ctx context.Context, r route, req any) (reply, error) {
	hr, err := c.request(ctx, r, req)
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

func (c *Client) request(ctx context.Context, r route, req any) (*http.Request, error) {
	target, body := c.base+r.path, io.Reader(http.NoBody)
	b, err := json.Marshal(req)
	if err != nil {
		return nil, err
	}
	if r.method == http.MethodPost {
		body = bytes.NewReader(b)
	} else if target, err = withParams(target, b); err != nil {
		return nil, err
	}
	hr, err := http.NewRequestWithContext(ctx, r.method, target, body)
	if err != nil {
		return nil, err
	}
	hr.Header.Set("Accept", "application/json")
	if r.method == http.MethodPost {
		hr.Header.Set("Content-Type", "application/json")
	}
	return hr, nil
}

// withParams adds the fields of a flat JSON object as query parameters.
func withParams(target string, object []byte) (string, error) {
	fields := map[string]any{}
	dec := json.NewDecoder(bytes.NewReader(object))
	dec.UseNumber()
	if err := dec.Decode(&fields); err != nil {
		return "", err
	}
	params := url.Values{}
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
	e := &fault.Error{Code: fault.Internal, Fields: head.Fields, RetryAfter: retryAfter(got.header)}
	if head.ErrorCode != nil {
		e.Code = fault.Code(*head.ErrorCode)
	}
	if head.Message != nil {
		e.Message = *head.Message
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
