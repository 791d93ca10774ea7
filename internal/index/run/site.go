package run

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/ragnav/ragnav/internal/index/tell"
	"github.com/ragnav/ragnav/internal/parse/reader"
	"github.com/ragnav/ragnav/internal/repo/listing"

	"github.com/ragnav/ragnav/internal/index/vectors"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/redact"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/compose"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
)

// A Site is what all phases of a run have: the store, the repository's folder, and
// the job that is told how far it is. It does not change once the folder is open.
type Site struct {
	Store  records.Store
	Board  *jobs.Board // nil unless the store is Shared
	Embed  vectors.Embedder
	Config Options
	Job    *jobs.Handle
	tree   *disk.Folder
	origin compose.Origin
}

// Options is how a run works.
type Options struct {
	Exclude      []string // absolute folders that are never indexed
	Workers      int      // that parse and embed
	MaxFileSize  int64    // bytes of the largest file to index
	Now          func() time.Time
	Outliner     parse.Outliner  // nil leaves all languages to the patterns of package parse
	StoreContent bool            // keeps the text of files, credentials masked
	Summariser   tell.Summariser // nil where no model writes summaries
	SettleFor    time.Duration   // how long to wait for searches to see what was written
	Revision     func() string   // of what is read out of files
	Batch        int             // documents that fill a batch; 0 for the usual number
}

func (o Options) parser() reader.Parser { return reader.Parser{Outliner: o.Outliner} }

// Limits bounds what is listed.
func (o Options) Limits() listing.Limits {
	return listing.Limits{MaxFileSize: o.MaxFileSize, Exclude: o.Exclude}
}

// busyTries is how often a batch is tried while the store has too much to do.
// A run of an hour should not end because of a minute in which others write.
const busyTries = 30

// apply carries out a batch of the run, as long as the run has its repository.
// It waits for a store that is busy: a batch may be applied again.
func (s *Site) apply(ctx context.Context, b models.Batch) error {
	for try := 1; ; try++ {
		if err := s.Job.MayWrite(ctx); err != nil {
			return err
		}
		err := s.Store.Apply(ctx, b)
		f, busy := errors.AsType[*fault.Error](err)
		if !busy || f.Code != fault.Overloaded || try == busyTries {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(max(f.RetryAfter, time.Second)):
		}
	}
}

// searchable returns when searches see all that this process wrote to a shared
// store. When they don't in time that is a Timeout.
func (s *Site) searchable(ctx context.Context) error {
	if s.Board == nil {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, s.Config.SettleFor)
	defer cancel()
	err := s.Board.Store.Settle(limited)
	switch {
	case err == nil:
		return nil
	case ctx.Err() == nil && limited.Err() != nil:
		return fault.Wrap(fault.Timeout, err,
			"everything is written, but the search index has not caught up within %v; see `ragnav doctor`",
			s.Config.SettleFor)
	}
	return fmt.Errorf("wait for the search index: %w", err)
}

// asIndexed is the content of a file, if it is as it was indexed.
func (s *Site) asIndexed(ctx context.Context, rec models.FileRecord) (data []byte, same bool, err error) {
	data, _, err = s.tree.Read(ctx, rec.Path, s.Config.MaxFileSize)
	if ctx.Err() != nil {
		return nil, false, ctx.Err()
	}
	sum := sha256.Sum256(data)
	return data, err == nil && hex.EncodeToString(sum[:]) == rec.Hash, nil
}

// symbols are the symbols of a file that is as it was indexed, and its text.
func (s *Site) symbols(ctx context.Context, rec models.FileRecord) (text string, all []parse.Symbol, same bool,
	err error,
) {
	data, same, err := s.asIndexed(ctx, rec)
	if err != nil || !same {
		return "", nil, false, err
	}
	text, _ = parse.Decode(data)
	text, _ = redact.Text(text)
	out := s.Config.parser().Parse(ctx, parse.File{Path: rec.Path, Language: rec.Language, Text: text}, parse.WantSymbols)
	return text, out.Symbols, true, nil
}
