package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"math"
	"reflect"
	"time"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/valid"
	textview "github.com/ragnav/ragnav/internal/view"
)

// show does one operation and prints its reply, as JSON or by view.
func show[Req, Resp any](cmd *cobra.Command, s *session, o op.Op[Req, Resp], req Req, view func(*screen, Resp)) error {
	b, err := s.openFor(cmd.Context(), &req)
	if err != nil {
		return err
	}
	if s.text {
		return s.paged(func() error { return s.showText(cmd.Context(), b, o, &req) })
	}
	resp, err := do(cmd.Context(), s, b, o, req)
	if err != nil {
		return err
	}
	return s.paged(func() error { return present(s, o, resp, view) })
}

// showText does one operation and prints its reply as agents get it.
func (s *session) showText(ctx context.Context, c op.Caller, row op.Row, req any) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	tokens := textview.DefaultTokens
	if most := op.Field(req, "max_tokens"); most.Kind() == reflect.Pointer && !most.IsNil() { // of the text, here
		tokens = int(most.Elem().Int())
		most.SetZero()
	}
	env, text, err := textview.Do(ctx, c, row, req, tokens)
	if err != nil {
		return err
	}
	s.screen.printf("%s", s.screen.safe(text))
	s.hints(env)
	return nil
}

// present prints a reply, as JSON or by view.
func present[Req, Resp any](s *session, o op.Op[Req, Resp], resp Resp, view func(*screen, Resp)) error {
	if s.json {
		return s.printJSON(&resp)
	}
	reply := o.Envelope(&resp)
	if message := reply.Head().Message; message != nil && (!s.quiet || reply.Head().Truncated) {
		s.screen.note("%s", *message)
	}
	view(s.screen, resp)
	s.hints(reply)
	return nil
}

// do does one operation within the time limit.
func do[Req, Resp any](ctx context.Context, s *session, c op.Caller, o op.Op[Req, Resp], req Req) (resp Resp, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	s.lastReply = nil
	start := time.Now()
	if resp, err = o.By(ctx, c, req); err == nil && !s.remote() {
		stamp(o.Envelope(&resp).Head(), start)
	}
	return resp, err
}

// openFor is open for a request that is checked first, as the server does, so
// that a wrong one needs no store. A server that was named checks for itself.
func (s *session) openFor(ctx context.Context, req any) (op.Backend, error) {
	if s.server == "" {
		if err := valid.Check(req); err != nil {
			return nil, err
		}
	}
	return s.open(ctx)
}

// printJSON prints a reply as the server wrote it, or would.
func (s *session) printJSON(resp any) error {
	if s.remote() {
		_, err := s.screen.out.Write(s.lastReply)
		return err
	}
	return models.Encode(s.screen.out, resp)
}

// hints prints what the head of a readable reply has to say behind it, be it
// quiet or not: what weakens the reply, and what was cut off.
func (s *session) hints(reply models.Envelope) {
	head := reply.Head()
	for _, w := range head.Warnings {
		s.screen.note("warning: %s", w.Message)
	}
	if !head.Truncated {
		return
	}
	cut := "there is more"
	if head.Total != nil {
		atLeast := ""
		if head.TotalAtLeast {
			atLeast = "at least "
		}
		cut = fmt.Sprintf("%s of %s%s shown", thousands(reply.Shown()), atLeast, thousands(*head.Total))
	}
	if head.NextCursor != "" {
		cut += "; add --cursor " + head.NextCursor + " for the next"
	}
	s.screen.note("%s", cut)
}

// stamp completes a head that no server completed: a new request id, and the
// time since start in milliseconds to a microsecond.
func stamp(head *models.Meta, start time.Time) {
	head.RequestID = rand.Text()
	head.TookMS = math.Round(float64(time.Since(start))/float64(time.Microsecond)) / 1000
}
