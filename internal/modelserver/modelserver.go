// Package modelserver sends requests to an OpenAI-compatible server of models:
// one way to say them, to try them again, and to tell why they failed; also to leave
// a server alone for a time, and to remember what it said.
package modelserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
)

// A Server is where models are asked. URL and Kind are required.
type Server struct {
	URL  string       // with the version: http://127.0.0.1:11434/v1; see Base
	Key  string       // of the API, "" for none
	Kind Kind         // in words and codes of errors
	HTTP *http.Client // default: no limit but the context's, and no redirects
	// Attempts is how often a request is sent at most; default 3.
	Attempts int
	// FirstWait is the pause before the second attempt, which doubles with each;
	// default 500 ms.
	FirstWait time.Duration
}

// A Kind is how errors call a server.
type Kind struct {
	Name    string // "language model"
	Setting string // the prefix of its variables, "RAGNAV_LLM"
	Code    fault.Code
}

// A Failure is a reply that is none: what the server said instead.
type Failure struct {
	Status  int
	Message string // the server's own, on one line
}

func (f *Failure) Error() string { return fmt.Sprintf("HTTP %d: %s", f.Status, f.Message) }

const (
	defaultAttempts = 3
	defaultWait     = 500 * time.Millisecond
	maxWait         = 8 * time.Second
	maxFailure      = 64 << 10 // bytes that are read of a failure
	maxMessage      = 200      // of them shown
)

// Base is the URL of a server's API as people write it: without a path it is
// that of version 1, and an endpoint at its end is left out.
func Base(text string) (string, error) {
	u, err := url.Parse(strings.TrimRight(text, "/"))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", errors.New("not the URL of a server, such as http://127.0.0.1:11434/v1")
	}
	if u.User != nil {
		return "", errors.New("credentials don't belong in the URL")
	}
	for _, endpoint := range []string{"/chat/completions", "/embeddings", "/rerank", "/reranking"} {
		u.Path = strings.TrimSuffix(u.Path, endpoint)
	}
	if u.Path == "" {
		u.Path = "/v1"
	}
	return u.String(), nil
}

// Post sends a body as JSON until a reply comes: again after failures that may
// pass, each time later, or as late as the server asks for, unless the time of
// ctx would be over by then. The reply has status 200 and an open body. Errors
// are *fault.Error of the server's code, with a *Failure if the server gave one,
// or those of ctx.
func (s Server) Post(ctx context.Context, path string, body any) (*http.Response, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	attempts := s.Attempts
	if attempts <= 0 {
		attempts = defaultAttempts
	}
	for n := 1; ; n++ {
		resp, err := s.once(ctx, path, text)
		if err == nil {
			return resp, nil
		}
		wait, again := s.pause(err, n)
		if !again || n == attempts || !sleep(ctx, wait) {
			return nil, s.explain(ctx, err)
		}
	}
}

// refused is a Failure with the time after which to try again, if it says one.
type refused struct {
	*Failure

	after time.Duration
}

func (r refused) Unwrap() error { return r.Failure }

func (s Server) once(ctx context.Context, path string, text []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+path, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if s.Key != "" {
		req.Header.Set("Authorization", "Bearer "+s.Key)
	}
	resp, err := s.client().Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode == http.StatusOK {
		return resp, nil
	}
	defer func() { _ = resp.Body.Close() }()
	said, _ := io.ReadAll(io.LimitReader(resp.Body, maxFailure)) // what can't be read is not shown
	return nil, refused{&Failure{resp.StatusCode, Message(said, s.Key)}, retryAfter(resp.Header)}
}

// client has no redirects: text of repositories goes nowhere but to the server
// that is configured.
func (s Server) client() *http.Client {
	if s.HTTP != nil {
		return s.HTTP
	}
	return &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}
