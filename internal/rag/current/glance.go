package current

import (
	"cmp"
	"context"
	"slices"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
)

// folderFiles is how many looks at files the two processes of git that each folder
// takes are worth.
const folderFiles = 1000

// within are the repositories whose folders are looked at where that is to be no
// more than about so many files, the small ones first, and the others.
func within(most int, repos []models.Repository) (looked, others []models.Repository) {
	bySize := slices.Clone(repos)
	slices.SortStableFunc(bySize, func(a, b models.Repository) int {
		return cmp.Or(cmp.Compare(a.FileCount, b.FileCount), cmp.Compare(a.RepoID, b.RepoID))
	})
	for i, r := range bySize {
		if most -= r.FileCount + folderFiles; most < 0 {
			return bySize[:i], bySize[i:]
		}
	}
	return bySize, nil
}

// unlooked says why nothing is known of a repository.
const unlooked = "so many files were not looked at for one search: what is shown was compared with its files, what " +
	"is new in others was not searched; with repo_filter for this repository it is looked at, and by an `api-server`"

// glance is Look that looks at the folders of no more than Glance files, or at that of
// the one repository which is asked for.
func glance(ctx context.Context, s *Service, repos []models.Repository) (Standings, error) {
	looked, others := repos, []models.Repository(nil)
	if s.Glance > 0 && len(repos) > 1 {
		looked, others = within(s.Glance, repos)
	}
	all, err := s.Look(ctx, looked)
	for _, r := range others {
		all = append(all, Standing{Repo: r, Freshness: models.Unknown, Reason: unlooked, unlooked: true})
	}
	if len(others) > 0 {
		slices.SortFunc(all, func(a, b Standing) int { return cmp.Compare(a.Repo.RepoID, b.Repo.RepoID) })
	}
	return all, err
}

// verify compares files of a folder that was not looked at with what was indexed of them.
func verify(ctx context.Context, s *Service, st *Standing, paths []string) error {
	records := make([]fresh.Record, 0, len(paths))
	err := s.reading(ctx, st.Repo, func(ctx context.Context) error {
		for _, p := range paths {
			var rec models.FileRecord
			found, err := s.Store.Record(ctx, models.FilesCollection(st.Repo.RepoID), p, &rec)
			if err != nil {
				return err
			}
			if kept, ok := recordOf(rec); found && ok {
				records = append(records, kept)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	files, err := s.Open(ctx, st.Repo)
	if err != nil {
		st.Reason, st.Gone = words(err), fault.CodeOf(err) == fault.PathNotFound
		st.Absent = st.Gone
		return nil
	}
	defer func() { _ = files.Close() }()
	tree, ok := files.(repo.Tree)
	if !ok {
		st.Reason, st.Absent = words(errNotHere), true
		return nil
	}
	stale, err := fresh.Recorded(st.Repo.LastIndexedAt, s.Limits, records).Verify(ctx, tree.Folder, paths)
	if err != nil {
		return err
	}
	for _, p := range stale {
		if _, err := tree.Stat(ctx, p); fault.CodeOf(err) == fault.PathNotFound {
			st.delta.Deleted = append(st.delta.Deleted, p)
		} else {
			st.delta.Changed = append(st.delta.Changed, p)
		}
	}
	if n := len(stale); n > 0 {
		st.Freshness = models.Stale
		st.Reason = models.Counted(n, "file") + " of those that are shown changed since it was indexed"
	}
	return nil
}
