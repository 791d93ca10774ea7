package openai

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/modelserver"
	"github.com/ragnav/ragnav/internal/parallel"
)

// Options say which server to ask, and how. Nil pointers and zero numbers mean
// the model's own, see modelOf, or the defaults.
type Options struct {
	URL            string // of the API; "/embeddings" is added
	Model, APIKey  string
	Dims           int
	QueryPrefix    *string
	DocumentPrefix *string
	InputType      *bool // send input_type in place of prefixes
	MaxTokens      int   // of one text, estimated
	Batch          int   // texts in a request; default 32
	BatchTokens    int   // in a request, estimated, of a quick server; default 16,384
	Concurrency    int   // requests at once for documents; default 4
	Timeout        time.Duration

	// Beside makes the second half of each vector, of the same text: what another
	// embedder knows. It must be quick, and there whenever the client is.
	Beside embed.Embedder
}

// settings are Options in which the model's own have their place.
type settings struct {
	Options

	queryPrefix, documentPrefix string
	inputType                   bool
	maxTokens                   int
}

// A Client is an embed.Embedder that asks a server.
type Client struct {
	o      settings
	dims   int // 0 until the server told
	server modelserver.Server

	plain   atomic.Bool // the server knows no base64
	shorten atomic.Bool // the server is asked for dims components

	queue   queue
	pace    *pace
	queries *modelserver.Memory[[]float32]
	flight  singleflight.Group
	rest    modelserver.Rest
}

// attempts is how often a request for documents is sent, with pauses of 7 seconds
// together, or as long as the server says.
const attempts = 5

const (
	rememberedQueries = 1024
	// queryTimeout bounds how long a search waits for its vector.
	queryTimeout = 3 * time.Second
)

// revision of how inputs become texts. Another one makes other vectors.
const revision = "1"

// ByInputType ends the revision of the manifest of a client whose server puts the
// prefixes.
const ByInputType = "+input_type"

// New returns a client. Its dims are those of o, else the model's; where neither
// is known, see Learn.
func New(o Options) *Client {
	m := modelOf(o.Model)
	s := settings{
		Options: o, queryPrefix: m.Query, documentPrefix: m.Document, inputType: m.InputType,
		maxTokens: cmp.Or(o.MaxTokens, m.MaxTokens),
	}
	if o.InputType != nil {
		s.inputType = *o.InputType
	}
	if s.inputType {
		s.queryPrefix, s.documentPrefix = "", ""
	}
	if o.QueryPrefix != nil {
		s.queryPrefix = *o.QueryPrefix
	}
	if o.DocumentPrefix != nil {
		s.documentPrefix = *o.DocumentPrefix
	}
	s.Batch, s.BatchTokens = cmp.Or(o.Batch, 32), cmp.Or(o.BatchTokens, 16384)
	s.Concurrency, s.Timeout = cmp.Or(o.Concurrency, 4), cmp.Or(o.Timeout, 2*time.Minute)
	transport := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // it is documented to be one
	transport.MaxIdleConnsPerHost = s.Concurrency + 1
	return &Client{
		o: s, dims: cmp.Or(o.Dims, m.Dims), queries: modelserver.NewMemory[[]float32](rememberedQueries),
		pace: newPace(s.BatchTokens, s.Timeout),
		server: modelserver.Server{
			URL: s.URL, Key: s.APIKey,
			Kind: modelserver.Kind{Name: "embedder", Setting: "RAGNAV_EMBED", Code: fault.EmbedderUnavailable},
			HTTP: &http.Client{
				Transport:     transport,
				CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
			},
		},
	}
}

// beside is what makes the second half of vectors, or nil.
func (c *Client) beside() embed.Embedder { return room(c.o.Beside, c.dims) }

// Manifest implements embed.Embedder. Dims is 0 where they are not known.
func (c *Client) Manifest() embed.Manifest {
	m := embed.Manifest{
		Provider: embed.ProviderOpenAI, Model: c.o.Model, Revision: revision, Dims: c.dims,
		QueryPrefix: c.o.queryPrefix, DocumentPrefix: c.o.documentPrefix,
	}
	if b := c.beside(); b != nil {
		m.Revision += embed.Beside + b.Manifest().Revision
		if c.dims > 0 {
			m.Dims += b.Manifest().Dims
		}
	}
	if c.o.inputType {
		m.Revision += ByInputType
	}
	return m
}

