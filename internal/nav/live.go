package nav

import (
	"context"
	"fmt"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/scan"
)

// wholeTree is up to how many files a live scan reads all of a repository; of a
// larger one it reads those that have the name in them.
const wholeTree = 2000

// answering is the view that answers questions about a name: the graph with the
// changes, or one that is made now and kept nowhere. Notes say what it lacks.
func (g *gateway) answering(ctx context.Context, name string) (view *graph.View, notes []string, err error) {
	if g.verdict.Graph {
		if err := g.tryAgain(ctx, name); err != nil {
			return nil, nil, err
		}
		view, err = g.view(ctx)
		return view, nil, err
	}
	paths, all, err := g.candidates(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	in := graph.Input{Read: g.readText, Extract: g.remembered(), Resolver: resolver, Revision: g.Revision, Workers: g.Workers}
	for _, p := range paths {
		in.Sources = append(in.Sources, graph.Source{Path: p, Language: factLanguage(p)})
	}
	made, report, err := graph.Build(ctx, in, nil)
	if err != nil {
		return nil, nil, err
	}
	for _, failed := range report.Failed {
		g.unread = append(g.unread, failed.Path)
	}
	if !all {
		notes = append(notes, fmt.Sprintf(
			"only the %d files with %q in them were read: uses through types that are declared elsewhere are missing; `ragnav nav build-graph` reads all", len(paths), last(name)))
	}
	return made.With(graph.Overlay{}, resolver), notes, nil
}

// candidates are the files that a live answer is made from, and whether they
// are all there are.
func (g *gateway) candidates(ctx context.Context, name string) (paths []string, all bool, err error) {
	listing, err := g.tree.List(ctx, g.listed)
	if err != nil {
		return nil, false, err
	}
	var others []string
	for _, e := range listing.Files {
		switch lang := factLanguage(e.Path); {
		case g.Extract.Revision(lang) == "" || e.Size > g.limit():
		case configures(lang):
			others = append(others, e.Path)
		default:
			paths = append(paths, e.Path)
		}
	}
	if len(paths) <= wholeTree {
		return append(paths, others...), true, nil
	}
	m, err := scan.Compile(scan.Query{Pattern: last(name), Case: scan.Insensitive, Word: true})
	if err != nil {
		return nil, false, err
	}
	found, err := scan.Search(ctx, g.folder(), paths, m, scan.Options{Workers: g.Workers, MaxFileSize: g.limit()})
	if err != nil {
		return nil, false, err
	}
	paths = paths[:0]
	for _, match := range found.Matches {
		if n := len(paths); n == 0 || paths[n-1] != match.Path {
			paths = append(paths, match.Path)
		}
	}
	return append(paths, others...), false, nil
}

// configures reports whether files of a language say how imports are to be read.
func configures(language string) bool {
	return language == "Go Module" || language == "Go Workspace" || language == ManifestJSON || language == ManifestTOML
}

// last is the last part of a qualified name.
func last(name string) string {
	name, _, _ = strings.Cut(strings.TrimSpace(name), "~")
	if i := strings.LastIndexAny(name, ".:#/\\"); i >= 0 && i < len(name)-1 {
		return name[i+1:]
	}
	return name
}

// readText reads the text of a file for the extractor.
func (g *gateway) readText(ctx context.Context, p string) (string, error) {
	content, err := g.read(ctx, p)
	return string(content), err
}

// remembered is the extractor, with what it read lately.
func (g *gateway) remembered() graph.Extractor { return rememberer{g.Extract, g.facts} }

type rememberer struct {
	graph.Extractor

	memory *factMemory
}

// Facts implements graph.Extractor. The text is still encoded.
func (r rememberer) Facts(ctx context.Context, p, _, text string) (*facts.File, error) {
	f, _, err := r.memory.get(ctx, r.Extractor, p, []byte(text))
	if ctx.Err() != nil {
		return nil, fault.Wrap(fault.Timeout, ctx.Err(), "reading %s took too long; build the graph with `ragnav nav build-graph`", p)
	}
	return f, err
}
