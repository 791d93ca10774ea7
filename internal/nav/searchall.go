package nav

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/scan"
	"github.com/ragnav/ragnav/internal/nav/scan/match"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// searchIn searches one repository.
func searchIn(
	ctx context.Context, s *gateway.Opener, id models.RepoID, m *match.Matcher, q *lineQuery,
) (gateway.Found, error) {
	g, err := s.Open(ctx, id)
	if err != nil {
		return gateway.Found{}, err
	}
	defer g.Close()
	f := gateway.Found{ID: g.ID, Live: !g.Verdict.Graph}
	if q.names {
		f.Result, err = searchNames(ctx, g, m, q)
	} else {
		f.Result, err = gateway.SearchText(ctx, g, m, scan.Options{
			Snippets: true, Accept: q.accepts(), Keep: func(p string) bool { return q.takes(ctx, p) },
		})
	}
	if err == nil {
		f.Skipped.Sparse, err = sparse(ctx, g)
	}
	g.Head(&f.Head)
	return f, err
}

// sparse is 1 where git keeps files of the repository out of its folder.
func sparse(ctx context.Context, g *gateway.Gateway) (int, error) {
	is, err := listing.Sparse(ctx, g.Tree)
	if is {
		return 1, err
	}
	return 0, err
}

// searchAll searches the repositories that a filter means, in order of their
// ids. Those that cannot be searched are named.
func searchAll(
	ctx context.Context, s *gateway.Opener, req SearchRequest, m *match.Matcher, q *lineQuery,
) ([]gateway.Found, []models.Warning, error) {
	meant, err := gateway.Matching(ctx, s.Match, string(req.RepoID))
	if err == nil && q.repo.Value != "" {
		var also []models.RepoID
		if also, err = gateway.Matching(ctx, s.Match, q.repo.Value); err != nil {
			return nil, nil, q.repo.Within(err)
		}
		meant = slices.DeleteFunc(meant, func(id models.RepoID) bool { return !slices.Contains(also, id) })
	}
	if err != nil {
		return nil, nil, err
	}
	if len(meant) == 0 {
		return nil, nil, fault.New(fault.RepoNotFound, "no repository is meant by both %s and repo:%s", req.RepoID,
			q.repo.Value)
	}
	return searchEach(ctx, s, meant, m, q)
}

// searchEach searches repositories, some at once.
func searchEach(
	ctx context.Context, s *gateway.Opener, meant []models.RepoID, m *match.Matcher, q *lineQuery,
) ([]gateway.Found, []models.Warning, error) {
	results, problems := make([]gateway.Found, len(meant)), make([]error, len(meant))
	group, _ := parallel.NewGroup(ctx)
	group.SetLimit(gateway.MaxOpen)
	for i, id := range meant {
		group.Go(func() error {
			results[i], problems[i] = searchIn(ctx, s, id, m, q)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, nil, err
	}
	var all []gateway.Found
	var warnings []models.Warning
	late := 0
	var first error
	for i, err := range problems {
		switch {
		case err == nil:
			all = append(all, results[i])
			continue
		case ctx.Err() != nil:
			late++
		default:
			warnings = append(warnings,
				models.Warning{
					Code:    "PARTIAL_RESULTS",
					Message: fmt.Sprintf("%s was not searched: %s", meant[i], gateway.Words(err)),
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
