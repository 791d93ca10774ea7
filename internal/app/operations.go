package app

import (
	"context"
	"fmt"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/repos"
)

// bind says which function does which operation.
func (a *App) bind() {
	op.Bind(&a.Table, op.Repos, consistent(a, a.listRepos))
	op.Bind(&a.Table, op.Structure, consistent(a, a.structure.Explore))
	op.Bind(&a.Table, op.Search, consistent(a, a.search.Query))
	op.Bind(&a.Table, op.File, consistent(a, a.files.File))
	op.Bind(&a.Table, op.Outline, consistent(a, a.outline.Outline))
	op.Bind(&a.Table, op.Ask,
		func(ctx context.Context, req ask.Request) (ask.Response, error) { return a.AskStream(ctx, req, nil) })
	op.Bind(&a.Table, op.Plan, a.plan.Plan)
	op.Bind(&a.Table, op.Context, consistent(a, a.retrieve.Retrieve))
	bindNav(&a.Table, a.nav)
	op.Bind(&a.Table, op.StartIndex, a.startIndex)
	op.Bind(&a.Table, op.PreviewIndex, a.jobs.Preview)
	op.Bind(&a.Table, op.Jobs, a.jobs.Jobs)
	op.Bind(&a.Table, op.Job, a.jobs.Job)
	op.Bind(&a.Table, op.CancelJob, a.jobs.Cancel)
	op.Bind(&a.Table, op.Coverage, consistent(a, a.jobs.Coverage))
	op.Bind(&a.Table, op.Remove, a.jobs.Remove)
}

// listRepos lists repositories. It warns of those that lost a part of their index.
func (a *App) listRepos(ctx context.Context, req repos.Request) (repos.Response, error) {
	resp, err := a.repos.List(ctx, req)
	for _, lost := range a.Lost() {
		resp.Meta.Warnings = append(resp.Meta.Warnings, models.Warning{
			Code: string(fault.IndexNotReady), Message: fmt.Sprintf("%s: %s", lost.RepoID, lost.LastError),
		})
	}
	return resp, err
}

// bindNav binds the operations that follow code. App and Folder have them.
func bindNav(t *op.Table, n *nav.Service) {
	op.Bind(t, op.NavSearch, n.Search)
	op.Bind(t, op.WhereUsed, n.WhereUsed)
	op.Bind(t, op.Lineage, n.Lineage)
	op.Bind(t, op.Definition, n.Definition)
	op.Bind(t, op.Impact, n.Impact)
	op.Bind(t, op.Map, n.Map)
	op.Bind(t, op.Implementations, n.Implementations)
	op.Bind(t, op.NavStatus, n.Status)
	op.Bind(t, op.BuildGraph, n.Build)
	op.Bind(t, op.ExportSCIP, n.ExportSCIP)
}

// Maintain has done in the background what a process that stays does for its store.
// Graphs are built: of repositories that were indexed, and of those that a question
// missed it for. Vectors of an earlier built-in table are made again. It is called
// before requests are.
func (a *App) Maintain(ctx context.Context) error {
	a.nav.InBackground(nil)
	return a.jobs.Renew(ctx)
}

// startIndex starts jobs. Where graphs are built in the background, that of each
// repository is once its job is done.
func (a *App) startIndex(ctx context.Context, req index.StartRequest) (index.JobsResponse, error) {
	resp, err := a.jobs.Start(ctx, req)
	if err != nil || req.NoGraph {
		return resp, err
	}
	for _, job := range resp.Items {
		a.nav.After(func(ctx context.Context) {
			if ended, err := a.jobs.Wait(ctx, job.ID, nil); err == nil && ended.State == index.JobDone {
				a.nav.BuildLater(ended.RepoID)
			}
		})
	}
	return resp, nil
}

// Resume starts again the first runs that ended with their process, as a process that
// stays does. Those that can't be started stay as they are, and `ragnav repos` tells of them.
func (a *App) Resume(ctx context.Context) ([]index.Job, error) {
	interrupted, err := a.jobs.Interrupted(ctx)
	var started []index.Job
	for _, id := range interrupted {
		if resp, err := a.startIndex(ctx, index.StartRequest{RepoID: id}); err == nil { // else it is under way
			started = append(started, resp.Items...)
		}
	}
	return started, err
}

// Call implements op.Backend.
func (a *App) Call(ctx context.Context, row op.Row, req any) (any, error) {
	a.idle.note()
	defer a.idle.note()
	return a.Table.Call(ctx, row, req)
}

// AskStream implements op.Backend.
func (a *App) AskStream(ctx context.Context, req ask.Request, on func(ask.Event)) (ask.Response, error) {
	return a.agent.Ask(ctx, req, on)
}

// WatchJob implements op.Backend.
func (a *App) WatchJob(ctx context.Context, req index.JobRequest, progress func(index.Job)) (index.JobsResponse,
	error,
) {
	return a.jobs.Watch(ctx, req, progress)
}
