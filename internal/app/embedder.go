package app

import (
	"context"
	"strings"

	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/embed/openai"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/store/embedded"
)

// newEmbedder is the embedder that c names. Its manifest has no dims where only
// the server knows them.
func newEmbedder(c config.Config) (embed.Embedder, error) {
	if c.Embedder != config.EmbedderOpenAI {
		return embed.Builtin()
	}
	return openai.New(serverOf(c.Embedding)), nil
}

func serverOf(e config.Embedding) openai.Options {
	return openai.Options{
		URL: e.URL, Model: e.Model, APIKey: string(e.APIKey), Dims: e.Dims, QueryPrefix: e.QueryPrefix, DocumentPrefix: e.DocumentPrefix,
		InputType: e.InputType, MaxTokens: e.MaxTokens, Batch: e.Batch, Concurrency: e.Concurrency, Timeout: e.Timeout,
	}
}

// dimsOf is how many components the vectors of a store have: those that it was
// made for, else those of the embedder, which are learnt if they have to be.
func dimsOf(ctx context.Context, c config.Config, role Role, e embed.Embedder) (int, error) {
	if c.Embedded() {
		if dims := embedded.DimsOf(c.DataDir); dims > 0 {
			return dims, nil
		}
	}
	if server, ok := e.(*openai.Client); ok && role != Reader {
		if err := server.Learn(ctx); err != nil && server.Manifest().Dims == 0 {
			return 0, fault.Wrap(fault.CodeOf(err), err, "%s; or set RAGNAV_EMBED_DIMS, and vectors follow when it is there", fault.MessageOf(err))
		}
	}
	return max(1, e.Manifest().Dims), nil
}

// embedderOf is the embedder of an index: the one that made its vectors if this
// program can have it, whatever is configured, so that the index stays of use
// until it is made again by another.
func embedderOf(ctx context.Context, c config.Config, st index.Reader, configured embed.Embedder, dims int) (embed.Embedder, error) {
	stored, err := index.EmbedderOf(ctx, st)
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

// embedderBy is the embedder of a manifest, or another one, or nil.
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
		return openai.New(o)
	}
	return nil
}

// matched embeds queries for as long as the index has vectors of that embedder.
type matched struct {
	embed.Embedder

	store index.Reader
}

// Queries implements search.Embedder.
func (m matched) Queries(ctx context.Context, texts []string) ([][]float32, error) {
	if err := index.CheckEmbedder(ctx, m.store, m.Manifest()); err != nil {
		return nil, err
	}
	return m.Embedder.Queries(ctx, texts)
}
