package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
)

// jobPoll is how often a running job is looked at.
const jobPoll = 100 * time.Millisecond

// An indexRun is one index job that the user waits for.
type indexRun struct {
	s        *session
	backend  op.Backend
	progress progress
	graph    bool        // is built when the run is done
	beside   []index.Job // that were started with it: some run at the same time
}

// runIndex starts a job for the one target of req and follows it to its end.
func runIndex(cmd *cobra.Command, s *session, req index.StartRequest, graph bool) error {
	b, err := s.openFor(cmd.Context(), &req)
	if err != nil {
		return err
	}
	r := &indexRun{s: s, backend: b, progress: newProgress(s), graph: graph}
	resp, err := do(cmd.Context(), s, b, op.StartIndex, req)
	if err != nil {
		return err
	}
	if resp, err = r.follow(cmd.Context(), resp); err != nil {
		return err
	}
	if s.json {
		if err := s.printJSON(&resp); err != nil {
			return err
		}
	}
	return r.conclude(cmd.Context(), resp.Items[0])
}

// conclude prints how the job ended, and builds the graph if the job was done.
func (r *indexRun) conclude(ctx context.Context, job index.Job) error {
	if err := r.outcome(ctx, job); err != nil {
		return err
	}
	return r.buildGraph(ctx, job)
}

// buildGraph builds the graph of what a job indexed, if that was asked for. A
// graph that can't be built is said, and no failure: the repository is searchable.
func (r *indexRun) buildGraph(ctx context.Context, job index.Job) error {
	if !r.graph {
		return nil
	}
	limit := r.s.timeout
	defer func() { r.s.timeout = limit }()
	r.s.timeout = max(limit, buildTimeout)
	r.progress.note(fmt.Sprintf("building the graph of %s; --no-graph leaves it out", job.RepoID))
	resp, err := do(ctx, r.s, r.backend, op.BuildGraph, nav.BuildRequest{RepoID: job.RepoID})
	switch {
	case ctx.Err() != nil:
		return err
	case err != nil:
		r.s.screen.note("the graph of %s is not built, so that uses and lineage are looked for in the files: %s", job.RepoID, told(err))
	case !r.s.json:
		viewBuilt(r.s.screen, resp)
	}
	return nil
}

// watchJob shows how a job gets on that somebody has started, until it has ended.
func watchJob(cmd *cobra.Command, s *session, req index.JobRequest) error {
	b, err := s.openFor(cmd.Context(), &req)
	if err != nil {
		return err
	}
	p := newProgress(s)
	start := time.Now()
	resp, err := b.WatchJob(cmd.Context(), req, func(job index.Job) { p.show(job) })
	p.end()
	if err != nil {
		return err
	}
	if s.json {
		if !s.remote() {
			stamp(&resp.Meta, start)
		}
		err = s.printJSON(&resp)
	} else {
		viewJobs(s.screen, resp)
	}
	if err != nil {
		return err
	}
	switch resp.Items[0].State {
	case index.JobFailed:
		return &statusError{code: fault.Internal.Row().Exit}
	case index.JobCancelled:
		return &statusError{code: fault.Conflict.Row().Exit}
	default:
		return nil
	}
}

// follow looks at a job until its state is final. When ctx ends it cancels the
// job and still waits, so that nothing is cut off in the middle.
func (r *indexRun) follow(ctx context.Context, resp index.JobsResponse) (index.JobsResponse, error) {
	defer r.progress.end()
	work, interrupted := context.WithoutCancel(ctx), ctx.Done()
	var beside []index.Job
	for {
		if len(resp.Items) == 0 {
			return resp, fault.New(fault.Internal, "the reply names no job")
		}
		job := resp.Items[0]
		if r.progress.show(append([]index.Job{job}, beside...)...); job.State.Final() {
			return resp, nil
		}
		look := op.Job
		select {
		case <-interrupted:
			look, interrupted = op.CancelJob, nil
			r.progress.note("stopping; what is done so far stays searchable")
		case <-time.After(jobPoll):
		}
		beside = r.running(work)
		var err error
		if resp, err = do(work, r.s, r.backend, look, index.JobRequest{ID: job.ID}); err != nil {
			return resp, err
		}
	}
}

