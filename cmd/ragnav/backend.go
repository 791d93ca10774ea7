package main

import (
	"context"

	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/rag/structure"
)

// A backend does the operations: app.App in this process, or client.Client
// through a server. Their replies are the same.
type backend interface {
	reader
	navigator
	jobber
	Coverage(context.Context, index.CoverageRequest) (index.CoverageResponse, error)
	Remove(context.Context, index.RemoveRequest) (index.RemoveResponse, error)
}

// A reader answers from the index.
type reader interface {
	Repos(context.Context, repos.Request) (repos.Response, error)
	Structure(context.Context, structure.Request) (structure.Response, error)
	Search(context.Context, search.Request) (search.Response, error)
	File(context.Context, filefetch.Request) (filefetch.Response, error)
	Ask(context.Context, ask.Request) (ask.Response, error)
}

// A jobber runs index jobs.
type jobber interface {
	StartIndex(context.Context, index.StartRequest) (index.JobsResponse, error)
	PreviewIndex(context.Context, index.StartRequest) (index.PreviewResponse, error)
	Jobs(context.Context, index.JobsRequest) (index.JobsResponse, error)
	Job(context.Context, index.JobRequest) (index.JobsResponse, error)
	WatchJob(context.Context, index.JobRequest, func(index.Job)) (index.JobsResponse, error)
	CancelJob(context.Context, index.JobRequest) (index.JobsResponse, error)
}
