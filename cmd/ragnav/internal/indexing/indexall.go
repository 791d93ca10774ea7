package indexing

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
)

// exitSomeFailed is the exit code when of several repositories any failed.
var exitSomeFailed = fault.Internal.Row().Exit

// A Batch is the index runs of several repositories.
type Batch struct {
	IndexRun

	done, failed int
}

// runAll indexes several targets, one after another, and tells at the end how
// many are searchable. What fails is told and stops nobody but an interrupt.
func runAll(cmd *cobra.Command, s *cli.Session, req index.StartRequest, targets []target, graph bool) error {
	all := &Batch{IndexRun: IndexRun{S: s, graph: graph}}
	for _, t := range targets {
		req.Targets = []string{t.path}
		if err := all.Run(cmd.Context(), req, t.where); err != nil {
			return err
		}
	}
	summary := fmt.Sprintf("%d of %d repositories are searchable and up to date", all.done, all.done+all.failed)
	if all.failed > 0 {
		return &cli.StatusError{Code: exitSomeFailed, Message: summary}
	}
	if !s.JSON {
		s.Screen.Printf("%s\n", summary)
	}
	return nil
}

// Run indexes one target. It returns only errors that end everything.
func (b *Batch) Run(ctx context.Context, req index.StartRequest, where string) error {
	backend, resp, err := start(ctx, b.S, req)
	if err != nil {
		return b.fail(ctx, where, err)
	}
	b.Backend = backend
	for _, w := range resp.Meta.Warnings {
		b.failed++
		b.S.Screen.Note("%s%s", prefix(where), b.S.Say(w.Message))
	}
	var done []index.Job
	for i, job := range resp.Items {
		b.beside = resp.Items[i+1:]
		ended, err := b.one(ctx, job, i > 0, where)
		if err != nil {
			b.cancel(ctx, b.beside)
			return err
		}
		if ended.State == index.JobDone {
			done = append(done, ended)
		}
	}
	for _, job := range done { // now that nothing runs beside
		if err := b.buildGraph(ctx, job); err != nil {
			return err
		}
	}
	return nil
}

// one follows a job to its end. A job that others went before may have ended.
func (b *Batch) one(ctx context.Context, job index.Job, look bool, where string) (index.Job, error) {
	b.progress = newProgress(b.S)
	resp := index.JobsResponse{}
	resp.Items = []index.Job{job}
	var err error
	if look {
		resp, err = cli.Do(context.WithoutCancel(ctx), b.S, b.Backend, op.Job, index.JobRequest{ID: job.ID})
	}
	if err == nil {
		resp, err = b.follow(ctx, resp)
	}
	if err != nil {
		return job, b.fail(ctx, where, err)
	}
	job = resp.Items[0]
	if b.S.JSON {
		if err := b.S.PrintJSON(&resp); err != nil {
			return job, err
		}
	}
	if err := b.outcome(ctx, job); err != nil {
		return job, b.fail(ctx, where, err)
	}
	b.done++
	return job, nil
}

// fail tells why a repository is not searchable. After an interrupt it is the
// error that ends everything.
func (b *Batch) fail(ctx context.Context, where string, err error) error {
	if ctx.Err() != nil {
		return err
	}
	b.failed++
	if e, ok := errors.AsType[*cli.StatusError](err); ok { // its reply was printed
		b.S.Screen.Note("%s%s", prefix(where), e.Message)
		return nil
	}
	if b.S.JSON {
		b.S.PrintError(err)
	}
	b.S.Screen.Note("%s%s", prefix(where), cli.Told(err))
	return nil
}

// cancel stops jobs whose turn does not come any more.
func (b *Batch) cancel(ctx context.Context, jobs []index.Job) {
	for _, job := range jobs {
		// it may have ended
		_, _ = cli.Do(context.WithoutCancel(ctx), b.S, b.Backend, op.CancelJob, index.JobRequest{ID: job.ID})
	}
}

func prefix(where string) string {
	if where == "" {
		return ""
	}
	return fmt.Sprintf("%s: ", where)
}
