package gateway

import (
	"context"

	"github.com/ragnav/ragnav/internal/nav/scan"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// around is how many lines before and behind a place are shown.
const around = 2

// snippets gives each item the lines around it as they are on disk. An item
// whose file or line is gone by now is left out, and counted.
func snippets(ctx context.Context, g *Gateway, items []models.NavItem) (kept []models.NavItem, gone int, err error) {
	reader, err := g.folder().Reader()
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = reader.Close() }()
	byFile := map[string][]int{}
	var order []string
	for i, item := range items {
		if byFile[item.FilePath] == nil {
			order = append(order, item.FilePath)
		}
		byFile[item.FilePath] = append(byFile[item.FilePath], i)
	}
	found := make([]*models.Snippet, len(items))
	for _, p := range order {
		at := byFile[p]
		spots := make([]scan.Spot, len(at))
		for k, i := range at {
			spots[k] = scan.Spot{Line: items[i].Line, Column: items[i].Column}
		}
		all, err := scan.Snippets(ctx, reader, p, spots, around)
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		if err != nil {
			continue
		}
		for k, i := range at {
			found[i] = all[k]
		}
	}
	kept = make([]models.NavItem, 0, len(items))
	for i, item := range items {
		if found[i] == nil {
			gone++
			continue
		}
		item.Snippet = *found[i]
		kept = append(kept, item)
	}
	return kept, gone, nil
}

// Finish gives the items their snippets and says which of their files changed
// between the answer and the reply.
func Finish(ctx context.Context, g *Gateway, items []models.NavItem, meta *models.Meta) ([]models.NavItem, error) {
	items, gone, err := snippets(ctx, g, items)
	if err != nil {
		return nil, err
	}
	live := map[string]bool{}
	for _, p := range g.Verdict.Live {
		live[p] = true
	}
	var paths []string
	for i := range items {
		if live[items[i].FilePath] {
			items[i].Source = models.SourceFallback
			continue
		}
		paths = append(paths, items[i].FilePath)
	}
	stale, err := staleOf(ctx, g, paths, meta)
	if err != nil {
		return nil, err
	}
	for i := range items {
		if stale[items[i].FilePath] {
			items[i].Freshness = models.Stale
		}
	}
	if gone > 0 {
		meta.Warnings = append(meta.Warnings,
			models.Warning{
				Code:    "FILES_CHANGED",
				Message: "files changed while the answer was made; ask again for the places in them",
			})
	}
	return items, nil
}

// staleOf are the files of an answer that changed since they were compared with
// the graph, which the head of the reply says.
func staleOf(ctx context.Context, g *Gateway, paths []string, meta *models.Meta) (map[string]bool, error) {
	if !g.Verdict.Graph {
		return nil, nil
	}
	stale, err := g.Stored.Manifest.Verify(ctx, g.Tree, paths)
	if err != nil || len(stale) == 0 {
		return nil, err
	}
	is := map[string]bool{}
	for _, p := range stale {
		is[p] = true
	}
	meta.FreshnessState = models.Stale
	meta.StaleFiles = stale[:min(len(stale), MaxStaleFiles)]
	meta.StaleFileCount = len(stale)
	return is, nil
}
