package app

import (
	"context"
	"os"
	"strings"
	"sync/atomic"

	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/embed/openai"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/rerank"
	"github.com/ragnav/ragnav/internal/store/embedded"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
)

// newEmbedder is the embedder that c names. Its manifest has no dims where only
// the server knows them.
func newEmbedder(c config.Config) (embed.Embedder, error) {
	if c.Embedder != config.EmbedderOpenAI {
		return embed.Builtin()
	}
	table, err := embed.Builtin()
	if err != nil {
		return nil, err
	}
	o := serverOf(c.Embedding)
	o.Beside = table // a model and the table know more than each: docs/adr/0033
	return openai.New(o), nil
}

func serverOf(e config.Embedding) openai.Options {
	return openai.Options{
		URL: e.URL, Model: e.Model, APIKey: string(e.APIKey), Dims: e.Dims, QueryPrefix: e.QueryPrefix,
		DocumentPrefix: e.DocumentPrefix,
		InputType:      e.InputType, MaxTokens: e.MaxTokens, Batch: e.Batch, Concurrency: e.Concurrency, Timeout: e.Timeout,
	}
}

// dimsOf is how many components the vectors of a store have: those that it was
// made for, else those of the embedder, which are learnt if they have to be.
func dimsOf(ctx context.Context, c config.Config, role Role, e embed.Embedder) (int, error) {
	if c.Embedded() {
		if dims := disk.DimsOf(c.DataDir); dims > 0 {
			return dims, nil
		}
	}
	if server, ok := e.(*openai.Client); ok && role != Reader {
		if err := server.Learn(ctx); err != nil && server.Manifest().Dims == 0 {
			return 0, fault.Wrap(fault.CodeOf(err), err, "%s; or set RAGNAV_EMBED_DIMS, and vectors follow when it is there",
				fault.MessageOf(err))
		}
	}
	return max(1, e.Manifest().Dims), nil
}

// embedderOf is the embedder of an index: the one that made its vectors if this
// program can have it, whatever is configured, so that the index stays of use
// until it is made again by another.
func embedderOf(ctx context.Context, c config.Config, st records.Reader, configured embed.Embedder,
	dims int,
) (embed.Embedder, error) {
	stored, err := records.EmbedderOf(ctx, st)
	if err != nil {
		return nil, err
	}
	server, remote := configured.(*openai.Client)
	now := configured.Manifest()
	if remote && stored == (embed.Manifest{}) && now.Dims == 0 {
		return server.WithDims(dims), nil
	}
	if now.Dims == 0 {
		now.Dims = stored.Dims
	}
	if now == stored || stored == (embed.Manifest{}) {
		if remote {
			server.WithDims(now.Dims)
		}
		return configured, nil
	}
	if other := embedderBy(c, stored); other != nil && other.Manifest() == stored {
		return other, nil
	}
	return configured, nil
}

// embedderBy is the embedder of a manifest, or another one, or nil. Vectors that an
// earlier program had a server make are those of the model alone.
func embedderBy(c config.Config, m embed.Manifest) embed.Embedder {
	switch {
	case !m.Remote():
		if e, err := embed.Builtin(); err == nil {
			return e
		}
	case c.Embedder == config.EmbedderOpenAI:
		o := serverOf(c.Embedding)
		o.Model, o.Dims, o.QueryPrefix, o.DocumentPrefix = m.Model, m.Dims, &m.QueryPrefix, &m.DocumentPrefix
		o.InputType = new(strings.HasSuffix(m.Revision, openai.ByInputType))
		if table, err := embed.Builtin(); err == nil && m.Joined() {
			o.Beside = table
			o.Dims -= table.Manifest().Dims
		}
		return openai.New(o)
	}
	return nil
}

// gauge is the built-in table, which tells of any text what it says, whatever made
// the vectors.
func gauge(e embed.Embedder) (*embed.Static, error) {
	if builtin, ok := e.(*embed.Static); ok {
		return builtin, nil
	}
	return embed.Builtin()
}

// An inUse is the embedder of the index that is searched. Another one takes its
// place when all vectors were made again.
type inUse struct {
	current atomic.Pointer[embed.Embedder]
}

func newInUse(e embed.Embedder) *inUse {
	u := &inUse{}
	u.current.Store(&e)
	return u
}

func (u *inUse) get() embed.Embedder { return *u.current.Load() }

// Manifest implements embed.Embedder.
func (u *inUse) Manifest() embed.Manifest { return u.get().Manifest() }

// Queries implements embed.Embedder.
func (u *inUse) Queries(ctx context.Context, texts []string) ([][]float32, error) {
	return u.get().Queries(ctx, texts)
}

// Documents implements embed.Embedder.
func (u *inUse) Documents(ctx context.Context, inputs []embed.Input) ([][]float32, error) {
	return u.get().Documents(ctx, inputs)
}

// Ping asks a server for a vector, for Away to tell how it is.
func (u *inUse) Ping(ctx context.Context) {
	if server, ok := u.get().(*openai.Client); ok {
		server.Ping(ctx)
	}
}

// Away is why a server is not asked at this moment, or nil.
func (u *inUse) Away() error {
	if server, ok := u.get().(*openai.Client); ok {
		return server.Away()
	}
	return nil
}

// openBeside opens what a process left that died over it, or a new index.
func openBeside(ctx context.Context, dir string, m embed.Manifest) (*embedded.Store, error) {
	if disk.DimsOf(dir) == m.Dims {
		st, err := embedded.Open(ctx, dir, embedded.Options{Dims: m.Dims})
		if err == nil {
			if stored, err := records.EmbedderOf(ctx, st); err == nil && (stored == m || stored == embed.Manifest{}) {
				return st, nil
			}
			err = st.Close() //nolint:contextcheck // closing has no request
		}
		if err != nil && fault.CodeOf(err) == fault.Conflict {
			return nil, err
		}
	}
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	return embedded.Open(ctx, dir, embedded.Options{Dims: m.Dims})
}

// matched embeds queries for as long as the index has vectors of that embedder.
type matched struct {
	embed.Embedder

	store records.Reader
	jobs  *index.Service
}

// Queries implements search.Embedder.
func (m matched) Queries(ctx context.Context, texts []string) ([][]float32, error) {
	if err := records.CheckEmbedder(ctx, m.store, m.Manifest()); err != nil {
		if job, running := m.jobs.Reembedding(); running && fault.CodeOf(err) == fault.IndexNotReady {
			err = fault.New(fault.IndexNotReady,
				"the index was made by another embedder, and all vectors are being made again: %s %s", job.State, job.Target)
		}
		return nil, err
	}
	return m.Embedder.Queries(ctx, texts)
}

// rerankBy has searches ordered by the server that r names, if it names one.
func rerankBy(s *search.Service, r config.Rerank) {
	if r.URL != "" {
		s.Rerank(newReranker(r), r.Top, r.Characters)
	}
}

func newReranker(r config.Rerank) *rerank.Client {
	return rerank.New(rerank.Options{URL: r.URL, Model: r.Model, APIKey: string(r.APIKey), Timeout: r.Timeout})
}
