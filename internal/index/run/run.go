package run

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/ragnav/ragnav/internal/index/tell"
	"github.com/ragnav/ragnav/internal/index/vectors"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/compose"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
	"github.com/ragnav/ragnav/internal/repo/remote"
)

// A run brings the index of one repository up to date, phase by phase: an opening,
// a listing, a plan, which looker and committer carry out, and the summariser's
// end. It is used by one goroutine.
type run struct {
	*Site
	*state

	vectors    *vectors.Vectors
	teller     *tell.Teller
	looker     *looker
	summariser *summariser
	reposDir   string  // where clones are
	memory     *Memory // of runs before, for this one

	replace   bool  // the embedder changed: the old documents go first
	renewed   bool  // the documents of the last run were made by other rules
	scope     scope // what the run looks at
	memorable bool  // the next run may start from what this one knows
}

// newRun is a run that has not begun.
func newRun(on *Site, m *Memory, reposDir string) *run {
	s := &state{}
	if on.Config.Batch == 0 {
		on.Config.Batch = batchDocuments
	}
	r := &run{
		Site: on, state: s, memory: m, reposDir: reposDir,
		vectors: vectors.New(on.Store, on.Embed, on.Job),
		teller:  &tell.Teller{Source: tell.Source{Store: on.Store, Job: on.Job, Apply: on.apply, Symbols: on.symbols}},
	}
	r.looker = &looker{Site: on, state: s, vectors: r.vectors, teller: r.teller}
	r.summariser = &summariser{Site: on, state: s, vectors: r.vectors, teller: r.teller}
	return r
}

// Do does a job from start to end. Whatever the outcome, the repository's
// record says how it stands.
func Do(ctx context.Context, on *Site, m *Memory, reposDir string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	on.Job.Enter(jobs.Listing)
	r := newRun(on, m, reposDir)
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
	if r.memorable {
		r.memory.keep(on.Job.Spec.ID, memo{r.files, r.folders})
	}
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
	o := opening{Site: r.Site, state: r.state, replace: r.replace}
	return o.begin(ctx)
}

// survey opens the repository and reads what the last run left. It writes nothing.
func (r *run) survey(ctx context.Context) error {
	sp := r.Job.Spec
	r.repo = models.Repository{
		RepoID: sp.ID, Root: sp.Root, URL: sp.URL, State: models.StateNever,
		SchemaVersion: models.SchemaVersion,
	}
	if _, err := r.Store.Record(ctx, models.CollectionRepos, string(sp.ID), &r.repo); err != nil {
		return fmt.Errorf("read repository %s: %w", sp.ID, err)
	}
	r.fresh, r.teller.Told = r.repo.State == models.StateFresh, r.repo.Summaries > 0
	if r.fresh {
		r.Job.Update(func(j *jobs.Job) { j.Documents = r.repo.DocCount })
	}
	if !r.fresh { // what a usable index says holds until the run ends
		r.repo.Stored = r.Config.StoreContent
	}
	if r.Board != nil || r.repo.Root == "" {
		r.repo.Root, r.repo.URL = sp.Root, cmp.Or(r.repo.URL, sp.URL) // another server has its clone elsewhere
	}
	err := records.CheckEmbedder(ctx, r.Store, r.Embed.Manifest())
	if err != nil && fault.CodeOf(err) != fault.IndexNotReady {
		return err
	}
	r.replace = err != nil
	r.full = sp.Full || r.replace || r.repo.SchemaVersion != models.SchemaVersion
	if err := r.recall(ctx); err != nil {
		return err
	}
	r.first = len(r.files) == 0
	if !r.replace {
		if err := takeDraft(ctx, r.Site, r.state); err != nil {
			return err
		}
	}
	otherRules := r.fresh && !r.full && r.repo.Revision != r.Config.Revision()
	// else its first run was cut off, and some files have no documents yet
	r.renewed = otherRules && !r.repo.LastIndexedAt.IsZero()
	r.rebuild = r.full || r.folders.Dirty || otherRules
	r.Job.Update(func(j *jobs.Job) { j.Renewed = r.renewed })
	tree, err := disk.OpenRegistered(ctx, sp.Root)
	if err != nil {
		return r.rootGone(err)
	}
	r.tree = tree
	head, err := tree.Head(ctx)
	if err != nil {
		return fmt.Errorf("read HEAD of %s: %w", sp.Root, err)
	}
	r.origin = compose.Origin{Repo: sp.ID, Commit: head, Now: r.Config.Now().UTC().Truncate(time.Second)}
	return nil
}

