package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Call implements op.Caller. Folders in a request are those of the server's machine.
func (c *Client) Call(ctx context.Context, row op.Row, req any) (any, error) {
	got, err := c.exchange(ctx, row.About(), req)
	if err != nil {
		return nil, err
	}
	if err := c.failure(got); err != nil {
		return nil, err
	}
	resp, err := row.Decode(got.body)
	if err != nil {
		return nil, c.strange(err)
	}
	c.onReply(got.body)
	return resp, nil
}

// WatchJob follows an index job to its end and calls progress whenever it has
// changed. A server that stops meanwhile is RAG_UNAVAILABLE.
func (c *Client) WatchJob(ctx context.Context, req index.JobRequest, progress func(index.Job)) (index.JobsResponse,
	error,
) {
	var resp index.JobsResponse
	err := c.stream(ctx, op.Job.Spec, req, "end", func(event string, data []byte) error {
		if err := json.Unmarshal(data, &resp); err != nil || len(resp.Items) != 1 {
			return c.strange(err)
		}
		if event == "progress" {
			progress(resp.Items[0])
		}
		return nil
	})
	return resp, err
}

// AskStream implements op.Backend.
func (c *Client) AskStream(ctx context.Context, req ask.Request, on func(ask.Event)) (ask.Response, error) {
	var resp ask.Response
	err := c.stream(ctx, op.Ask.Spec, req, "done", func(name string, data []byte) error {
		if name == "done" {
			if err := json.Unmarshal(data, &resp); err != nil || len(resp.Items) != 1 {
				return c.strange(err)
			}
			return nil
		}
		event, err := ask.ReadEvent(name, data)
		if err != nil {
			return c.strange(err)
		}
		if on != nil {
			on(event)
		}
		return nil
	})
	return resp, err
}

// Version tells what the server is.
func (c *Client) Version(ctx context.Context) (models.Result[models.Version], error) {
	var resp models.Result[models.Version]
	got, err := c.exchange(ctx, op.Spec{Method: http.MethodGet, Path: "/version"}, struct{}{})
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

// Ready returns the server's checks. Unlike other operations it also returns
// them when the server says that it is not ready.
func (c *Client) Ready(ctx context.Context) (models.Result[models.Check], error) {
	var resp models.Result[models.Check]
	got, err := c.exchange(ctx, op.Spec{Method: http.MethodGet, Path: "/readyz"}, struct{}{})
	if err != nil {
		return resp, err
	}
	if err := json.Unmarshal(got.body, &resp); err == nil && len(resp.Items) > 0 {
		c.onReply(got.body)
		return resp, nil
	}
	return resp, c.failure(got)
}

// fill puts the fields that a route names into it and takes them out of
// fields. Slashes stay in the id of a repository only.
func fill(route string, fields map[string]any) string {
	before, rest, ok := strings.Cut(route, "{")
	if !ok {
		return route
	}
	name, after, _ := strings.Cut(rest, "}")
	value, _ := fields[name].(string)
	delete(fields, name)
	segments := []string{value}
	if name == "repo_id" {
		segments = strings.Split(value, "/")
	}
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	return before + strings.Join(segments, "/") + after
}
