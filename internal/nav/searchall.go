package nav

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/scan"
	"github.com/ragnav/ragnav/internal/nav/scan/match"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// isFilter reports whether an id is a filter of repositories.
func isFilter(id models.RepoID) bool { return strings.ContainsAny(string(id), "*?[{") }

// A found is what one repository has of a search.
type found struct {
	scan.Result

	id   models.RepoID
	head models.Meta
	live bool
}

// searchIn searches one repository.
func searchIn(ctx context.Context, s *Service, id models.RepoID, m *match.Matcher, q *lineQuery) (found, error) {
	g, err := s.open(ctx, id)
	if err != nil {
		return found{}, err
	}
	defer g.Close()
	f := found{id: g.id, live: !g.verdict.Graph}
	if q.names {
		f.Result, err = searchNames(ctx, g, m, q)
	} else {
		f.Result, err = search(ctx, g, m, scan.Options{
			Snippets: true, Accept: q.accepts(), Keep: func(p string) bool { return q.takes(ctx, p) },
		})
	}
	g.head(&f.head)
	return f, err
}

// searchAll searches the repositories that a filter means, in order of their
// ids. Those that cannot be searched are named.
func searchAll(ctx context.Context, s *Service, req SearchRequest, m *match.Matcher, q *lineQuery) ([]found,
	[]models.Warning, error,
) {
	meant, err := matching(ctx, s.Match, string(req.RepoID))
	if err == nil && q.repo.Value != "" {
		var also []models.RepoID
		if also, err = matching(ctx, s.Match, q.repo.Value); err != nil {
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
func searchEach(ctx context.Context, s *Service, meant []models.RepoID, m *match.Matcher, q *lineQuery) ([]found,
	[]models.Warning, error,
) {
	results, problems := make([]found, len(meant)), make([]error, len(meant))
	group, _ := parallel.NewGroup(ctx)
	group.SetLimit(maxOpen)
	for i, id := range meant {
		group.Go(func() error {
			results[i], problems[i] = searchIn(ctx, s, id, m, q)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, nil, err
	}
	var all []found
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
				models.Warning{Code: "PARTIAL_RESULTS", Message: fmt.Sprintf("%s was not searched: %s", meant[i], words(err))})
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

// matching are the ids of the repositories that a filter means, in order.
func matching(
	ctx context.Context, match func(ctx context.Context, filter string) ([]models.Repository, error), filter string,
) ([]models.RepoID, error) {
	if match == nil {
		return nil, fault.New(fault.InvalidRequest,
			"%q is a filter of repositories, and one folder was opened; name an index with --store, or the folder", filter)
	}
	meant, err := match(ctx, filter)
	if err != nil {
		return nil, err
	}
	var ids []models.RepoID
	for _, r := range meant {
		ids = append(ids, r.RepoID)
	}
	slices.Sort(ids)
	return ids, nil
}

// across makes the head of a reply about several repositories: it is as fresh as
// the least of them.
func across(all []found, warnings []models.Warning, meta *models.Meta) []models.RepoMatches {
	*meta = models.OKResult[models.NavItem](nil).Meta
	meta.FreshnessState = models.Fresh
	live := 0
	repositories := []models.RepoMatches{}
	for _, f := range all {
		if worse(f.head.FreshnessState, meta.FreshnessState) {
			meta.FreshnessState = f.head.FreshnessState
		}
		if f.live {
			live++
		}
		repositories = append(repositories,
			models.RepoMatches{
				RepoID: f.id, Matches: len(f.Matches), AtLeast: f.Truncated, Freshness: f.head.FreshnessState,
				Source: f.head.Source,
			})
		for _, w := range f.head.Warnings {
			if w.Code != "FRESHNESS_UNKNOWN" {
				meta.Warnings = append(meta.Warnings, models.Warning{Code: w.Code, Message: string(f.id) + ": " + w.Message})
			}
		}
	}
	meta.Warnings = append(meta.Warnings, warnings...)
	if live == len(all) {
		meta.Status, meta.Source = models.StatusFallback, models.SourceFallback
	}
	if live > 0 {
		addMessage(meta, fmt.Sprintf("a live scan of %d of %d repositories; `ragnav nav build-graph` makes answers faster",
			live, len(all)))
	}
	return repositories
}

// worse orders freshness: FRESH, STALE, UNKNOWN.
func worse(a, b models.Freshness) bool {
	order := []models.Freshness{models.Fresh, models.Stale, models.Unknown}
	return slices.Index(order, a) > slices.Index(order, b)
}
