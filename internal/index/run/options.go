package run

import (
	"context"
	"time"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/reader"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// Options is how a run works.
type Options struct {
	Exclude      []string // absolute folders that are never indexed
	Workers      int      // that parse and embed
	MaxFileSize  int64    // bytes of the largest file to index
	Now          func() time.Time
	Outliner     parse.Outliner // nil leaves all languages to the patterns of package parse
	StoreContent bool           // keeps the text of files, credentials masked
	Summariser   Summariser     // nil where no model writes summaries
	SettleFor    time.Duration  // how long to wait for searches to see what was written
	Revision     func() string  // of what is read out of files
	Batch        int            // documents that fill a batch; 0 for the usual number
}

func (o Options) parser() reader.Parser { return reader.Parser{Outliner: o.Outliner} }

// Limits bounds what is listed.
func (o Options) Limits() listing.Limits {
	return listing.Limits{MaxFileSize: o.MaxFileSize, Exclude: o.Exclude}
}

// An Embedder makes the vectors of documents, in the order of the inputs; nil
// for a text without usable words.
type Embedder interface {
	Manifest() embed.Manifest
	Documents(ctx context.Context, inputs []embed.Input) ([][]float32, error)
}

// A Summariser is a language model that writes summaries. used are the tokens of
// request and reply. Errors end the making of summaries, not the run.
type Summariser interface {
	Summarise(ctx context.Context, prompt string, limit int) (text string, used int, err error)
}
