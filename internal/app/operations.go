package app

import (
	"context"

	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/rag/structure"
)

// Repos lists repositories.
func (a *App) Repos(ctx context.Context, req repos.Request) (repos.Response, error) {
	return consistent(ctx, a, a.repos.List, req)
}

// Structure explores one folder of a repository.
func (a *App) Structure(ctx context.Context, req structure.Request) (structure.Response, error) {
	return consistent(ctx, a, a.structure.Explore, req)
}

// Search finds documents.
func (a *App) Search(ctx context.Context, req search.Request) (search.Response, error) {
	return consistent(ctx, a, a.search.Search, req)
}

// File reads lines of a file.
func (a *App) File(ctx context.Context, req filefetch.Request) (filefetch.Response, error) {
	return consistent(ctx, a, a.files.File, req)
}

// Ask answers a question with citations.
func (a *App) Ask(ctx context.Context, req ask.Request) (ask.Response, error) {
	return consistent(ctx, a, a.ask.Ask, req)
}

// StartIndex starts index jobs. They go on after ctx has ended.
func (a *App) StartIndex(ctx context.Context, req index.StartRequest) (index.JobsResponse, error) {
	return a.jobs.Start(ctx, req)
}

// PreviewIndex tells what StartIndex would do with the same request, and does
// none of it.
func (a *App) PreviewIndex(ctx context.Context, req index.StartRequest) (index.PreviewResponse, error) {
	return a.jobs.Preview(ctx, req)
}

// Jobs lists the index jobs of this process.
func (a *App) Jobs(ctx context.Context, req index.JobsRequest) (index.JobsResponse, error) {
	return a.jobs.Jobs(ctx, req)
}

// Job looks at one index job.
func (a *App) Job(ctx context.Context, req index.JobRequest) (index.JobsResponse, error) {
	return a.jobs.Job(ctx, req)
}

// WatchJob follows an index job to its end and calls progress some times a second.
func (a *App) WatchJob(ctx context.Context, req index.JobRequest, progress func(index.Job)) (index.JobsResponse, error) {
	return a.jobs.Watch(ctx, req, progress)
}

// CancelJob stops a job and waits until it has stopped, as long as ctx lives.
func (a *App) CancelJob(ctx context.Context, req index.JobRequest) (index.JobsResponse, error) {
	return a.jobs.Cancel(ctx, req)
}

// Coverage tells which files are indexed, and why others are not.
func (a *App) Coverage(ctx context.Context, req index.CoverageRequest) (index.CoverageResponse, error) {
	return consistent(ctx, a, a.jobs.Coverage, req)
}

// Remove removes a repository from the index.
func (a *App) Remove(ctx context.Context, req index.RemoveRequest) (index.RemoveResponse, error) {
	return a.jobs.Remove(ctx, req)
}
