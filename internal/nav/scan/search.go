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
	// Counted is in how many files, of all sources together, lines are counted beyond
	// the limit of the query. With 0 a search ends soon after the limit.
	Counted int
	// From is how many of the lines that match are not wanted, the first ones: the next
	// are returned up to the limit of the query.
	From int
	// Known, if not nil, is of searches for this in the same sources. It is renewed.
	Known *Known
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

// A Source is files that are read by one Opener.
type Source struct {
	Files Opener
	Paths []string // relative to the root of the repository, in order, each once
}

// A Match is the first match on a line.
type Match struct {
	Path    string
	Line    int             // 1-based
	Column  int             // 1-based, in bytes
	Length  int             // of the match, in bytes
	Snippet *models.Snippet // the lines around it, nil unless asked for
}

// A Count is how many lines of a file match.
type Count struct {
	Path    string
	Lines   int
	AtLeast bool // there may be more
}

// mostLines are counted in a file, if there is a limit and it is not more.
const mostLines = 100_000

// A Result is what a search found in a source. Its counts are of the files up to
// where the search could stop; they are as deterministic as the matches.
type Result struct {
	Matches   []Match // in order of path and line
	Truncated bool    // there are more than the limit
	Counts    []Count // of the files with lines that match, in order of path
	Uncounted bool    // there may be more lines that match than these
	Files     int     // that were searched
	Bytes     int64   // of these files
	Skipped   Skipped
	Left      int   // files that there was no time for
	Err       error // the source can't be read
}

// Lines is how many matching lines were counted.
func (r *Result) Lines() (n int) {
	for _, c := range r.Counts {
		n += c.Lines
	}
	return n
}

// Skipped counts files that were not searched.
type Skipped struct {
	Binary     int
	TooLarge   int // than Options.MaxFileSize
	Gone       int // deleted since they were listed
	Submodules int // folders in place of files, that have something
	Unreadable int // not readable, not regular, behind a symlink, not inside the repository
	NoText     int // with lines that match, of no encoding that is known
	Secret     int // private keys and stores of secrets, as far as they match
	OddNames   int // whose names can't be told, see relpath.Odd
	Closed     int // folders that can't be read
	Sparse     int // repositories of which git keeps files out of the folder; in no total, since these are not counted
}

// Total is the number of all files that were skipped.
func (s Skipped) Total() int {
	return s.Binary + s.TooLarge + s.Gone + s.Submodules + s.Unreadable + s.NoText + s.Secret + s.OddNames + s.Closed
}

// Search looks for the matcher's query in the files at the given paths, which
// are relative to the repository's root. With a limit it returns the first
// matches in order of path and line, and stops early. What can't be read is
// counted, and no error. Errors are those of the context and the opener.
func Search(ctx context.Context, files Opener, paths []string, m *match.Matcher, o Options) (Result, error) {
	if !inOrder(paths) {
		paths = slices.Compact(slices.Sorted(slices.Values(paths)))
	}
	found, err := SearchAll(ctx, []Source{{files, paths}}, m, o)
	if err != nil {
		return Result{}, err
	}
	return found[0], found[0].Err
}

// inOrder reports that paths are in order, each once.
func inOrder(paths []string) bool {
	for i := 1; i < len(paths); i++ {
		if paths[i] <= paths[i-1] {
			return false
		}
	}
	return true
}

// SearchAll is Search in several sources: the limit is that of all matches, in order
// of sources, path and line. An opener's error is that of its source's result.
func SearchAll(ctx context.Context, sources []Source, m *match.Matcher, o Options) ([]Result, error) {
	sources = wanted(sources, o.Keep)
	if o.MaxFileSize <= 0 {
		o.MaxFileSize = listing.DefaultMaxFileSize
	}
	if o.Workers <= 0 {
		o.Workers = min(parallel.Processors(), 8)
	}
	work := newQueue(sources, m.Query.Limit, o.Counted)
	work.skip(o.From, o.Known)
	group, ctx := parallel.NewGroup(ctx)
	for range min(o.Workers, len(work.parts)) {
		group.Go(func() error {
			w := worker{options: o, sources: sources, buffer: make([]byte, 0, firstBuffer), finder: match.Finder{M: m}}
			defer w.leave()
			return w.run(ctx, work)
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	if o.Known != nil {
		*o.Known = work.known()
	}
	return work.results(), nil
}

// wanted is the sources with the paths that are kept.
func wanted(sources []Source, keep func(string) bool) []Source {
	if keep == nil {
		return sources
	}
	kept := make([]Source, len(sources))
	for i, s := range sources {
		kept[i].Files = s.Files
		for _, p := range s.Paths {
			if keep(p) {
				kept[i].Paths = append(kept[i].Paths, p)
			}
		}
	}
	return kept
}

const (
	firstBuffer = 128 << 10 // bytes
	largeBuffer = 64 << 20  // a larger one is not kept
)

// A worker searches one part after another.
type worker struct {
	options Options
	sources []Source
	source  int
	reader  Reader // of the source; nil: none is open
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
		if err := w.enter(part.source); err != nil {
			work.fail(part.source, err)
			work.done(i)
			continue
		}
		for _, path := range part.paths {
			if err := ctx.Err(); err != nil {
				return err
			}
			if work.past(i) {
				break
			}
			if w.options.late() {
				return nil
			}
			if err := w.file(ctx, path, part, work); err != nil {
				return err
			}
		}
		work.done(i)
	}
}

// enter opens a source, if it is not the one before.
func (w *worker) enter(source int) (err error) {
	if w.reader != nil && w.source == source {
		return nil
	}
	w.leave()
	if w.reader, err = w.sources[source].Files.Reader(); err != nil {
		w.reader = nil
	}
	w.source = source
	return err
}

func (w *worker) leave() {
	if w.reader != nil {
		_ = w.reader.Close() // nothing was written
	}
	w.reader = nil
}

// file searches one file.
func (w *worker) file(ctx context.Context, path string, p *part, work *queue) error {
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
	count, room := Count{Path: path}, work.room(p)
	w.finder.Lines(ctx, text, func(h match.Hit) bool {
		if w.options.Accept != nil && !w.options.Accept(ctx, path, text[h.From:match.LineEnd(text, h.To)]) {
			return true
		}
		if count.Lines == 0 {
			if ok = w.allowed(path, content, text, p); !ok {
				return false
			}
		}
		if work.limit > 0 && count.Lines == max(work.limit, mostLines) {
			count.AtLeast = true
			return false
		}
		switch {
		case p.lines+count.Lines < p.before:
			p.passed++
		case len(p.matches) < room:
			at, found := w.finder.Locate(ctx, h)
			if !found {
				return ctx.Err() == nil
			}
			p.matches = append(p.matches, w.match(path, text, at))
		}
		count.Lines++
		return true
	})
	if ok {
		p.files++
		p.bytes += int64(len(content))
	}
	if count.Lines > 0 {
		p.lines += count.Lines
		p.counts = append(p.counts, count)
	}
	return ctx.Err()
}

func (w *worker) match(path string, text []byte, h match.Hit) Match {
	m := Match{Path: path, Line: h.Line, Column: h.Start - h.From + 1, Length: h.End - h.Start}
	if w.options.Snippets {
		m.Snippet = snippetAt(path, text, h, snippetContext)
	}
	return m
}

// allowed judges a file that has a match.
func (w *worker) allowed(path string, content, text []byte, p *part) bool {
	switch refusal(content, text) {
	case "":
	case models.SkipSecret:
		p.skipped.Secret++
		return false
	default:
		p.skipped.NoText++
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
