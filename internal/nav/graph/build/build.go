// Package build makes the graph of a tree: it reads the facts of all files, or takes
// them from the graph before, and resolves every reference.
package build

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// An Extractor reads what a text says about names. It returns nil for a
// language that it does not know. It may be called concurrently.
type Extractor interface {
	// Facts may find that a text is in another language than its path says, as
	// headers of C++ are; the file's Language then tells.
	Facts(ctx context.Context, path, language, text string) (*facts.File, error)
	// Revision says which version of itself reads what a path says is in a
	// language; facts that another one read are not used again. It is "" for
	// languages that it does not know.
	Revision(language string) string
}

// A Source is a file of the tree.
type Source struct {
	Path     string     // relative to the root, with slashes
	Language string     // that its path says, as go-enry names it
	Hash     graph.Hash // SHA-256 of its text; zero: not known, Build reads it to find out
}

// Input is what a graph is built from.
type Input struct {
	Sources  []Source // in any order, each path once
	Read     func(ctx context.Context, path string) (text string, err error)
	Extract  Extractor
	Resolver func(w resolve.World) graph.Resolver
	Revision string // of Resolver: edges that another one found are found again
	Workers  int    // 0: as many as there are processors

	// Release lets memory go that Extract needs for files in languages of which
	// Needs is true. It is called when it has read these, if there is much to do. Both may be nil.
	Release func()
	Needs   func(language string) bool
}

// many is how many files are worth letting go of what read them: starting that
// again costs as much as reading some tens of files.
const many = 1000

// A Report tells what a build did.
type Report struct {
	graph.Stats
	Read   int       // files whose facts were extracted
	Reused int       // files whose facts were taken from the graph before
	Failed []Failure // files that stay without facts, in order
}

// A Failure is a file that could not be read, or whose facts could not.
type Failure struct {
	Path string
	Err  error
}

// Graph makes a graph of a tree. Facts of files that previous (may be nil) knows
// with the same text are taken from there; the graph is the same as without. A
// file that cannot be read is without facts and reported. It is cancelled by
// ctx.
func Graph(ctx context.Context, in Input, previous *graph.Graph) (*graph.Graph, Report, error) {
	b := builder{in: in, previous: previous, entries: make([]graph.Entry, len(in.Sources))}
	if err := b.lookAtAll(ctx); err != nil {
		return nil, Report{}, fmt.Errorf("read the tree: %w", err)
	}
	g, err := graph.Assemble(b.entries, &b.pool)
	b.entries = nil
	if err != nil {
		return nil, Report{}, fmt.Errorf("assemble the graph: %w", err)
	}
	w := overlay.NewWorld(g, overlay.Changes{})
	all, err := resolveAll(ctx, w, in, g.Keeps(previous, in.Revision))
	if err != nil {
		return nil, Report{}, fmt.Errorf("resolve references: %w", err)
	}
	if err := g.Connect(all, in.Revision); err != nil {
		return nil, Report{}, fmt.Errorf("assemble the graph: %w", err)
	}
	slices.SortFunc(b.failed, func(a, b Failure) int { return cmp.Compare(a.Path, b.Path) })
	report := Report{Stats: g.Stats(), Read: int(b.read.Load()), Reused: int(b.reused.Load()), Failed: b.failed}
	return g, report, nil
}

// ErrNoFacts is what Input.Read returns of a file whose facts are not wanted: it
// is one of the graph's files, and nothing is known of it.
var ErrNoFacts = errors.New("its facts are not wanted")

// A builder gathers the facts of all files.
type builder struct {
	in           Input
	previous     *graph.Graph
	entries      []graph.Entry
	pool         graph.Pool
	read, reused atomic.Int64

	mu     sync.Mutex
	failed []Failure
}

// lookAtAll finds the facts of all files, first of those for which Extract needs
// memory that it can let go of.
func (b *builder) lookAtAll(ctx context.Context) error {
	sources := slices.Clone(b.in.Sources)
	slices.SortFunc(sources, func(a, b Source) int { return cmp.Compare(a.Path, b.Path) })
	var first, then []int
	for i, s := range sources {
		if b.in.Needs != nil && b.in.Needs(s.Language) {
			first = append(first, i)
		} else {
			then = append(then, i)
		}
	}
	look := func(some []int) error {
		return eachFile(ctx, len(some), b.in.Workers, func(i int) error { return b.look(ctx, some[i], sources[some[i]]) })
	}
	if err := look(first); err != nil {
		return err
	}
	if b.in.Release != nil && (b.read.Load() >= many || b.previous == nil && len(then) >= many) {
		b.in.Release()
	}
	return look(then)
}

// look finds the facts of one file.
func (b *builder) look(ctx context.Context, i int, s Source) error {
	e := &b.entries[i]
	*e = graph.Entry{Path: s.Path, Language: s.Language, Hash: s.Hash, Revision: b.in.Extract.Revision(s.Language)}
	f, err := b.find(ctx, e)
	if ctxErr := ctx.Err(); ctxErr != nil {
		return ctxErr
	}
	if err != nil {
		e.Flags = graph.FlagFailed
		b.mu.Lock()
		b.failed = append(b.failed, Failure{Path: s.Path, Err: err})
		b.mu.Unlock()
	}
	if f == nil {
		f = &facts.File{}
	}
	f.Path, f.Language = e.Path, e.Language
	// They should be in order, and are searched by position later.
	slices.SortStableFunc(f.Refs,
		func(a, b facts.Ref) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column)) })
	e.Put(&b.pool, f)
	return nil
}

// find takes the facts of a file from the graph before, or reads them.
func (b *builder) find(ctx context.Context, e *graph.Entry) (*facts.File, error) {
	known := e.Hash != graph.Hash{}
	if known {
		if f := b.reuse(e); f != nil || e.Revision == "" {
			return f, nil
		}
	}
	text, err := b.in.Read(ctx, e.Path)
	if errors.Is(err, ErrNoFacts) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !known {
		e.Hash = sha256.Sum256([]byte(text))
		if f := b.reuse(e); f != nil || e.Revision == "" {
			return f, nil
		}
	}
	f, err := b.in.Extract.Facts(ctx, e.Path, e.Language, text)
	if err != nil {
		return nil, err
	}
	b.read.Add(1)
	if f != nil {
		e.Flags, e.Language = graph.FlagFacts, cmp.Or(f.Language, e.Language)
	}
	return f, nil
}

// reuse takes facts from the graph before, if they are of the same text.
func (b *builder) reuse(e *graph.Entry) *facts.File {
	g := b.previous
	if g == nil || e.Revision == "" {
		return nil
	}
	id, ok := g.Tree.ByPath(e.Path)
	if !ok || g.Tree.Hash(id) != e.Hash || g.Tree.Revision(id) != e.Revision || g.Tree.Flags(id)&graph.FlagFailed != 0 {
		return nil
	}
	f, ok := g.Facts.Decode(id)
	if !ok {
		return nil
	}
	e.Flags = g.Tree.Flags(id)
	if e.Flags&graph.FlagFacts != 0 {
		e.Language = g.Tree.Language(id)
	}
	b.reused.Add(1)
	return f
}
