package llm

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/ragnav/ragnav/internal/fault"
)

// Scripted is a deterministic model for tests: it plays its turns one after the
// other and keeps what it was asked.
type Scripted struct {
	Turns  []Turn
	Pieces int // bytes of each piece of text; 0 for a word

	mu    sync.Mutex
	asked []Request
}

// A Turn is one reply, made of the request.
type Turn func(ctx context.Context, req Request) (Reply, error)

// Says is a turn with this text, which arrives word by word.
func Says(text string) Turn {
	return func(context.Context, Request) (Reply, error) { return Reply{Text: text}, nil }
}

// Calls is a turn with these calls: name and arguments of one after the other.
func Calls(namesAndArguments ...string) Turn {
	var r Reply
	for i := 0; i+1 < len(namesAndArguments); i += 2 {
		r.Calls = append(r.Calls,
			Call{ID: fmt.Sprintf("call_%d", i/2+1), Name: namesAndArguments[i], Arguments: namesAndArguments[i+1]})
	}
	return func(context.Context, Request) (Reply, error) { return r, nil }
}

// Fails is a turn that fails, after it has said a text.
func Fails(text string, err error) Turn {
	return func(context.Context, Request) (Reply, error) { return Reply{Text: text}, err }
}

// Name implements Model.
func (*Scripted) Name() string { return "scripted" }

// Asked are the requests so far.
func (s *Scripted) Asked() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clip(s.asked)
}

// Chat implements Model. Behind the last turn it is LLM_UNAVAILABLE.
func (s *Scripted) Chat(ctx context.Context, req Request, text func(string)) (Reply, error) {
	s.mu.Lock()
	n := len(s.asked)
	s.asked = append(s.asked, req)
	s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return Reply{}, err
	}
	if n >= len(s.Turns) {
		return Reply{}, fault.New(fault.LLMUnavailable, "the script has %d turns only", len(s.Turns))
	}
	reply, err := s.Turns[n](ctx, req)
	reply.Usage = Usage{Prompt: req.Size(), Completion: Tokens(reply.Text)}
	if text != nil {
		for _, piece := range s.pieces(reply.Text) {
			text(piece)
		}
	}
	return reply, err
}

func (s *Scripted) pieces(text string) (out []string) {
	if s.Pieces == 0 {
		return strings.SplitAfter(text, " ")
	}
	for piece := range slices.Chunk([]byte(text), s.Pieces) {
		out = append(out, string(piece))
	}
	return out
}
