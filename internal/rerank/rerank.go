// Package rerank asks a server with a /rerank endpoint how much documents have to do
// with a query: Cohere, Jina, vLLM, llama.cpp, LocalAI, Infinity, and in a form of
// its own, TEI. Models that read a query and a document together tell more than
// vectors that were made apart.
package rerank

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/modelserver"
)

// Options say which server to ask. URL and Timeout are required.
type Options struct {
	URL     string // of the API, as modelserver.Base gives it
	Model   string // "" where the server has one only
	APIKey  string // "" for none
	Timeout time.Duration
}

// A Client asks a server. Its methods may be called concurrently.
type Client struct {
	o      Options
	server modelserver.Server
	said   *modelserver.Memory[[]float64]
	rest   modelserver.Rest
	form   atomic.Pointer[form] // in which the server answered last
}

const (
	// remembered are the last answers. A reply that is cut to a number of tokens is
	// composed more than once.
	remembered = 256
	// attempts is how often a request is sent: a search waits for it.
	attempts  = 2
	firstWait = 100 * time.Millisecond
)

// code is of errors, which stand in warnings only.
const code = fault.LLMUnavailable

// New returns a client.
func New(o Options) *Client {
	c := &Client{o: o, said: modelserver.NewMemory[[]float64](remembered), server: modelserver.Server{
		URL: o.URL, Key: o.APIKey, Attempts: attempts, FirstWait: firstWait,
		Kind: modelserver.Kind{Name: "reranker", Setting: "RAGNAV_RERANK", Code: code},
	}}
	c.form.Store(new(form))
	return c
}

// Scores are how much documents have to do with a query, in their order; more is
// better, and numbers of different calls can't be compared. Callers must not change
// them. A server that has just failed is not asked. Errors are *fault.Error in words
// for users, or those of ctx.
func (c *Client) Scores(ctx context.Context, query string, documents []string) ([]float64, error) {
	asked := key(query, documents)
	if scores, ok := c.said.Get(asked); ok {
		return scores, nil
	}
	if err := c.rest.Over(); err != nil {
		return nil, err
	}
	scores, err := c.ask(ctx, query, documents)
	if err != nil {
		if ctx.Err() == nil {
			c.rest.Begin(err)
		}
		return nil, err
	}
	c.rest.End()
	c.said.Put(asked, scores)
	return scores, nil
}

func key(query string, documents []string) string {
	text, _ := json.Marshal(append([]string{query}, documents...)) // texts
	sum := sha256.Sum256(text)
	return string(sum[:])
}

// Ping asks the server about two words.
func (c *Client) Ping(ctx context.Context) error {
	_, err := c.ask(ctx, "ping", []string{"ping", "pong"})
	return err
}

// A form is where a server is asked, and how.
type form struct {
	bare bool // without the version in the path: TEI, Infinity
	tei  bool // texts in place of documents
}

// next is another form, if that is what a failure asks for.
func (f form) next(err error) (form, bool) {
	failure, ok := errors.AsType[*modelserver.Failure](err)
	if !ok {
		return f, false
	}
	switch {
	case !f.bare && (failure.Status == http.StatusNotFound || failure.Status == http.StatusMethodNotAllowed):
		f.bare = true
		return f, true
	case !f.tei && strings.Contains(failure.Message, "texts") &&
		(failure.Status == http.StatusBadRequest || failure.Status == http.StatusUnprocessableEntity):
		f.tei = true
		return f, true
	}
	return f, false
}

// ask sends a request, in another form where the server wants one.
func (c *Client) ask(ctx context.Context, query string, documents []string) ([]float64, error) {
	limited, cancel := context.WithTimeout(ctx, c.o.Timeout)
	defer cancel()
	f := *c.form.Load()
	for {
		scores, err := c.once(limited, f, query, documents)
		if err == nil {
			c.form.Store(&f)
			return scores, nil
		}
		next, again := f.next(err)
		switch {
		case again:
			f = next
			continue
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case limited.Err() != nil:
			err = c.problem(err, "does not answer in time; see its log, or set RAGNAV_RERANK_TIMEOUT")
		}
		c.form.Store(new(form)) // it may be another server now
		return nil, err
	}
}

