package indexing

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/views"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// jobPoll is how often a running job is looked at.
const jobPoll = 100 * time.Millisecond

// An IndexRun is one index job that the user waits for.
type IndexRun struct {
	S        *cli.Session
	Backend  op.Backend
	progress progress
	graph    bool        // is built when the run is done
	beside   []index.Job // that were started with it: some run at the same time
}

// runIndex starts a job for the one target of req and follows it to its end.
func runIndex(cmd *cobra.Command, s *cli.Session, req index.StartRequest, graph bool) error {
	b, resp, err := start(cmd.Context(), s, req)
	if err != nil {
		return err
	}
	r := &IndexRun{S: s, Backend: b, progress: newProgress(s), graph: graph}
	if resp, err = r.follow(cmd.Context(), resp); err != nil {
		return err
	}
	if s.JSON {
		if err := s.PrintJSON(&resp); err != nil {
			return err
		}
	}
	return r.conclude(cmd.Context(), resp.Items[0])
}

// conclude prints how the job ended, and builds the graph if the job was done.
func (r *IndexRun) conclude(ctx context.Context, job index.Job) error {
	if err := r.outcome(ctx, job); err != nil {
		return err
	}
	if r.S.Local != nil {
		_ = r.S.Local.Settle(ctx, job.RepoID) // else the next process does
	}
	return r.buildGraph(ctx, job)
}

// buildGraph builds the graph of what a job indexed, if that was asked for. A
// graph that can't be built is said, and no failure: the repository is searchable.
func (r *IndexRun) buildGraph(ctx context.Context, job index.Job) error {
	if !r.graph {
		return nil
	}
	limit := r.S.Timeout
	defer func() { r.S.Timeout = limit }()
	r.S.Timeout = max(limit, cli.BuildTimeout)
	r.progress.doing(fmt.Sprintf("building the graph of %s", job.RepoID))
	r.S.Collect(cli.GraphCollector)
	resp, err := cli.Do(ctx, r.S, r.Backend, op.BuildGraph, nav.BuildRequest{RepoID: job.RepoID})
	r.S.Collect(cli.IndexCollector)
	r.progress.end()
	switch {
	case ctx.Err() != nil:
		return err
	case err != nil:
		r.S.Screen.Note("the graph of %s is not built, so that uses and lineage are looked for in the files: %s", job.RepoID,
			cli.Told(err))
	case !r.S.JSON:
		views.Built(r.S.Screen, resp)
		r.S.Hints(&resp)
	}
	return nil
}

// WatchJob shows how a job gets on that somebody has started, until it has ended.
func WatchJob(cmd *cobra.Command, s *cli.Session, req index.JobRequest) error {
	b, err := s.OpenFor(cmd.Context(), &req)
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
	if s.JSON {
		if !s.Remote() {
			cli.Stamp(&resp.Meta, start)
		}
		err = s.PrintJSON(&resp)
	} else {
		views.Jobs(s.Screen, resp)
	}
	if err != nil {
		return err
	}
	switch resp.Items[0].State {
	case index.JobFailed:
		return &cli.StatusError{Code: fault.Internal.Row().Exit}
	case index.JobCancelled:
		return &cli.StatusError{Code: fault.Conflict.Row().Exit}
	default:
		return nil
	}
}

// follow looks at a job until its state is final. When ctx ends it cancels the
// job and still waits, so that nothing is cut off in the middle.
func (r *IndexRun) follow(ctx context.Context, resp index.JobsResponse) (index.JobsResponse, error) {
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
		if resp, err = cli.Do(work, r.S, r.Backend, look, index.JobRequest{ID: job.ID}); err != nil {
			return resp, err
		}
	}
}

