package ask

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/ragnav/ragnav/internal/rag/ask/question"
	"github.com/ragnav/ragnav/internal/rag/models"
)

const (
	declared = 3 // of the first places, whose implementations are looked at
	maxBelow = 2 // implementations of one declaration that are cited
)

// below puts before a declaration without a body that is among the first places what
// implements it, those first that say most of the question: who asks how something is
// done wants the code that does it.
func (n neighbours) below(ctx context.Context, text string, all []place,
	docs map[models.DocumentID]models.Document,
) ([]place, error) {
	if n.graph == nil || !question.AsksWork(text) {
		return all, nil
	}
	limited, cancel := context.WithTimeout(ctx, nearTime)
	defer cancel()
	for _, p := range slices.Clone(all[:min(declared, len(all))]) {
		some := parts(p, docs)
		if len(some) == 0 || !n.bodiless(limited, some[0]) {
			continue
		}
		found, ok, err := n.graph.Near(limited, some[0].Header, nearLimit)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil || !ok || len(found.Below) == 0 {
			continue // an answer without it is whole
		}
		n.notes.Did("implementations", string(some[0].RepoID)+" "+some[0].QualifiedName, len(found.Below))
		if all, err = n.implemented(ctx, all, p, found.Below, docs); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// bodiless reports whether a symbol is a method of so few lines that it does nothing by
// itself.
func (n neighbours) bodiless(ctx context.Context, d models.Document) bool {
	if d.Kind != "func" && d.Kind != "method" {
		return false
	}
	text, _, err := n.read.lines.Lines(ctx, d.RepoID, d.FilePath, d.StartLine, d.EndLine)
	return err == nil && codeLines(text) <= briefLines
}

// implemented puts the places of definitions before the one that declares them.
func (n neighbours) implemented(ctx context.Context, all []place, of place, defs []models.Definition,
	docs map[models.DocumentID]models.Document,
) ([]place, error) {
	var some []place
	for _, d := range defs {
		id := models.SymbolID(of.repo, d.FilePath, d.Qualified, 1)
		some = append(some, place{repo: of.repo, path: d.FilePath, parts: []models.DocumentID{id}, leader: id})
	}
	found, err := n.read.documents(ctx, some)
	if err != nil {
		return nil, err
	}
	some = slices.DeleteFunc(some, func(p place) bool {
		d, known := found[p.leader]
		return !known || d.Test || p.sameFile(of) || n.bodiless(ctx, d)
	})
	says := func(p place) float64 { return n.notes.share(p.path + " " + found[p.leader].Content) }
	slices.SortStableFunc(some, func(a, b place) int { return cmp.Compare(says(b), says(a)) })
	maps.Copy(docs, found)
	all = slices.Clone(all)
	for _, p := range some[:min(maxBelow, len(some))] {
		at := slices.IndexFunc(all, of.sameFile)
		if i := slices.IndexFunc(all, p.sameFile); i >= 0 && i < at {
			continue // it is ahead, by itself
		} else if i >= 0 {
			all = slices.Delete(all, i, i+1)
		}
		all = slices.Insert(all, at, p)
	}
	return all, nil
}