type request struct {
	Model     string   `json:"model,omitempty"`
	Query     string   `json:"query"`
	Documents []string `json:"documents,omitempty"`
	TopN      int      `json:"top_n,omitempty"`

	// TEI's
	Texts    []string `json:"texts,omitempty"`
	Truncate bool     `json:"truncate,omitempty"`
}

var version = regexp.MustCompile(`^v\d+$`)

func (c *Client) once(ctx context.Context, f form, query string, documents []string) ([]float64, error) {
	server, r := c.server, request{Model: c.o.Model, Query: query, Documents: documents, TopN: len(documents)}
	if f.tei {
		r = request{Query: query, Texts: documents, Truncate: true}
	}
	if dir, last := path.Split(server.URL); f.bare && version.MatchString(last) {
		server.URL = strings.TrimSuffix(dir, "/")
	}
	resp, err := server.Post(ctx, "/rerank", r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(io.LimitReader(resp.Body, limitOf(documents)))
	if err != nil {
		return nil, c.problem(err, "breaks off its answer; see its log")
	}
	scores, said, err := decode(data, len(documents))
	switch {
	case said != nil:
		return nil, c.problem(err, "fails: %s", modelserver.Message(said, c.o.APIKey))
	case err != nil:
		return nil, c.problem(err, "answers with %v", err)
	}
	return scores, nil
}

// limitOf bounds how much of a reply is read: some repeat the documents.
func limitOf(documents []string) int64 {
	n := 1 << 16
	for _, d := range documents {
		n += 6*len(d) + 1<<10
	}
	return int64(n)
}

func (c *Client) problem(cause error, format string, args ...any) error {
	return fault.Wrap(code, cause, "the reranker at %s %s", c.o.URL, fmt.Sprintf(format, args...))
}

// A result is of one document: what most servers call relevance_score is score in
// TEI's replies.
type result struct {
	Index     *int     `json:"index"`
	Relevance *float64 `json:"relevance_score"`
	Score     *float64 `json:"score"`
}

var errNoList = errors.New("what is no list of scores; see that RAGNAV_RERANK_URL is the address of its API, with /v1")

// decode reads the scores of n documents, each of which must have one. Said is the
// reply itself where it tells of a failure.
func decode(data []byte, n int) (scores []float64, said []byte, err error) {
	var reply struct {
		Results []result        `json:"results"`
		Error   json.RawMessage `json:"error"` // some servers send it with status 200
	}
	if json.Unmarshal(data, &reply.Results) != nil { // TEI sends the bare list
		if json.Unmarshal(data, &reply) != nil {
			return nil, nil, errNoList
		}
		if len(reply.Results) == 0 && len(reply.Error) > 0 && string(reply.Error) != "null" {
			return nil, data, errNoList
		}
	}
	if len(reply.Results) != n {
		return nil, nil, fmt.Errorf("%d scores of %d documents", len(reply.Results), n)
	}
	scores, seen := make([]float64, n), make([]bool, n)
	for _, r := range reply.Results {
		if r.Index == nil || *r.Index < 0 || *r.Index >= n {
			return nil, nil, fmt.Errorf("a score of a document that is none of %d", n)
		}
		score := r.Relevance
		if score == nil {
			score = r.Score
		}
		if score == nil {
			return nil, nil, fmt.Errorf("no score of document %d", *r.Index)
		}
		scores[*r.Index], seen[*r.Index] = *score, true
	}
	if missing := slices.Index(seen, false); missing >= 0 {
		return nil, nil, fmt.Errorf("two scores of one document, and none of document %d", missing)
	}
	return scores, nil, nil
}
