package gateway

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/build"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A Whole is the graph of all files with what changed since: what is needed by
// questions about more than a name.
type Whole struct {
	graph   *graph.Graph
	changes overlay.Changes
	Notes   []string
	Now     *overlay.View // of the files as they are

	resolver func(resolve.World) graph.Resolver
}

// WholeOf is that of the stored graph, or of one that is made now where there are
// few files. Else it is IndexNotReady.
func WholeOf(ctx context.Context, g *Gateway) (Whole, error) {
	if g.Verdict.Graph {
		changes, key, err := g.changes(ctx)
		if err != nil {
			return Whole{}, err
		}
		return Whole{
			graph: g.Stored.Graph, changes: changes, Now: g.laid(changes, key), resolver: g.Stored.resolver(g.Tree),
		}, nil
	}
	c, err := g.candidates(ctx, "", shareOf(ctx, 3))
	if err != nil {
		return Whole{}, err
	}
	if !c.all {
		return Whole{}, fault.New(fault.IndexNotReady,
			"it needs the graph of the repository, which has too many files to be read now; %s", remedy(g))
	}
	made, notes, _, err := g.make(ctx, "", c)
	if err != nil {
		return Whole{}, err
	}
	return Whole{
		graph: made, Notes: notes, Now: overlay.Lay(made, overlay.Changes{}, Resolver), resolver: Resolver,
	}, nil
}

// Known are the facts of a file with some text, where the graph was built from that
// text and they were read as they would be now; else nil.
func (w Whole) Known(extract build.Extractor, p, text string) *facts.File {
	return factsIn(w.graph, extract, p, func(hash graph.Hash) bool { return isOf(hash, text) })
}

// factsIn are the facts that a graph has of a file, if it is of the text that the hash may be of and
// they were read as they would be now; else nil.
func factsIn(g *graph.Graph, extract build.Extractor, p string, is func(graph.Hash) bool) *facts.File {
	id, ok := g.Tree.ByPath(p)
	if !ok {
		return nil
	}
	t, revision := g.Tree, extract.Revision(FactLanguage(p))
	if revision == "" || t.Revision(id) != revision || t.Flags(id) != graph.FlagFacts || !is(t.Hash(id)) {
		return nil
	}
	return g.Facts.File(id)
}

// storedOf are the facts that the graph has of a file which is as it was; else nil.
func storedOf(g *Gateway, p string) *facts.File {
	if !g.Verdict.Graph || slices.Contains(g.Verdict.Live, p) {
		return nil
	}
	return factsIn(g.Stored.Graph, g.Opener.Extract, p, func(graph.Hash) bool { return true })
}

// byteOrderMark may be before the text of a file, which is without it.
const byteOrderMark = "\xef\xbb\xbf"

// isOf reports whether a hash is of the bytes that a text was decoded from.
func isOf(hash graph.Hash, text string) bool {
	return hash == sha256.Sum256([]byte(text)) || hash == sha256.Sum256([]byte(byteOrderMark+text))
}

// isStored reports whether facts are the graph's own: then nothing is laid over it.
func (w Whole) isStored(f *facts.File) bool {
	id, ok := w.graph.Tree.ByPath(f.Path)
	return ok && w.graph.Facts.File(id) == f
}

// has reports whether there is a file.
func (w Whole) has(p string) bool {
	_, ok := w.Now.World().ByPath(p)
	return ok
}

// isNow reports whether facts are those of a file as it is.
func (w Whole) isNow(f *facts.File) bool {
	i := slices.IndexFunc(w.changes.Changed, func(c *facts.File) bool { return c.Path == f.Path })
	if i < 0 {
		return w.isStored(f) && !slices.Contains(w.changes.Deleted, f.Path)
	}
	return w.changes.Changed[i] == f
}

// Before is With of files as they were before an edit. It is asked who used what is gone
// since, and nothing else.
func (w Whole) Before(changed []*facts.File, deleted []string) *overlay.View {
	return w.with(changed, deleted, true)
}

// With is the view of the files when some are other than they are; Now if none are.
func (w Whole) With(changed []*facts.File, deleted []string) *overlay.View {
	return w.with(changed, deleted, false)
}

func (w Whole) with(changed []*facts.File, deleted []string, former bool) *overlay.View {
	if !slices.ContainsFunc(changed, func(f *facts.File) bool { return !w.isNow(f) }) &&
		!slices.ContainsFunc(deleted, w.has) {
		return w.Now
	}
	o := overlay.Changes{Hashes: maps.Clone(w.changes.Hashes)}
	if former {
		o.Gone = []string{}
	}
	is := map[string]bool{}
	for _, f := range changed {
		if former {
			o.Gone = append(o.Gone, f.Path)
		}
		is[f.Path] = true
		delete(o.Hashes, f.Path)
		if !w.isStored(f) {
			o.Changed = append(o.Changed, f)
		}
	}
	for _, f := range w.changes.Changed {
		if !is[f.Path] {
			o.Changed = append(o.Changed, f)
		}
	}
	for _, p := range w.changes.Deleted {
		if !is[p] {
			o.Deleted = append(o.Deleted, p)
		}
	}
	gone := map[string]bool{}
	for _, p := range deleted {
		gone[p] = true
		o.Deleted = append(o.Deleted, p)
	}
	o.Changed = slices.DeleteFunc(o.Changed, func(f *facts.File) bool { return gone[f.Path] })
	return overlay.Lay(w.graph, o, w.resolver)
}

// left says what a graph that was made now lacks.
func left(files, unsearched, of int) string {
	return fmt.Sprintf("time was short: %d of the %s that may have uses were not read, and %d not searched; what is "+
		"only there is missing", files, CountedFiles(of), unsearched)
}
