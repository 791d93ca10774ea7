package run

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/ragnav/ragnav/internal/index/compose"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A state is what a run knows of the repository and what it has changed so far. It
// is used by one goroutine, except for what looker says.
type state struct {
	repo    models.Repository // the record as it will be
	fresh   bool              // there was a usable index before
	first   bool              // the store had no files of the repository
	full    bool              // nothing of the last run is taken over
	rebuild bool              // all summaries are made again

	files     map[string]*models.FileRecord // what the store has
	folders   records.Folders               // as stored
	touched   []string                      // files whose documents changed
	altered   bool                          // some record of a file changed
	draft     *draft                        // nil: changes are committed as they come
	following bool                          // the documents are there, and vectors follow
	covered   *jobs.Covered                 // once counted
}

// documents counts the repository's documents in the store.
func (s *state) documents() int {
	n := len(s.folders.Dirs)
	if n > 0 {
		n++ // the repo_summary
	}
	for _, rec := range s.files {
		if !records.IsIntent(*rec) {
			n += len(rec.Documents)
		}
	}
	return n
}

// counts brings the counts of the repository's record up to date; waits is why
// vectors are missing.
func (s *state) counts(all compose.Tree, waits string) {
	s.repo.DocCount, s.repo.FileCount, s.repo.SkippedCount = s.documents(), 0, 0
	s.repo.MaskCount, s.repo.Pending, s.repo.PendingReason = models.MaskCount{}, s.pending(), ""
	if s.repo.Pending > 0 {
		s.repo.PendingReason = waits
	}
	s.repo.Beyond, s.repo.BeyondFiles, s.repo.BeyondIn = 0, 0, map[string]int{}
	skipped := map[models.SkipReason]int{}
	for path, rec := range s.files {
		s.repo.Count(*rec)
		if rec.Beyond > 0 {
			s.repo.Beyond += rec.Beyond
			s.repo.BeyondFiles++
			s.repo.BeyondIn[path] = rec.Beyond
		}
		switch {
		case rec.Skipped != "":
			s.repo.SkippedCount++
			skipped[rec.Skipped]++
		case !records.IsIntent(*rec):
			s.repo.FileCount++
		}
	}
	if len(s.repo.BeyondIn) > models.MaxBeyondIn {
		s.repo.BeyondIn = nil
	}
	s.covered = &jobs.Covered{
		MaskCount: s.repo.MaskCount, Indexed: len(s.files) - s.repo.SkippedCount, Skipped: skipped,
	}
	s.repo.Languages = []string{}
	if root, ok := all[compose.RootDir]; ok {
		names := compose.Languages(root.Below)
		s.repo.Languages = slices.Clone(names[:min(len(names), compose.MaxLanguages)])
	}
}

// pending counts the documents whose vectors are missing.
func (s *state) pending() int {
	n := s.folders.Pending
	for _, rec := range s.files {
		n += rec.Pending
	}
	return n
}

// byPath are the records of all files, in order.
func (s *state) byPath() []*models.FileRecord {
	all := make([]*models.FileRecord, 0, len(s.files))
	for _, file := range slices.Sorted(maps.Keys(s.files)) {
		all = append(all, s.files[file])
	}
	return all
}

// recorded are the ids of all documents that records speak of. They are sure
// when the last run came to its end: intents and dirty folders speak of
// documents that may be there.
func (s *state) recorded() (ids []models.DocumentID, sure bool) {
	sure = !s.folders.Dirty
	for _, rec := range s.files {
		ids = append(ids, rec.Documents...)
		sure = sure && !records.IsIntent(*rec)
	}
	for _, dir := range s.folders.Dirs {
		ids = append(ids, models.ModuleID(s.repo.RepoID, dir))
	}
	if len(s.folders.Dirs) > 0 {
		ids = append(ids, models.RepoDocID(s.repo.RepoID))
	}
	return ids, sure
}

// readAgain has the run make documents of files again, by reading the files.
// Summaries are all made again anyway.
func (s *state) readAgain(missing []models.DocumentID) {
	lost := make(map[models.DocumentID]bool, len(missing))
	for _, id := range missing {
		lost[id] = true
	}
	for file, rec := range s.files {
		for _, id := range rec.Documents {
			if lost[id] {
				again := *rec
				again.Hash, again.Racy = "", true // as of an intent: no file is like that
				s.files[file] = &again
				break
			}
		}
	}
}

// load reads what the store knows of the files, all of it or nothing.
func (s *state) load(ctx context.Context, st records.Reader, id models.RepoID) error {
	files := map[string]*models.FileRecord{}
	if err := records.Files(ctx, st, id, func(key string, rec models.FileRecord) {
		files[key] = &rec
	}); err != nil {
		return fmt.Errorf("read the file records of %s: %w", id, err)
	}
	if _, err := st.Record(ctx, models.CollectionMeta, models.FoldersKey(id), &s.folders); err != nil {
		return fmt.Errorf("read the folders of %s: %w", id, err)
	}
	s.files = files
	return nil
}
