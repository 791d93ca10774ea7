package current

import (
	"context"
	"slices"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// warmed is about how many files the folders have that Warm looks at.
const warmed = 25_000

// warmLooks is how often it looks at a folder: the second look finds out by which a
// watcher can vouch for it.
const warmLooks = 2

// Warm looks at the folders of repositories, one after the other, the small ones first, as
// far as they have few files together, so that the first search finds it done. It returns
// those, and ends early with ctx.
func Warm(ctx context.Context, s *Service, repos []models.Repository) (looked []models.Repository) {
	if !s.running() {
		return nil
	}
	defer s.runs.Done()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	repos = slices.DeleteFunc(slices.Clone(repos), func(r models.Repository) bool { return r.State != models.StateFresh })
	looked, _ = within(warmed, repos)
	for _, r := range looked {
		f, ok := s.folder(r.RepoID)
		if !ok || !f.enter() {
			continue
		}
		for n := 0; n < warmLooks && ctx.Err() == nil; n++ {
			s.standing(ctx, f, r)
		}
		f.leave()
	}
	return looked
}
