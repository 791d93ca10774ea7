package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/compose"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
)

// A run brings the index of one repository up to date. It is used by one
// goroutine, except for what indexer says.
type run struct {
	*Service

	job     *jobs.Handle
	tree    *disk.Folder
	repo    models.Repository // the record as it will be
	origin  compose.Origin
	fresh   bool // there was a usable index before
	first   bool // the store had no files of the repository
	full    bool // nothing of the last run is taken over
	replace bool // the embedder changed: the old documents go first
	renewed bool // the documents of the last run were made by other rules
	keyer   embed.Keyer

	files   map[string]*models.FileRecord  // what the store has
	folders records.Folders                // as stored
	rebuild bool                           // all summaries are made again
	moved   map[string][]models.DocumentID // of files that are gone, by the hash of their content
	touched []string                       // files whose documents changed
	altered bool                           // some record of a file changed
	draft   *draft                         // nil: changes are committed as they come
	covered *jobs.Covered                  // once counted

	following bool                   // the documents are there, and vectors follow
	anyway    bool                   // files are composed again although no vector of theirs is missing
	told      bool                   // a model has said something of the repository before
	telling   *telling               // nil unless a model is asked for summaries
	later     atomic.Bool            // vectors that are missing stay so for now
	waiting   atomic.Pointer[string] // why, for people

	scope     scope // what the run looks at
	memorable bool  // the next run may start from what this one knows
}

// run does a job from start to end. Whatever the outcome, the repository's
// record says how it stands.
func (s *Service) run(ctx context.Context, j *jobs.Handle) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	j.Enter(jobs.Listing)
	r := &run{Service: s, job: j}
	err := parallel.Call(func() error { // so that a panic, too, leaves the record of a failed run
		if err := r.prepare(ctx); err != nil {
			return err
		}
		return r.index(ctx)
	})
	if r.tree != nil {
		err = cmp.Or(err, r.tree.Close())
	}
	if err != nil {
		return r.conclude(ctx, err)
	}
	r.memorise()
	return nil
}

// prepare brings the repository here and says in the store that its run begins.
func (r *run) prepare(ctx context.Context) error {
	if err := r.obtain(ctx); err != nil {
		return err
	}
	if err := r.survey(ctx); err != nil {
		return err
	}
	return r.begin(ctx)
}

// survey opens the repository and reads what the last run left. It writes nothing.
func (r *run) survey(ctx context.Context) error {
	sp := r.job.Spec
	r.repo = models.Repository{
		RepoID: sp.ID, Root: sp.Root, URL: sp.URL, State: models.StateNever,
		SchemaVersion: models.SchemaVersion,
	}
	if _, err := r.store.Record(ctx, models.CollectionRepos, string(sp.ID), &r.repo); err != nil {
		return fmt.Errorf("read repository %s: %w", sp.ID, err)
	}
	r.fresh, r.told = r.repo.State == models.StateFresh, r.repo.Summaries > 0
	if r.fresh {
		r.job.Update(func(j *jobs.Job) { j.Documents = r.repo.DocCount })
	}
	if !r.fresh { // what a usable index says holds until the run ends
		r.repo.Stored = r.config.StoreContent
	}
	if r.board != nil || r.repo.Root == "" {
		r.repo.Root, r.repo.URL = sp.Root, cmp.Or(r.repo.URL, sp.URL) // another server has its clone elsewhere
	}
	err := records.CheckEmbedder(ctx, r.store, r.embed.Manifest())
	if err != nil && fault.CodeOf(err) != fault.IndexNotReady {
		return err
	}
	r.replace = err != nil
	r.full = sp.Full || r.replace || r.repo.SchemaVersion != models.SchemaVersion
	if err := r.recall(ctx); err != nil {
		return err
	}
	r.first = len(r.files) == 0
	if err := r.takeDraft(ctx); err != nil {
		return err
	}
	r.keyer = embed.NewKeyer(r.embed.Manifest())
	otherRules := r.fresh && !r.full && r.repo.Revision != r.config.revision()
	// else its first run was cut off, and some files have no documents yet
	r.renewed = otherRules && !r.repo.LastIndexedAt.IsZero()
	r.rebuild = r.full || r.folders.Dirty || otherRules
	r.job.Update(func(j *jobs.Job) { j.Renewed = r.renewed })
	tree, err := disk.Open(ctx, sp.Root)
	if err != nil {
		return r.rootGone(err)
	}
	r.tree = tree
	head, err := tree.Head(ctx)
	if err != nil {
		return fmt.Errorf("read HEAD of %s: %w", sp.Root, err)
	}
	r.origin = compose.Origin{Repo: sp.ID, Commit: head, Now: r.config.Now().UTC().Truncate(time.Second)}
	return nil
}

