package cli

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"math"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/client"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/valid"
	textview "github.com/ragnav/ragnav/internal/view"
)

// Show does one operation and prints its reply, as JSON or by view.
func Show[Req, Resp any](cmd *cobra.Command, s *Session, o op.Op[Req, Resp], req Req,
	view func(*term.Screen, Resp),
) error {
	b, err := s.OpenFor(cmd.Context(), &req)
	if err != nil {
		return err
	}
	if s.Text {
		return s.Paged(func() error { return s.ShowText(cmd.Context(), b, o, &req) })
	}
	resp, err := Do(cmd.Context(), s, b, o, req)
	if err != nil {
		return err
	}
	return s.Paged(func() error { return Present(s, o, resp, view) })
}

// ShowText does one operation and prints its reply as agents get it.
func (s *Session) ShowText(ctx context.Context, c op.Caller, row op.Row, req any) error {
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	tokens := textview.DefaultTokens
	if most := op.Field(req, "max_tokens"); most.Kind() == reflect.Pointer && !most.IsNil() { // of the text, here
		tokens = int(most.Elem().Int())
		most.SetZero()
	}
	env, text, err := textview.Do(ctx, asked{s, c}, s.way().Row(row), req, tokens)
	if err != nil {
		return err
	}
	s.Screen.Printf("%s", s.Screen.Safe(text))
	s.noteCut(env) // warnings are in the text
	return nil
}

// Present prints a reply, as JSON or by view. What was cut off is said beside
// both: nobody counts what a pipe took.
func Present[Req, Resp any](s *Session, o op.Op[Req, Resp], resp Resp, view func(*term.Screen, Resp)) error {
	reply := o.Envelope(&resp)
	if s.JSON {
		err := s.PrintJSON(&resp)
		s.noteCut(reply)
		return err
	}
	if message := reply.Head().Message; message != nil && (!s.Quiet || reply.Head().Truncated) {
		s.Screen.Note("%s", s.Say(*message))
	}
	view(s.Screen, resp)
	s.Hints(reply)
	return nil
}

// Do does one operation within the time limit.
func Do[Req, Resp any](ctx context.Context, s *Session, c op.Caller, o op.Op[Req, Resp], req Req) (resp Resp,
	err error,
) {
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	s.lastReply = nil
	start := time.Now()
	if resp, err = o.By(ctx, asked{s, c}, req); err == nil && !s.Remote() {
		Stamp(o.Envelope(&resp).Head(), start)
	}
	return resp, err
}

// asked is who a session asks. Where a process of the data directory ended before it
// answered, whoever has the store by then is asked again: the next one, or this process.
type asked struct {
	s *Session
	op.Caller
}

// Call implements op.Caller.
func (a asked) Call(ctx context.Context, row op.Row, req any) (any, error) {
	resp, err := a.Caller.Call(ctx, row, req)
	_, remote := a.Caller.(*client.Client) // else it is a model that this process doesn't reach
	if !remote || a.s.Server != "" || !client.Lost(err) || ctx.Err() != nil {
		return resp, err
	}
	a.s.Client = nil
	b, err := a.s.Open(ctx)
	if err != nil {
		return nil, err
	}
	return b.Call(ctx, row, req)
}

// OpenFor is open for a request that is checked first, as the server does, so
// that a wrong one needs no store. A server that was named checks for itself.
func (s *Session) OpenFor(ctx context.Context, req any) (op.Backend, error) {
	if s.Server == "" {
		if err := valid.Check(req); err != nil {
			return nil, err
		}
	}
	return s.Open(ctx)
}

// PrintJSON prints a reply as the server wrote it, or would.
func (s *Session) PrintJSON(resp any) error {
	if s.Remote() {
		_, err := s.Screen.Out.Write(s.lastReply)
		return err
	}
	if reply, ok := resp.(models.Envelope); ok && s.routed() {
		op.REST.SayHead(reply.Head())
	}
	return models.Encode(s.Screen.Out, resp)
}

// routed reports whether the REST API is a way to what the session does: what is done
// without a store has no route, nor has a folder, which a server need not know.
func (s *Session) routed() bool { return s.Local != nil && !s.Folder }

// Hints prints what the head of a readable reply has to say behind it, be it
// quiet or not: what weakens the reply, and what was cut off.
func (s *Session) Hints(reply models.Envelope) {
	head := reply.Head()
	for _, w := range head.Warnings {
		s.Screen.Note("warning: %s", s.Say(w.Message))
	}
	s.noteCut(reply)
}

func (s *Session) noteCut(reply models.Envelope) {
	head := reply.Head()
	if !head.Truncated {
		return
	}
	cut := "there is more"
	if head.Total != nil {
		atLeast := ""
		if head.TotalAtLeast {
			atLeast = "at least "
		}
		cut = fmt.Sprintf("%s of %s%s shown", term.Thousands(reply.Shown()), atLeast, term.Thousands(*head.Total))
	}
	if head.NextCursor != "" {
		cut += "; add --cursor " + head.NextCursor + " for the next"
	}
	s.Screen.Note("%s", cut)
}

// Stamp completes a head that no server completed: a new request id, and the
// time since start in milliseconds to a microsecond.
func Stamp(head *models.Meta, start time.Time) {
	head.RequestID = rand.Text()
	head.TookMS = math.Round(float64(time.Since(start))/float64(time.Microsecond)) / 1000
}

// defaultPager leaves what fits the terminal, and what was read, on it.
const defaultPager = "less -FRX"

// Paged prints what f prints, through a pager where it is longer than the
// terminal: that of PAGER, none with NO_PAGER. Notes come where they belong.
func (s *Session) Paged(f func() error) error {
	pager := cmp.Or(s.Getenv("PAGER"), defaultPager)
	screen := s.Screen
	if !screen.Terminal || screen.Height == 0 || s.JSON || s.Getenv("NO_PAGER") != "" || pager == "cat" {
		return f()
	}
	out, errs := screen.Out, screen.Err
	var text bytes.Buffer
	screen.Out = &text
	if screen.Progress {
		screen.Err = &text
	}
	err := f()
	screen.Out, screen.Err = out, errs
	if err != nil || screen.Rows(text.String()) < screen.Height || !page(pager, text.Bytes()) {
		screen.Printf("%s", text.String())
	}
	return err
}

// page shows a text in a pager, and reports whether there is one.
func page(pager string, text []byte) bool {
	words := strings.Fields(pager)
	cmd := exec.Command(words[0], words[1:]...) //nolint:gosec,noctx // the user names it, and ends it
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(text), os.Stdout, os.Stderr
	if cmd.Start() != nil {
		return false
	}
	_ = cmd.Wait() // a pager that is left early has shown what was wanted
	return true
}
