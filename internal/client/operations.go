package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/rag/structure"
)

// Nothing is the request of an operation without parameters.
type Nothing struct{}

// Repos lists repositories.
func (c *Client) Repos(ctx context.Context, req repos.Request) (repos.Response, error) {
	return call[repos.Request, repos.Response](ctx, c, route{http.MethodGet, "/api/rag/repos"}, req)
}

// Structure explores one folder of a repository.
func (c *Client) Structure(ctx context.Context, req structure.Request) (structure.Response, error) {
	return call[structure.Request, structure.Response](ctx, c, route{http.MethodPost, "/api/rag/structure"}, req)
}

// Search finds documents.
func (c *Client) Search(ctx context.Context, req search.Request) (search.Response, error) {
	return call[search.Request, search.Response](ctx, c, route{http.MethodPost, "/api/rag/search"}, req)
}

// File reads lines of a file.
func (c *Client) File(ctx context.Context, req filefetch.Request) (filefetch.Response, error) {
	return call[filefetch.Request, filefetch.Response](ctx, c, route{http.MethodPost, "/api/rag/file"}, req)
}

// Ask answers a question with citations.
func (c *Client) Ask(ctx context.Context, req ask.Request) (ask.Response, error) {
	return call[ask.Request, ask.Response](ctx, c, route{http.MethodPost, "/api/rag/"}, req)
}

// NavSearch finds text in the files of a repository.
func (c *Client) NavSearch(ctx context.Context, req nav.SearchRequest) (nav.SearchResponse, error) {
	return call[nav.SearchRequest, nav.SearchResponse](ctx, c, route{http.MethodPost, "/api/nav/search"}, req)
}

// WhereUsed finds where a symbol is used.
func (c *Client) WhereUsed(ctx context.Context, req nav.WhereUsedRequest) (nav.WhereUsedResponse, error) {
	return call[nav.WhereUsedRequest, nav.WhereUsedResponse](ctx, c, route{http.MethodPost, "/api/nav/where-used"}, req)
}

// Lineage follows uses from a symbol.
func (c *Client) Lineage(ctx context.Context, req nav.LineageRequest) (nav.LineageResponse, error) {
	return call[nav.LineageRequest, nav.LineageResponse](ctx, c, route{http.MethodPost, "/api/nav/lineage"}, req)
}

// NavStatus tells how fresh the graph of a repository is.
func (c *Client) NavStatus(ctx context.Context, req nav.StatusRequest) (nav.StatusResponse, error) {
	return call[nav.StatusRequest, nav.StatusResponse](ctx, c, route{http.MethodGet, "/api/nav/status"}, req)
}

// BuildGraph builds the graph of a repository.
func (c *Client) BuildGraph(ctx context.Context, req nav.BuildRequest) (nav.BuildResponse, error) {
	return call[nav.BuildRequest, nav.BuildResponse](ctx, c, route{http.MethodPost, "/api/nav/build-graph"}, req)
}

// StartIndex starts index jobs. Folders are those of the server's machine.
func (c *Client) StartIndex(ctx context.Context, req index.StartRequest) (index.JobsResponse, error) {
	return call[index.StartRequest, index.JobsResponse](ctx, c, route{http.MethodPost, "/api/index"}, req)
}

// PreviewIndex tells what StartIndex would do with the same request.
func (c *Client) PreviewIndex(ctx context.Context, req index.StartRequest) (index.PreviewResponse, error) {
	req.DryRun = true
	return call[index.StartRequest, index.PreviewResponse](ctx, c, route{http.MethodPost, "/api/index"}, req)
}

// Jobs lists index jobs.
func (c *Client) Jobs(ctx context.Context, req index.JobsRequest) (index.JobsResponse, error) {
	return call[index.JobsRequest, index.JobsResponse](ctx, c, route{http.MethodGet, "/api/index/jobs"}, req)
}

// Job looks at one index job.
func (c *Client) Job(ctx context.Context, req index.JobRequest) (index.JobsResponse, error) {
	return call[Nothing, index.JobsResponse](ctx, c, route{http.MethodGet, "/api/index/jobs/" + url.PathEscape(req.ID)}, Nothing{})
}

// WatchJob follows an index job to its end and calls progress whenever it has
// changed. A server that stops meanwhile is RAG_UNAVAILABLE.
func (c *Client) WatchJob(ctx context.Context, req index.JobRequest, progress func(index.Job)) (index.JobsResponse, error) {
	var resp index.JobsResponse
	err := c.stream(ctx, "/api/index/jobs/"+url.PathEscape(req.ID), func(event string, data []byte) error {
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

// CancelJob asks a job to stop.
func (c *Client) CancelJob(ctx context.Context, req index.JobRequest) (index.JobsResponse, error) {
	return call[Nothing, index.JobsResponse](ctx, c, route{http.MethodDelete, "/api/index/jobs/" + url.PathEscape(req.ID)}, Nothing{})
}

// Coverage tells which files are indexed, and why others are not.
func (c *Client) Coverage(ctx context.Context, req index.CoverageRequest) (index.CoverageResponse, error) {
	return call[index.CoverageRequest, index.CoverageResponse](ctx, c, route{http.MethodGet, "/api/index/coverage"}, req)
}

// Remove removes a repository from the index.
func (c *Client) Remove(ctx context.Context, req index.RemoveRequest) (index.RemoveResponse, error) {
	return call[Nothing, index.RemoveResponse](ctx, c, route{http.MethodDelete, "/api/rag/repos/" + escapeID(req.RepoID)}, Nothing{})
}

// Version tells what the server is.
func (c *Client) Version(ctx context.Context, _ Nothing) (models.Result[models.Version], error) {
	return call[Nothing, models.Result[models.Version]](ctx, c, route{http.MethodGet, "/version"}, Nothing{})
}

// Ready returns the server's checks. Unlike other operations it also returns
// them when the server says that it is not ready.
func (c *Client) Ready(ctx context.Context, _ Nothing) (models.Result[models.Check], error) {
	var resp models.Result[models.Check]
	got, err := c.exchange(ctx, route{http.MethodGet, "/readyz"}, Nothing{})
	if err != nil {
		return resp, err
	}
	if err := json.Unmarshal(got.body, &resp); err == nil && len(resp.Items) > 0 {
		c.onReply(got.body)
		return resp, nil
	}
	return resp, c.failure(got)
}

// escapeID escapes an id's segments; the slashes between them are part of the route.
func escapeID(id models.RepoID) string {
	segments := strings.Split(string(id), "/")
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	return strings.Join(segments, "/")
}