// running are the jobs beside this one that have begun and not ended.
func (r *IndexRun) running(ctx context.Context) (jobs []index.Job) {
	for _, job := range r.beside {
		resp, err := cli.Do(ctx, r.S, r.Backend, op.Job, index.JobRequest{ID: job.ID})
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
func (r *IndexRun) outcome(ctx context.Context, job index.Job) error {
	switch {
	case job.State == index.JobFailed:
		return &cli.StatusError{
			Code:    fault.Internal.Row().Exit,
			Message: fmt.Sprintf("%s: %s", job.Target, cmp.Or(term.Text(job.Error), "the index run failed")),
		}
	case ctx.Err() != nil && job.State != index.JobDone:
		return &cli.StatusError{Code: cli.Interrupted, Message: interrupted(job)}
	case job.State == index.JobCancelled:
		return &cli.StatusError{
			Code:    fault.Conflict.Row().Exit,
			Message: fmt.Sprintf("%s: job %s was cancelled by somebody else", job.Target, job.ID),
		}
	case r.S.JSON:
		return nil
	}
	return r.summary(context.WithoutCancel(ctx), job)
}

func interrupted(job index.Job) string {
	usable := term.Counted(job.Documents, "document") + " can be searched"
	switch {
	case job.Documents == 0 && job.Total == 0:
		usable = "what was indexed before can be searched"
	case job.Documents == 0:
		usable = "nothing can be searched yet"
	}
	return fmt.Sprintf("interrupted after %s of %s: %s, and the same command goes on from here",
		term.Thousands(job.Done), term.Counted(job.Total, "file"), usable)
}

func (r *IndexRun) summary(ctx context.Context, job index.Job) error {
	if job.RepoID == "" {
		r.S.Screen.Printf("all vectors were made again, in %s s, and are searched\n", views.Seconds(job))
		return nil
	}
	cover := job.Covered
	if cover == nil { // the run is a server's
		reply, err := cli.Do(ctx, r.S, r.Backend, op.Coverage, index.CoverageRequest{RepoID: job.RepoID, Limit: new(1)})
		if err != nil {
			return err
		}
		cover = &index.Covered{Indexed: reply.Indexed, Skipped: reply.Skipped, MaskCount: reply.MaskCount}
	}
	r.S.Screen.Printf("%s is searchable: %s, %s, %s s\n",
		job.RepoID, term.Counted(cover.Indexed, "file"), term.Counted(job.Documents, "document"), views.Seconds(job))
	r.S.Screen.Wrapped(fmt.Sprintf("  %s changed, %s removed, %s",
		term.Thousands(job.Changed), term.Thousands(job.Removed), views.Skipped(cover.Skipped)), 4)
	switch {
	case cover.Indexed > 0:
	case len(cover.Skipped) == 0:
		r.S.Screen.Printf("  the folder has no files: a search finds nothing until it is indexed with some\n")
	default:
		r.S.Screen.Printf("  no file can be searched; `ragnav coverage %s` says why\n", job.RepoID)
	}
	r.tooLarge(ctx, job.RepoID, cover.Skipped[models.SkipTooLarge])
	views.Masked(r.S.Screen, cover.MaskCount)
	if job.Embedded+job.Reused > 0 {
		r.S.Screen.Printf("  %s embedded, %s reused\n", term.Counted(job.Embedded, "text"), term.Thousands(job.Reused))
	}
	if job.Unparsed > 0 {
		r.S.Screen.Printf("  %s outlined by patterns, their parser could not be asked: %s; the next run looks again\n",
			term.Counted(job.Unparsed, "file"), job.UnparsedReason)
	}
	if job.Pending > 0 {
		r.S.Screen.Printf("  %s without a vector yet, found by words only: %s; the next run goes on\n",
			term.Counted(job.Pending, "document"), cmp.Or(job.PendingReason, "a run was cut off"))
	}
	if job.Summaries > 0 || job.SummaryReason != "" {
		r.S.Screen.Printf("  %s written by the model, for %s\n", term.Counted(job.Summaries, "summary"),
			term.Counted(job.SummaryTokens, "token"))
	}
	if job.SummaryReason != "" {
		r.S.Screen.Printf("  not all of them: %s\n", job.SummaryReason)
	}
	if job.Renewed {
		r.S.Screen.Printf("  every file was read again: its documents were made by the rules of another version\n")
	}
	return nil
}

// shownLarge is how many files are named that were left out for their size.
const shownLarge = 3

// tooLarge names files that were left out for their size, and what takes them in: a
// source file may be among them that somebody looks for.
func (r *IndexRun) tooLarge(ctx context.Context, id models.RepoID, n int) {
	if n == 0 {
		return
	}
	req := index.CoverageRequest{RepoID: id, Only: "skipped", Limit: new(1000)}
	reply, err := cli.Do(ctx, r.S, r.Backend, op.Coverage, req)
	if err != nil {
		return // the number was told
	}
	var names []string
	for _, item := range reply.Items {
		if item.Reason == models.SkipTooLarge && len(names) < shownLarge {
			names = append(names, r.S.Screen.Safe(item.FilePath))
		}
	}
	if n > len(names) {
		names = append(names, fmt.Sprintf("%s more", term.Thousands(n-len(names))))
	}
	r.S.Screen.Wrapped(fmt.Sprintf("  larger than --max-file-size, which sets what is too large: %s",
		strings.Join(names, ", ")), 4)
}
