package openai

import (
	"container/list"
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/parallel"
)

const (
	rememberedQueries = 1024
	// queryTimeout bounds how long a search waits for its vector.
	queryTimeout = 3 * time.Second
	// After a failure the server is left alone for that long, so that searches
	// don't wait for it one after another.
	firstRest, lastRest = time.Second, 30 * time.Second
)

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
	if v, ok := c.queries.get(text); ok {
		return v, ctx.Err()
	}
	if err := c.rest.over(); err != nil {
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
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	asked := c.o.queryPrefix + cut(text, max(minRoom, c.o.maxTokens*bytesPerToken-len(c.o.queryPrefix)))[0]
	vectors, err := c.ask(ctx, []string{asked}, asQuery, 2)
	if err != nil {
		err = c.inTime(ctx, err)
		if !errors.Is(err, embed.ErrRefused) {
			c.rest.begin(err)
		}
		return nil, err
	}
	c.rest.end()
	c.queries.put(text, vectors[0])
	return vectors[0], nil
}

// Ping asks the server for one vector, for Away to tell how it is.
func (c *Client) Ping(ctx context.Context) {
	c.rest.end()
	if _, err := c.makeQuery(ctx, "ping"); errors.Is(err, embed.ErrRefused) {
		c.rest.begin(err)
	}
}

// Away is why queries are not sent to the server at this moment, or nil.
func (c *Client) Away() error { return c.rest.over() }

// A rest is the time for which a server that failed is not asked.
type rest struct {
	until  atomic.Int64 // in nanoseconds since 1970
	length atomic.Int64
	why    atomic.Pointer[error]
}

func (r *rest) over() error {
	if time.Now().UnixNano() < r.until.Load() {
		return *r.why.Load()
	}
	return nil
}

func (r *rest) begin(why error) {
	length := min(max(2*r.length.Load(), int64(firstRest)), int64(lastRest))
	r.why.Store(&why)
	r.length.Store(length)
	r.until.Store(time.Now().UnixNano() + length)
}

func (r *rest) end() { r.until.Store(0); r.length.Store(0) }

// A memory keeps the vectors of the last queries.
type memory struct {
	mu    sync.Mutex
	order *list.List // of *remembered, the last used first
	by    map[string]*list.Element
}

type remembered struct {
	text   string
	vector []float32
}

func newMemory() *memory { return &memory{order: list.New(), by: map[string]*list.Element{}} }

func (m *memory) get(text string) ([]float32, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok := m.by[text]
	if !ok {
		return nil, false
	}
	m.order.MoveToFront(e)
	return e.Value.(*remembered).vector, true //nolint:forcetypeassert // put makes all of them
}

func (m *memory) put(text string, v []float32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.by[text]; ok {
		return
	}
	m.by[text] = m.order.PushFront(&remembered{text, v})
	if m.order.Len() > rememberedQueries {
		last := m.order.Remove(m.order.Back()).(*remembered) //nolint:forcetypeassert // likewise
		delete(m.by, last.text)
	}
}
