// Package agent answers questions with a language model that calls tools, which
// are the operations. The model decides what is read; what is true is decided
// here: a citation stands only if its lines were shown to the model in this run
// and are in the file as they were shown.
//
// The extractive answer comes first. It is where the model starts from, and it
// is the answer when the model fails.
package agent

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/llm"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Options are what a Service works with. All but the limits are required.
type Options struct {
	Extract func(context.Context, ask.Request) (ask.Response, error) // the extractive answer
	Ops     op.Caller                                                // what the tools do
	Model   llm.Model                                                // nil: answers are extractive
	Limits
}

// Limits bound one answer. Zero fields mean the defaults.
type Limits struct {
	Time    time.Duration // default 45 s
	Steps   int           // replies of the model; default 8
	Calls   int           // of tools; default 24
	Tokens  int           // in and out, all replies together; default 40,000
	Context int           // the model's window; default 32,768
}

func (l Limits) withDefaults() Limits {
	set := func(v *int, def int) {
		if *v <= 0 {
			*v = def
		}
	}
	if l.Time <= 0 {
		l.Time = 45 * time.Second
	}
	set(&l.Steps, 8)
	set(&l.Calls, 24)
	set(&l.Tokens, 40_000)
	set(&l.Context, 32_768)
	return l
}

// A Service answers questions.
type Service struct{ Options }

// New returns a Service.
func New(o Options) *Service {
	o.Limits = o.withDefaults()
	return &Service{o}
}

// Ask answers one question and tells on the way what happens; on may be nil, and
// is called by one goroutine at a time. The answer is the model's, or extractive
// with a warning that says why. Errors are those of the extractive answer, and
// those of ctx.
func (s *Service) Ask(ctx context.Context, req ask.Request, on func(ask.Event)) (ask.Response, error) {
	if on == nil {
		on = func(ask.Event) {}
	}
	found, err := s.Extract(ctx, req)
	if err != nil {
		return found, err
	}
	r := s.newRun(ctx, req, found, on)
	on(ask.Event{Plan: &r.plan})
	if s.Model == nil {
		return tell(found, on), nil
	}
	answer, err := r.answer(ctx)
	if ctx.Err() != nil {
		return ask.Response{}, ctx.Err()
	}
	resp := found
	resp.Meta.Warnings = append(resp.Meta.Warnings, r.warnings()...)
	if err == nil {
		resp.Items = []models.Answer{answer}
		if resp.Meta.Message = nil; answer.OutOfScope {
			resp.Meta.Message = new(
				"the question has nothing to do with what is indexed; ask another one, or index the repository that has the answer")
		}
		return conclude(resp, on), nil
	}
	resp.Meta.Warnings = append(resp.Meta.Warnings,
		models.Warning{Code: string(codeOf(err)), Message: "the answer is extractive: " + messageOf(err)})
	a := &resp.Items[0]
	a.Usage, a.Steps = r.usage, append(a.Steps, r.desk.steps...)
	return tell(resp, on), nil
}

// warnings are what weakens an answer of the model.
func (r *run) warnings() []models.Warning {
	out := r.cite.warnings()
	if r.cut {
		out = append(out, models.Warning{
			Code: "PROMPT_CUT",
			Message: fmt.Sprintf("the language model's server has read a part of what it was sent only: "+
				"give the model a window of %d tokens (Ollama: OLLAMA_CONTEXT_LENGTH), or lower RAGNAV_LLM_CONTEXT to what it has",
				r.Context),
		})
	}
	return out
}

// tell tells an answer that is there as a whole.
func tell(resp ask.Response, on func(ask.Event)) ask.Response {
	a := &resp.Items[0]
	if len(a.Citations) > 0 && !a.OutOfScope {
		a.Confidence = 1 // it says nothing but what it quotes
	}
	for _, c := range a.Citations {
		on(ask.Event{Citation: &c})
	}
	on(ask.Event{Delta: &ask.Delta{Text: a.Answer}})
	return conclude(resp, on)
}

func conclude(resp ask.Response, on func(ask.Event)) ask.Response {
	on(ask.Event{Usage: &resp.Items[0].Usage})
	for _, w := range resp.Meta.Warnings {
		on(ask.Event{Warning: &w})
	}
	return resp
}

// codeOf and messageOf are what users are told of why there is no answer of the
// model.
func codeOf(err error) fault.Code {
	if errors.Is(err, context.DeadlineExceeded) {
		return fault.Timeout
	}
	if code := fault.CodeOf(err); code != fault.Internal {
		return code
	}
	return fault.LLMUnavailable
}

func messageOf(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "the language model took too long; ask for less, or allow more by RAGNAV_LLM_TIMEOUT"
	}
	return fault.MessageOf(err)
}

// nonce makes the marks around data unguessable for who wrote the data.
func nonce() string { return rand.Text()[:10] }
