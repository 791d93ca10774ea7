package scan

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/ragnav/ragnav/internal/nav/scan/match"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/filekind"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// Options say how to search.
type Options struct {
	Workers     int   // 0 is one for each processor, 8 at most
	MaxFileSize int64 // bytes; larger files are skipped; 0 is repo.DefaultMaxFileSize
	Snippets    bool  // give each match its Snippet
	// Keep says which of the paths to search, nil is all. It is called by one goroutine
	// at a time in Search, by two in Live.
	Keep func(path string) bool
	// Accept says which of the lines that match are found, nil is all. Any number of
	// goroutines call it.
	Accept func(ctx context.Context, path string, line []byte) bool
	// Until, if not zero, is when the search ends with what it has.
	Until time.Time
}

func (o Options) late() bool { return !o.Until.IsZero() && time.Now().After(o.Until) }

// A Match is the first match on a line.
type Match struct {
	Path    string
	Line    int             // 1-based
	Column  int             // 1-based, in bytes
	Length  int             // of the match, in bytes
	Snippet *models.Snippet // the lines around it, nil unless asked for
}

// A Result is what a search found. Its counts are of the files up to where the
// search could stop; they are as deterministic as the matches.
type Result struct {
	Matches   []Match // in order of path and line
	Truncated bool    // there are more than the limit
	Files     int     // that were searched
	Bytes     int64   // of these files
	Skipped   Skipped
	Left      int // files that there was no time for
}

// Skipped counts files that were not searched.
type Skipped struct {
	Binary     int
	TooLarge   int // than Options.MaxFileSize
	Gone       int // deleted since they were listed
	Submodules int // folders in place of files, that have something
	Unreadable int // not readable, not regular, behind a symlink, not inside the repository
	Secret     int // private keys and stores of secrets, as far as they match
	Sparse     int // repositories of which git keeps files out of the folder; in no total, since these are not counted
}

// Total is the number of all files that were skipped.
func (s Skipped) Total() int {
	return s.Binary + s.TooLarge + s.Gone + s.Submodules + s.Unreadable + s.Secret
}

// Search looks for the matcher's query in the files at the given paths, which
// are relative to the repository's root. With a limit it returns the first
// matches in order of path and line, and stops early. What can't be read is
// counted, and no error. Errors are those of the context and the opener.
func Search(ctx context.Context, files Opener, paths []string, m *match.Matcher, o Options) (Result, error) {
	paths = wanted(paths, o.Keep)
	if o.MaxFileSize <= 0 {
		o.MaxFileSize = listing.DefaultMaxFileSize
	}
	if o.Workers <= 0 {
		o.Workers = min(parallel.Processors(), 8)
	}
	work := newQueue(paths, m.Query.Limit)
	group, ctx := parallel.NewGroup(ctx)
	for range min(o.Workers, len(work.parts)) {
		group.Go(func() error {
			reader, err := files.Reader()
			if err != nil {
				return err
			}
			w := worker{matcher: m, options: o, reader: reader, buffer: make([]byte, 0, firstBuffer), finder: match.Finder{M: m}}
			return errors.Join(w.run(ctx, work), reader.Close())
		})
	}
	if err := group.Wait(); err != nil {
		return Result{}, err
	}
	return work.result(), nil
}

// wanted is the paths that are kept, in order, each once. It leaves the
// caller's as they are.
func wanted(paths []string, keep func(string) bool) []string {
	kept := make([]string, 0, len(paths))
	for _, p := range paths {
		if keep == nil || keep(p) {
			kept = append(kept, p)
		}
	}
	if !slices.IsSorted(kept) {
		slices.Sort(kept)
	}
	return slices.Compact(kept)
}

const (
	firstBuffer = 128 << 10 // bytes
	largeBuffer = 64 << 20  // a larger one is not kept
)

// A worker searches one part after another.
type worker struct {
	matcher *match.Matcher
	options Options
	reader  Reader
	buffer  []byte
	finder  match.Finder
}

func (w *worker) run(ctx context.Context, work *queue) error {
	for {
		i, ok := work.take()
		if !ok || w.options.late() {
			return nil
		}
		part := &work.parts[i]
		for _, path := range part.paths {
			if err := ctx.Err(); err != nil {
				return err
			}
			if work.full(part) || work.past(i) {
				break
			}
			if w.options.late() {
				return nil
			}
			if err := w.file(ctx, path, part, work.limit); err != nil {
				return err
			}
		}
		work.done(i)
	}
}

// file searches one file.
func (w *worker) file(ctx context.Context, path string, p *part, limit int) error {
	content, err := w.reader.Read(ctx, path, w.buffer, w.options.MaxFileSize)
	if err != nil {
		return p.skipped.count(ctx, err)
	}
	if cap(content) > cap(w.buffer) && cap(content) <= largeBuffer {
		w.buffer = content[:0]
	}
	text, ok := textOf(content)
	if !ok {
		p.skipped.Binary++
		return nil
	}
	first := true
	w.finder.Lines(ctx, text, func(h match.Hit) bool {
		if w.options.Accept != nil && !w.options.Accept(ctx, path, text[h.From:match.LineEnd(text, h.To)]) {
			return true
		}
		if first {
			if ok = w.allowed(path, content, text, p); !ok {
				return false
			}
			first = false
		}
		match := Match{Path: path, Line: h.Line, Column: h.Start - h.From + 1, Length: h.End - h.Start}
		if w.options.Snippets {
			match.Snippet = snippetAt(path, text, h, snippetContext)
		}
		p.matches = append(p.matches, match)
		return limit == 0 || len(p.matches) <= limit
	})
	if ok {
		p.files++
		p.bytes += int64(len(content))
	}
	return ctx.Err()
}

// allowed judges a file that has a match.
func (w *worker) allowed(path string, content, text []byte, p *part) bool {
	switch refusal(content, text) {
	case "":
	case models.SkipSecret:
		p.skipped.Secret++
		return false
	default:
		p.skipped.Binary++
		return false
	}
	if _, secret := filekind.Secret(path); secret {
		p.skipped.Secret++
		return false
	}
	return true
}

// count takes note of why a file was not read; another error is returned.
func (s *Skipped) count(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errGone):
		s.Gone++
	case errors.Is(err, errTooLarge):
		s.TooLarge++
	case errors.Is(err, errBinary):
		s.Binary++
	case errors.Is(err, errSubmodule):
		s.Submodules++
	case errors.Is(err, errUnreadable):
		s.Unreadable++
	default:
		return err
	}
	return nil
}
