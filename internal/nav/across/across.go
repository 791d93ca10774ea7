package across

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/scan"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// IsFilter reports whether an id is a filter of repositories.
func IsFilter(id models.RepoID) bool { return strings.ContainsAny(string(id), "*?[{") }

// A Found is what one repository has of a search.
type Found struct {
	scan.Result

	ID   models.RepoID
	Head models.Meta
	Live bool
	All  []string // the files that were searched, by their trigrams or as they are; nil: Files tells how many
}

// Matching are the ids of the repositories that a filter means, in order.
func Matching(
	ctx context.Context, match func(ctx context.Context, filter string) ([]models.Repository, error), filter string,
) ([]models.RepoID, error) {
	meant, err := MeantBy(ctx, match, filter)
	var ids []models.RepoID
	for _, r := range meant {
		ids = append(ids, r.RepoID)
	}
	return ids, err
}

// MeantBy are the repositories that a filter means, in order of their ids.
func MeantBy(
	ctx context.Context, match func(ctx context.Context, filter string) ([]models.Repository, error), filter string,
) ([]models.Repository, error) {
	if match == nil {
		return nil, fault.New(fault.InvalidRequest,
			"%q is a filter of repositories, and one folder was opened; name an index with --store, or the folder", filter)
	}
	meant, err := match(ctx, filter)
	if err != nil {
		return nil, err
	}
	return slices.SortedFunc(slices.Values(meant), func(a, b models.Repository) int {
		return strings.Compare(string(a.RepoID), string(b.RepoID))
	}), nil
}

// Head makes the head of a reply about several repositories: it is as fresh as
// the least of them.
func Head(all []Found, warnings []models.Warning, meta *models.Meta) []models.RepoMatches {
	*meta = models.OKResult[models.NavItem](nil).Meta
	meta.FreshnessState = models.Fresh
	live := 0
	repositories := []models.RepoMatches{}
	for _, f := range all {
		meta.FreshnessState = models.LeastFresh(meta.FreshnessState, f.Head.FreshnessState)
		if f.Live {
			live++
		}
		repositories = append(repositories,
			models.RepoMatches{
				RepoID: f.ID, Matches: f.Lines(), AtLeast: f.Uncounted || f.Left > 0, Freshness: f.Head.FreshnessState,
				Source: f.Head.Source,
			})
		for _, w := range f.Head.Warnings {
			if w.Code != "FRESHNESS_UNKNOWN" {
				meta.Warnings = append(meta.Warnings, models.Warning{Code: w.Code, Message: string(f.ID) + ": " + w.Message})
			}
		}
	}
	meta.Warnings = append(meta.Warnings, warnings...)
	if live == len(all) {
		meta.Status, meta.Source = models.StatusFallback, models.SourceFallback
	}
	if live > 0 {
		gateway.AddMessage(meta, fmt.Sprintf(
			"a live scan of %d of %d repositories; `ragnav nav build-graph` makes answers faster", live, len(all)))
	}
	return repositories
}