func (r *run) rootGone(err error) error {
	id := r.Job.Spec.ID
	if fault.CodeOf(err) != fault.PathNotFound {
		return err
	}
	return fault.Wrap(fault.PathNotFound, err,
		"the folder of repository %s is gone: %s; put it back and index again, index it where it is now with "+
			"`ragnav index --repo-id %[1]s PATH`, or forget it with `ragnav remove %[1]s`", id, fault.MessageOf(err))
}

// index lists the files, brings changed ones up to date and makes the
// summaries again.
func (r *run) index(ctx context.Context) error {
	found, err := r.list(ctx)
	if err != nil {
		return fmt.Errorf("list the files of %s: %w", r.repo.Root, err)
	}
	p := r.looker.plan(found, r.scope)
	r.Job.Update(func(j *jobs.Job) { j.Total = len(found.Files) + len(found.Skipped) })
	r.Job.Enter(jobs.Parsing)
	r.vectors.Postpone()
	if err := r.carryOut(ctx, p); err != nil {
		return err
	}
	r.Job.Enter(jobs.Embedding)
	if r.scope != nil && !r.altered {
		r.Job.Update(func(j *jobs.Job) {
			j.Documents, j.Skipped, j.MaskCount = r.repo.DocCount, r.repo.SkippedCount, r.repo.MaskCount
		})
		if err := r.follow(ctx); err != nil {
			return err
		}
		return r.summariseByModel(ctx)
	}
	if err := r.summariser.summarise(ctx); err != nil {
		return err
	}
	if err := r.follow(ctx); err != nil {
		return err
	}
	if err := r.summariseByModel(ctx); err != nil {
		return err
	}
	return compact(ctx, r.Site, r.state)
}

// list finds the files that the run has to compare with their records.
func (r *run) list(ctx context.Context) (listing.Listing, error) {
	if inPart(r.Site, r.state) {
		found, ok, err := listing.Paths(ctx, r.tree, r.Job.Spec.Paths, r.Config.Limits())
		if err != nil || ok {
			r.scope = scopeOf(r.Job.Spec.Paths)
			return found, err
		}
	}
	return listing.List(ctx, r.tree, r.Config.Limits())
}

// recall is loadRecords from memory, where there is a memo.
func (r *run) recall(ctx context.Context) error {
	m, ok := r.memory.Take(r.Job.Spec.ID)
	ok = ok && r.fresh // else what that run left is lost
	r.memorable = r.Board == nil && (ok || r.Job.Spec.Update)
	if !ok {
		return r.load(ctx, r.Store, r.Job.Spec.ID)
	}
	r.files, r.folders = m.files, m.folders
	return nil
}

// obtain clones the target, or updates its clone, where it is a URL.
func (r *run) obtain(ctx context.Context) error {
	sp := r.Job.Spec
	if sp.URL == "" {
		return nil
	}
	root, err := remote.Clone(ctx, sp.Target, r.reposDir, sp.Root)
	if err != nil && sp.Secret && ctx.Err() == nil {
		return fault.Wrap(fault.CodeOf(err), err,
			"%s (its credentials were known to the server that began; start the job again with them)", jobs.Reason(err))
	}
	if err != nil {
		return err
	}
	// Before the first clone the folder for clones may not have been there to be resolved.
	r.Job.Spec.Root, err = filepath.EvalSymlinks(root)
	return err
}

// carryOut brings the files of a plan up to date: workers look into files,
// this goroutine commits what they found. Channels are short, so that memory
// holds a few files and one batch.
func (r *run) carryOut(ctx context.Context, p plan) error {
	if !r.following {
		r.Job.Pass(len(p.same))
	}
	c := committer{Site: r.Site, state: r.state, since: time.Now()}
	early, late := p.gone, []string(nil)
	if r.Board != nil { // such a store has no embeddings of what is deleted, and a file that moved wants them
		early, late = nil, p.gone
	}
	if err := c.addGone(ctx, early); err != nil {
		return err
	}
	for _, rec := range p.skipped {
		if err := c.add(ctx, skip(rec, r.files[rec.Path])); err != nil {
			return err
		}
	}
	if err := r.looker.lookInto(ctx, p.read, func(ch change) error { return c.add(ctx, ch) }); err != nil {
		return err
	}
	if err := c.addGone(ctx, late); err != nil {
		return err
	}
	c.last = true
	return c.flush(ctx)
}
