// Package scripted is a language model for tests that says what it was told to.
package scripted

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/llm"
)

// Model is deterministic: it plays its turns one after the
// other and keeps what it was asked.
type Model struct {
	Turns  []Turn
	Pieces int // bytes of each piece of text; 0 for a word

	mu    sync.Mutex
	asked []llm.Request
}

// A Turn is one reply, made of the request.
type Turn func(ctx context.Context, req llm.Request) (llm.Reply, error)

// Says is a turn with this text, which arrives word by word.
func Says(text string) Turn {
	return func(context.Context, llm.Request) (llm.Reply, error) { return llm.Reply{Text: text}, nil }
}

// Calls is a turn with these calls: name and arguments of one after the other.
func Calls(namesAndArguments ...string) Turn {
	var r llm.Reply
	for i := 0; i+1 < len(namesAndArguments); i += 2 {
		r.Calls = append(r.Calls,
			llm.Call{ID: fmt.Sprintf("call_%d", i/2+1), Name: namesAndArguments[i], Arguments: namesAndArguments[i+1]})
	}
	return func(context.Context, llm.Request) (llm.Reply, error) { return r, nil }
}

// Fails is a turn that fails, after it has said a text.
func Fails(text string, err error) Turn {
	return func(context.Context, llm.Request) (llm.Reply, error) { return llm.Reply{Text: text}, err }
}

// Name implements Model.
func (*Model) Name() string { return "scripted" }

// Asked are the requests so far.
func (s *Model) Asked() []llm.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clip(s.asked)
}

// Chat implements Model. Behind the last turn it is LLM_UNAVAILABLE.
func (s *Model) Chat(ctx context.Context, req llm.Request, text func(string)) (llm.Reply, error) {
	s.mu.Lock()
	n := len(s.asked)
	s.asked = append(s.asked, req)
	s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return llm.Reply{}, err
	}
	if n >= len(s.Turns) {
		return llm.Reply{}, fault.New(fault.LLMUnavailable, "the script has %d turns only", len(s.Turns))
	}
	reply, err := s.Turns[n](ctx, req)
	reply.Usage = llm.Usage{Prompt: req.Size(), Completion: llm.Tokens(reply.Text)}
	if text != nil {
		for _, piece := range s.pieces(reply.Text) {
			text(piece)
		}
	}
	return reply, err
}

func (s *Model) pieces(text string) (out []string) {
	if s.Pieces == 0 {
		return strings.SplitAfter(text, " ")
	}
	for piece := range slices.Chunk([]byte(text), s.Pieces) {
		out = append(out, string(piece))
	}
	return out
}
