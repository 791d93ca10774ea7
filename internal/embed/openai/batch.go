package openai

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/parallel"
)

// A call is what one caller waits for.
type call struct {
	ctx  context.Context //nolint:containedctx // a batch ends when nobody waits for it any more
	done chan struct{}

	mu    sync.Mutex
	left  int // chunks without a vector
	pools []pool
	err   error // of the first chunk that failed
	ended bool
}

// A chunk is one text to embed, for one caller.
type chunk struct {
	text    string
	of      *call
	slot    int  // of the caller's inputs
	settled bool // under of.mu
}

// settle takes the vector of a chunk, or why there is none.
func (k *chunk) settle(v []float32, err error) {
	k.of.mu.Lock()
	defer k.of.mu.Unlock()
	if k.of.ended || k.settled {
		return
	}
	k.settled = true
	if err == nil {
		k.of.pools[k.slot].add(v, float32(len(k.text)))
	} else {
		k.of.err = err
	}
	k.of.left--
	if k.of.left == 0 || err != nil {
		k.of.ended = true
		close(k.of.done)
	}
}

// alive reports whether the caller still waits.
func (k *chunk) alive() bool {
	k.of.mu.Lock()
	defer k.of.mu.Unlock()
	return !k.of.ended && k.of.ctx.Err() == nil
}

// A queue gathers chunks into batches: who asks while the server is busy finds
// that others have, and is sent with them.
type queue struct {
	mu      sync.Mutex
	waiting []*chunk
	sending int // batches under way
}

// submit has chunks embedded.
func (c *Client) submit(chunks []*chunk) {
	c.queue.mu.Lock()
	defer c.queue.mu.Unlock()
	c.queue.waiting = append(c.queue.waiting, chunks...)
	for n := len(chunks); n > 0 && c.queue.sending < c.o.Concurrency; n -= c.o.Batch {
		c.queue.sending++
		parallel.Start(func() error { c.send(); return nil })
	}
}

// requeue puts chunks in front of those that wait.
func (c *Client) requeue(chunks []*chunk) {
	c.queue.mu.Lock()
	defer c.queue.mu.Unlock()
	c.queue.waiting = append(slices.Clone(chunks), c.queue.waiting...)
}

// send sends batches until nothing waits.
func (c *Client) send() {
	for {
		batch := c.next()
		if len(batch) == 0 {
			return
		}
		ctx, release := whileAwaited(batch)
		var err error
		if panicked := parallel.Call(func() error { err = c.embedBatch(ctx, batch); return nil }); panicked != nil {
			err = panicked
		}
		release()
		if err != nil {
			for _, k := range batch {
				k.settle(nil, err)
			}
		}
	}
}

// next takes a batch off the queue. With none, the sender has ended.
func (c *Client) next() []*chunk {
	c.queue.mu.Lock()
	defer c.queue.mu.Unlock()
	var batch []*chunk
	size, taken, limit := 0, 0, c.pace.tokens()
	for _, k := range c.queue.waiting {
		if len(batch) > 0 && (len(batch) >= c.o.Batch || size+tokens(k.text) > limit) {
			break
		}
		taken++
		if k.alive() {
			batch, size = append(batch, k), size+tokens(k.text)
		}
	}
	c.queue.waiting = c.queue.waiting[taken:]
	if len(batch) == 0 {
		c.queue.sending--
		c.queue.waiting = nil
	}
	return batch
}

// whileAwaited is a context that ends when all callers of a batch have left.
func whileAwaited(batch []*chunk) (context.Context, func()) {
	calls := map[*call]bool{}
	for _, k := range batch {
		calls[k.of] = true
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(batch[0].of.ctx))
	var left atomic.Int64
	left.Store(int64(len(calls)))
	stops := make([]func() bool, 0, len(calls))
	for k := range calls {
		stops = append(stops, context.AfterFunc(k.ctx, func() {
			if left.Add(-1) == 0 {
				cancel()
			}
		}))
	}
	return ctx, func() {
		for _, stop := range stops {
			stop()
		}
		cancel()
	}
}

// embedBatch settles the chunks of a batch, in two halves where the server
// refuses the whole. It returns an error when the rest is not worth trying.
func (c *Client) embedBatch(ctx context.Context, batch []*chunk) error {
	texts, size := make([]string, len(batch)), 0
	for i, k := range batch {
		texts[i] = k.text
		size += tokens(k.text)
	}
	began := time.Now()
	vectors, err := c.ask(ctx, texts, asDocument, attempts)
	c.pace.took(time.Since(began), size)
	switch {
	case errors.Is(err, embed.ErrRefused):
		return c.embedParts(ctx, batch, err)
	case errors.Is(err, errSlow) && len(batch) > 1: // one text tells a slow server from one that is stuck
		if err := c.embedBatch(ctx, batch[:1]); err != nil {
			return err
		}
		c.requeue(batch[1:])
		return nil
	case err != nil:
		return err
	}
	c.rest.End()
	for i, k := range batch {
		k.settle(vectors[i], nil)
	}
	return nil
}

// embedParts settles the chunks of a batch that was refused. One chunk alone is
// cut shorter, as long as there is something to cut.
func (c *Client) embedParts(ctx context.Context, batch []*chunk, refusal error) error {
	if n := len(batch) / 2; n > 0 {
		if err := c.embedBatch(ctx, batch[:n]); err != nil {
			return err
		}
		return c.embedBatch(ctx, batch[n:])
	}
	k := batch[0]
	if len(k.text) <= 2*minRoom {
		k.settle(nil, refusal)
		return nil
	}
	k.text = cut(k.text, len(k.text)/2)[0]
	return c.embedBatch(ctx, batch)
}
