package nav

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/across"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/scan"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A searched is a repository that is searched.
type searched struct {
	across.Found

	source scan.Source // nil Files: it was searched when it was opened
	state  gateway.State
	stated bool
}

// sourceOf finds the files of a repository that may have lines, and closes it. Names are
// found at once, and lines if there is no graph and it is the only one: then files are
// searched while they are listed.
func sourceOf(ctx context.Context, g *gateway.Gateway, q *lineQuery, only bool) (f searched, err error) {
	defer g.Close()
	switch {
	case q.names:
		f.Found, err = searchNames(ctx, g, q)
	case only && !g.Verdict.Graph:
		f.Result, err = gateway.SearchText(ctx, g, q.matcher, q.options(ctx))
	default:
		var files gateway.TextFiles
		files, err = gateway.TextFilesOf(ctx, g, q.matcher)
		f.All, f.source = files.All, files.Source
	}
	sparse := false
	if err == nil {
		sparse, err = g.Sparse(ctx)
	}
	if sparse {
		f.Skipped.Sparse = 1
	}
	f.ID, f.Live = g.ID, !g.Verdict.Graph
	f.state, f.stated = gateway.StateOf(g)
	g.Head(&f.Head)
	return f, err
}

// options are those of a search for lines.
func (q *lineQuery) options(ctx context.Context) scan.Options {
	o := scan.Options{Snippets: true, Counted: countedFiles, Accept: q.accepts()}
	if !q.everyFile() {
		o.Keep = func(p string) bool { return q.takes(ctx, p) }
	}
	return o
}

// searchAll searches the repositories that a filter means, in order of their
// ids. Those that cannot be searched are named.
func searchAll(
	ctx context.Context, s *gateway.Opener, req SearchRequest, q *lineQuery,
) ([]across.Found, []models.Warning, error) {
	meant, err := across.MeantBy(ctx, s.Match, string(req.RepoID))
	if err == nil && q.repo.Value != "" {
		var also []models.RepoID
		if also, err = across.Matching(ctx, s.Match, q.repo.Value); err != nil {
			return nil, nil, q.repo.Within(err)
		}
		meant = slices.DeleteFunc(meant, func(r models.Repository) bool { return !slices.Contains(also, r.RepoID) })
	}
	if err != nil {
		return nil, nil, err
	}
	if len(meant) == 0 {
		return nil, nil, fault.New(fault.RepoNotFound, "no repository is meant by both %s and repo:%s", req.RepoID,
			q.repo.Value)
	}
	found, problems, err := searchEach(ctx, s, meant, q)
	if err != nil {
		return nil, nil, err
	}
	return sound(ctx, meant, found, problems)
}

// searchEach searches repositories, as if their files were those of one.
func searchEach(
	ctx context.Context, s *gateway.Opener, meant []models.Repository, q *lineQuery,
) ([]across.Found, []error, error) {
	opened, problems := make([]searched, len(meant)), make([]error, len(meant))
	group, _ := parallel.NewGroup(ctx)
	group.SetLimit(across.MaxOpen)
	glance := gateway.NewGlance(s)
	for i, known := range meant {
		g := glance.Unchanged(ctx, known)
		group.Go(func() (err error) {
			if g == nil {
				g, err = s.OpenAnew(ctx, known)
			}
			if err == nil {
				opened[i], err = sourceOf(ctx, g, q, len(meant) == 1)
			}
			problems[i] = err
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, nil, err
	}
	var sources []scan.Source
	var of []int // which repository a source is of
	var states []gateway.State
	for i := range opened {
		if f := &opened[i]; problems[i] == nil && f.source.Files != nil {
			sources, of = append(sources, f.source), append(of, i)
			if f.stated {
				states = append(states, f.state)
			}
		}
	}
	o, known := gateway.SearchOptions(ctx, s, q.options(ctx)), scan.Known{}
	same := len(sources) > 0 && len(states) == len(sources)
	if same {
		known = q.pages.recall(q.list, states)
		o.From, o.Known, q.first = q.offset, &known, q.offset
	}
	results, err := scan.SearchAll(ctx, sources, q.matcher, o)
	if err != nil {
		return nil, nil, err
	}
	if same && slices.ContainsFunc(results, func(r scan.Result) bool { return r.Truncated }) {
		q.pages.remember(q.list, states, known)
	}
	for i, r := range results {
		f := &opened[of[i]]
		r.Skipped.Add(f.Skipped)
		f.Result, problems[of[i]] = r, r.Err
	}
	found := make([]across.Found, len(opened))
	for i := range opened {
		found[i] = opened[i].Found
	}
	return found, problems, nil
}

// sound are the repositories that were searched, and what is to be said of the others.
func sound(
	ctx context.Context, meant []models.Repository, found []across.Found, problems []error,
) ([]across.Found, []models.Warning, error) {
	var all []across.Found
	var warnings []models.Warning
	late := 0
	var first error
	for i, err := range problems {
		switch {
		case err == nil:
			all = append(all, found[i])
			continue
		case ctx.Err() != nil:
			late++
		default:
			warnings = append(warnings,
				models.Warning{
					Code:    "PARTIAL_RESULTS",
					Message: fmt.Sprintf("%s was not searched: %s", meant[i].RepoID, gateway.Words(err)),
				})
		}
		first = cmp.Or(first, err)
	}
	switch {
	case len(all) == 0 && (late > 0 || len(meant) == 1):
		return nil, nil, first
	case len(all) == 0:
		return nil, nil, fault.New(fault.IndexNotReady, "none of %d repositories could be searched; %s", len(meant),
			warnings[0].Message)
	case late > 0:
		warnings = append(warnings,
			models.Warning{
				Code:    "PARTIAL_RESULTS",
				Message: fmt.Sprintf("time was short: %d of %d repositories were not searched", late, len(meant)),
			})
	}
	return all, warnings, nil
}