// running are the jobs beside this one that have begun and not ended.
func (r *indexRun) running(ctx context.Context) (jobs []index.Job) {
	for _, job := range r.beside {
		resp, err := do(ctx, r.s, r.backend, op.Job, index.JobRequest{ID: job.ID})
		if err != nil || len(resp.Items) == 0 || resp.Items[0].State == index.JobQueued {
			return jobs // they begin in order
		}
		if job = resp.Items[0]; !job.State.Final() {
			jobs = append(jobs, job)
		}
	}
	return jobs
}

// outcome prints how the job ended and is nil when its repository is searchable.
func (r *indexRun) outcome(ctx context.Context, job index.Job) error {
	switch {
	case job.State == index.JobFailed:
		return &statusError{code: fault.Internal.Row().Exit, message: fmt.Sprintf("%s: %s", job.Target, or(text(job.Error), "the index run failed"))}
	case ctx.Err() != nil && job.State != index.JobDone:
		return &statusError{code: exitInterrupted, message: interrupted(job)}
	case job.State == index.JobCancelled:
		return &statusError{code: fault.Conflict.Row().Exit, message: fmt.Sprintf("%s: job %s was cancelled by somebody else", job.Target, job.ID)}
	case r.s.json:
		return nil
	}
	return r.summary(context.WithoutCancel(ctx), job)
}

func interrupted(job index.Job) string {
	usable := counted(job.Documents, "document") + " can be searched"
	switch {
	case job.Documents == 0 && job.Total == 0:
		usable = "what was indexed before can be searched"
	case job.Documents == 0:
		usable = "nothing can be searched yet"
	}
	return fmt.Sprintf("interrupted after %s of %s: %s, and the same command goes on from here",
		thousands(job.Done), counted(job.Total, "file"), usable)
}

func (r *indexRun) summary(ctx context.Context, job index.Job) error {
	if job.RepoID == "" {
		r.s.screen.printf("all vectors were made again, in %s s, and are searched\n", seconds(job))
		return nil
	}
	cover := job.Covered
	if cover == nil { // the run is a server's
		reply, err := do(ctx, r.s, r.backend, op.Coverage, index.CoverageRequest{RepoID: job.RepoID, Limit: new(1)})
		if err != nil {
			return err
		}
		cover = &index.Covered{Indexed: reply.Indexed, Skipped: reply.Skipped, MaskCount: reply.MaskCount}
	}
	r.s.screen.printf("%s is searchable: %s, %s, %s s\n",
		job.RepoID, counted(cover.Indexed, "file"), counted(job.Documents, "document"), seconds(job))
	r.s.screen.printf("  %s changed, %s removed, %s\n",
		thousands(job.Changed), thousands(job.Removed), skipped(cover.Skipped))
	viewMasked(r.s.screen, cover.MaskCount)
	if job.Embedded+job.Reused > 0 {
		r.s.screen.printf("  %s embedded, %s reused\n", counted(job.Embedded, "text"), thousands(job.Reused))
	}
	if job.Pending > 0 {
		r.s.screen.printf("  %s without a vector yet, found by words only: %s; the next run goes on\n",
			counted(job.Pending, "document"), or(job.PendingReason, "a run was cut off"))
	}
	if job.Summaries > 0 || job.SummaryReason != "" {
		r.s.screen.printf("  %s written by the model, for %s\n", counted(job.Summaries, "summary"), counted(job.SummaryTokens, "token"))
	}
	if job.SummaryReason != "" {
		r.s.screen.printf("  not all of them: %s\n", job.SummaryReason)
	}
	if job.Renewed {
		r.s.screen.printf("  every file was read again: its documents were made by the rules of another version\n")
	}
	return nil
}