// loadRecords reads what the store knows of the files, all of it or nothing.
func (r *run) loadRecords(ctx context.Context) error {
	id := r.job.Spec.ID
	files := map[string]*models.FileRecord{}
	if err := records.Files(ctx, r.store, id, func(key string, rec models.FileRecord) {
		files[key] = &rec
	}); err != nil {
		return fmt.Errorf("read the file records of %s: %w", id, err)
	}
	if _, err := r.store.Record(ctx, models.CollectionMeta, models.FoldersKey(id), &r.folders); err != nil {
		return fmt.Errorf("read the folders of %s: %w", id, err)
	}
	r.files = files
	return nil
}

func (r *run) rootGone(err error) error {
	id, root := r.job.Spec.ID, r.job.Spec.Root
	if fault.CodeOf(err) != fault.PathNotFound {
		return err
	}
	return fault.Wrap(fault.PathNotFound, err,
		"the folder %s of repository %s is gone; put it back and index again, or forget it with `ragnav remove %s`", root, id,
		id)
}

// begin says in the store that a first run is under way, and which embedder
// makes the vectors. Replacing the embedder removes all that the old one made.
func (r *run) begin(ctx context.Context) error {
	if r.board != nil {
		return r.beginShared(ctx)
	}
	var b models.Batch
	if r.replace {
		b.DeleteRepos = []models.RepoID{r.repo.RepoID}
		b.DeleteRecords = append(records.FileCollections(r.repo.RepoID), records.FoldersID(r.repo.RepoID))
		r.files, r.folders, r.fresh = map[string]*models.FileRecord{}, records.Folders{}, false
	}
	if !r.fresh {
		r.repo.State, r.repo.LastError = models.StateIndexing, ""
		b.PutRecords = []models.Record{records.RepositoryRecord(r.repo), r.embedderRecord()}
	}
	if len(b.PutRecords) == 0 {
		return nil
	}
	return r.apply(ctx, b)
}

func (r *run) embedderRecord() models.Record {
	return models.Record{Collection: models.CollectionMeta, Key: records.EmbedderKey, Value: r.embed.Manifest()}
}

// index lists the files, brings changed ones up to date and makes the
// summaries again.
func (r *run) index(ctx context.Context) error {
	found, err := r.list(ctx)
	if err != nil {
		return fmt.Errorf("list the files of %s: %w", r.repo.Root, err)
	}
	p := r.plan(found)
	r.job.Update(func(j *jobs.Job) { j.Total = len(found.Files) + len(found.Skipped) })
	r.job.Enter(jobs.Parsing)
	r.later.Store(r.embed.Manifest().Remote())
	if err := r.carryOut(ctx, p); err != nil {
		return err
	}
	r.job.Enter(jobs.Embedding)
	if r.scope != nil && !r.altered {
		r.job.Update(func(j *jobs.Job) {
			j.Documents, j.Skipped, j.MaskCount = r.repo.DocCount, r.repo.SkippedCount, r.repo.MaskCount
		})
		if err := r.follow(ctx); err != nil {
			return err
		}
		return r.summariseByModel(ctx)
	}
	if err := r.summarise(ctx); err != nil {
		return err
	}
	if err := r.follow(ctx); err != nil {
		return err
	}
	if err := r.summariseByModel(ctx); err != nil {
		return err
	}
	return r.compact(ctx)
}

// documents counts the repository's documents in the store.
func (r *run) documents() int {
	n := len(r.folders.Dirs)
	if n > 0 {
		n++ // the repo_summary
	}
	for _, rec := range r.files {
		if !records.IsIntent(*rec) {
			n += len(rec.Documents)
		}
	}
	return n
}

// counts brings the counts of the repository's record up to date.
func (r *run) counts(all compose.Tree) {
	r.repo.DocCount, r.repo.FileCount, r.repo.SkippedCount = r.documents(), 0, 0
	r.repo.MaskCount, r.repo.Pending, r.repo.PendingReason = models.MaskCount{}, r.pending(), ""
	if r.repo.Pending > 0 {
		r.repo.PendingReason = r.waits()
	}
	skipped := map[models.SkipReason]int{}
	for _, rec := range r.files {
		r.repo.Count(*rec)
		switch {
		case rec.Skipped != "":
			r.repo.SkippedCount++
			skipped[rec.Skipped]++
		case !records.IsIntent(*rec):
			r.repo.FileCount++
		}
	}
	r.covered = &jobs.Covered{
		MaskCount: r.repo.MaskCount, Indexed: len(r.files) - r.repo.SkippedCount, Skipped: skipped,
	}
	r.repo.Languages = []string{}
	if root, ok := all[compose.RootDir]; ok {
		names := compose.Languages(root.Below)
		r.repo.Languages = slices.Clone(names[:min(len(names), compose.MaxLanguages)])
	}
}