// Learn asks the server how many components its vectors have, unless the options
// say so. Call it before the client is used. When the server does not answer, dims
// are as they were.
func (c *Client) Learn(ctx context.Context) error {
	if c.o.Dims > 0 {
		return nil
	}
	before := c.dims
	c.dims = 0
	vectors, err := c.ask(ctx, []string{"dims"}, asQuery, 2)
	if err != nil {
		c.dims = before
		return err
	}
	c.dims = len(vectors[0])
	return nil
}

// WithDims tells the client how many components the vectors of its index have, both
// halves together.
func (c *Client) WithDims(dims int) *Client {
	if b := c.beside(); b != nil {
		dims -= b.Manifest().Dims
	}
	c.dims = dims
	return c
}

// Documents implements embed.Embedder. It sends what several callers ask for
// together. The error is that of the first text that failed.
func (c *Client) Documents(ctx context.Context, inputs []embed.Input) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	k := &call{ctx: ctx, done: make(chan struct{}), pools: make([]pool, len(inputs))}
	var chunks []*chunk
	for i, in := range inputs {
		texts := textsOf(c.o, in)
		k.pools[i].left = len(texts)
		for _, text := range texts {
			chunks = append(chunks, &chunk{text: text, of: k, slot: i})
		}
	}
	if k.left = len(chunks); k.left > 0 {
		c.submit(chunks) //nolint:contextcheck // a batch has the callers of all its texts
		select {
		case <-k.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if k.err != nil {
		return nil, errors.Join(ctx.Err(), k.err)
	}
	vectors := make([][]float32, len(inputs))
	for i := range k.pools {
		if k.pools[i].sum != nil {
			vectors[i] = k.pools[i].vector()
		}
	}
	return vectors, joinDocuments(ctx, c.beside(), vectors, inputs)
}

// Queries implements embed.Embedder. Vectors that were made before are shared
// between callers, who must not change them.
func (c *Client) Queries(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		v, err := c.query(ctx, text)
		if err != nil {
			return nil, err
		}
		vectors[i] = v
	}
	return vectors, nil
}

// query is the vector of one query, asked for once however many wait for it.
func (c *Client) query(ctx context.Context, text string) ([]float32, error) {
	if strings.TrimSpace(text) == "" {
		return nil, ctx.Err()
	}
	if v, ok := c.queries.Get(text); ok {
		return v, ctx.Err()
	}
	if err := c.rest.Over(); err != nil {
		return nil, err
	}
	made := c.flight.DoChan(text, func() (v any, err error) {
		panicked := parallel.Call(func() error { v, err = c.makeQuery(context.WithoutCancel(ctx), text); return nil })
		return v, errors.Join(err, panicked)
	})
	select {
	case r := <-made:
		v, _ := r.Val.([]float32)
		return v, r.Err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// makeQuery asks the server for the vector of a query.
func (c *Client) makeQuery(ctx context.Context, text string) ([]float32, error) {
	if v, ok := c.queries.Get(text); ok { // made since the caller looked
		return v, nil
	}
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	asked := c.o.queryPrefix + cut(text, max(minRoom, c.o.maxTokens*bytesPerToken-len(c.o.queryPrefix)))[0]
	vectors, err := c.ask(ctx, []string{asked}, asQuery, 2)
	if err != nil {
		err = c.inTime(ctx, err)
		if !errors.Is(err, embed.ErrRefused) {
			c.rest.Begin(err)
		}
		return nil, err
	}
	c.rest.End()
	v, err := joinQuery(ctx, c.beside(), vectors[0], text)
	if err == nil {
		c.queries.Put(text, v)
	}
	return v, err
}

// Ping asks the server for one vector, for Away to tell how it is.
func (c *Client) Ping(ctx context.Context) {
	c.rest.End()
	if _, err := c.makeQuery(ctx, "ping"); errors.Is(err, embed.ErrRefused) {
		c.rest.Begin(err)
	}
}

// Away is why queries are not sent to the server at this moment, or nil.
func (c *Client) Away() error { return c.rest.Over() }
