// Package llmtest is a server of a language model for tests: it speaks OpenAI's
// protocol and plays a script, faults included.
package llmtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/ragnav/ragnav/internal/llm"
)

// A Turn is what the server does with one request.
type Turn struct {
	Text  string // streamed word by word
	Calls []llm.Call
	// Status, other than 0, fails the request, with Text as its message.
	Status int
	Cut    bool // the connection ends behind the text
	Silent bool // nothing comes any more, until the client leaves
	// Until, if there is one, is what all that is behind the text waits for.
	Until <-chan struct{}
}

// A Server plays its turns: the nth of a run for a conversation with n-1 replies
// with calls in it, the last one for all that are longer.
type Server struct {
	URL string

	turns []Turn
	mu    sync.Mutex
	asked []string // bodies of requests
	left  chan struct{}
}

// New starts a server, which ends with the test.
func New(t testing.TB, turns ...Turn) *Server {
	t.Helper()
	s := &Server{turns: turns, left: make(chan struct{}, 100)}
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	s.URL = srv.URL
	return s
}

// Asked are the bodies of the requests so far.
func (s *Server) Asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{}, s.asked...)
}

// Left gets a value for each client that left in the middle of a reply.
func (s *Server) Left() <-chan struct{} { return s.left }

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var req struct {
		Messages []struct {
			Calls []any `json:"tool_calls"`
		} `json:"messages"`
	}
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(body, &req)
	}
	if err != nil || r.URL.Path != "/v1/chat/completions" {
		http.Error(w, "no request for a chat completion", http.StatusNotFound)
		return
	}
	s.mu.Lock()
	s.asked = append(s.asked, string(body))
	s.mu.Unlock()
	n := 0
	for _, m := range req.Messages {
		if len(m.Calls) > 0 {
			n++
		}
	}
	s.play(w, r, s.turns[min(n, len(s.turns)-1)], len(body)/4)
}

func (s *Server) play(w http.ResponseWriter, r *http.Request, turn Turn, prompt int) {
	if turn.Status != 0 {
		w.WriteHeader(turn.Status)
		_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]string{"message": turn.Text}})
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(format string, args ...any) {
		_, _ = fmt.Fprintf(w, "data: "+format+"\n\n", args...) // it fails when the client has gone
		_ = http.NewResponseController(w).Flush()
	}
	if turn.Text != "" {
		for word := range strings.SplitAfterSeq(turn.Text, " ") {
			text, _ := json.Marshal(word) // a string always can
			send(`{"choices":[{"index":0,"delta":{"role":"assistant","content":%s}}]}`, text)
		}
	}
	switch {
	case turn.Cut:
		panic(http.ErrAbortHandler)
	case turn.Silent:
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		s.left <- struct{}{}
		return
	}
	if turn.Until != nil {
		_ = http.NewResponseController(w).Flush() // as above
		select {
		case <-turn.Until:
		case <-r.Context().Done():
			return
		}
	}
	finish := "stop"
	for i, c := range turn.Calls {
		args, _ := json.Marshal(c.Arguments) // a string always can
		send(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":%d,"id":%q,"type":"function","function":{"name":%q,`+
			`"arguments":%s}}]}}]}`, i, c.ID, c.Name, args)
		finish = "tool_calls"
	}
	send(`{"choices":[{"index":0,"delta":{},"finish_reason":%q}]}`, finish)
	send(`{"choices":[],"usage":{"prompt_tokens":%d,"completion_tokens":%d}}`, prompt, 20)
	send("[DONE]")
}
