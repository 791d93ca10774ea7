package index

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/index/compose"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/reader"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/redact"
)

// maxReadme is how much of a README is read for the repository's summary.
const maxReadme = 64 << 10

// summarise makes the summaries above changed files again, and all of them
// when the last run did not get that far, and commits the run's result.
func (r *run) summarise(ctx context.Context) error {
	all := compose.NewTree(r.files)
	var b models.Batch
	if len(r.touched) > 0 || r.rebuild {
		docs, pending, err := r.summaries(ctx, all)
		if err != nil {
			return err
		}
		b.Put = docs
		b.Delete = r.staleSummaries(all)
		dirs := slices.Sorted(maps.Keys(all))
		if err := r.intendSummaries(ctx, dirs); err != nil {
			return err
		}
		r.folders = records.Folders{Dirs: dirs, Pending: pending}
		b.PutRecords = append(b.PutRecords, records.FoldersRecord(r.repo.RepoID, r.folders))
	}
	r.repo.State, r.repo.LastError, r.repo.Updating = models.StateFresh, "", false
	r.repo.LastIndexedAt, r.repo.LastIndexedCommit = r.origin.Now, r.origin.Commit
	r.repo.Runs++
	r.repo.SchemaVersion, r.repo.Revision, r.repo.Stored = models.SchemaVersion, r.config.revision(), r.config.StoreContent
	r.counts(all)
	r.job.Enter(jobs.Committing)
	if r.compacts() {
		r.job.CommitFrom(0, published)
	}
	r.job.Commit(0, 1)
	if err := r.publish(ctx, b); err != nil {
		return fmt.Errorf("commit the summaries of %s: %w", r.repo.RepoID, err)
	}
	r.job.Update(func(j *jobs.Job) {
		j.Documents, j.Skipped, j.MaskCount, j.Covered = r.repo.DocCount, r.repo.SkippedCount, r.repo.MaskCount, r.covered
		j.Pending, j.PendingReason = r.repo.Pending, r.repo.PendingReason
	})
	return nil
}

// publish commits the summaries and the repository's record. In a shared store
// the record comes when searches see everything else.
func (r *run) publish(ctx context.Context, b models.Batch) error {
	if r.board != nil {
		if len(b.PutRecords) > 0 {
			if err := r.apply(ctx, b); err != nil {
				return err
			}
		}
		if err := r.searchable(ctx); err != nil {
			return err
		}
		b = models.Batch{}
	}
	b.PutRecords = append(b.PutRecords, records.RepositoryRecord(r.repo))
	if r.draft != nil {
		return r.swap(ctx, b)
	}
	return r.inParts(ctx, b)
}

// summariesPart is how many summaries of a first run are committed at a time, to
// be seen to get on and to be cancelled in between.
const summariesPart = 500

// inParts applies the last batch of a run. Of a first run, of which readers see
// batches as they come, the summaries come before what says that it is complete.
func (r *run) inParts(ctx context.Context, b models.Batch) error {
	if r.board == nil && !r.fresh {
		total := len(b.Put)
		for done := summariesPart; len(b.Put) > summariesPart; done += summariesPart {
			if err := r.apply(ctx, models.Batch{Put: b.Put[:summariesPart]}); err != nil {
				return err
			}
			b.Put = b.Put[summariesPart:]
			r.job.Commit(done, total)
		}
	}
	return r.apply(ctx, b)
}

// summaries makes the module_summary of each folder that needs a new one, and
// the repo_summary.
func (r *run) summaries(ctx context.Context, all compose.Tree) (docs []models.Document, pending int, err error) {
	dirs := compose.WithParents(r.touched)
	if r.rebuild {
		dirs = compose.WithParents(slices.Collect(maps.Keys(r.files)))
	}
	var inputs []embed.Input
	add := func(d models.Document, in embed.Input) { docs, inputs = append(docs, d), append(inputs, in) }
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		if f, ok := all[dir]; ok {
			add(compose.Module(r.origin, f))
		}
	}
	if len(all) > 0 {
		v, err := r.overview(ctx, all)
		if err != nil {
			return nil, 0, err
		}
		add(compose.Repository(r.origin, v))
	}
	if err := r.retellFolders(ctx, docs, inputs); err != nil {
		return nil, 0, fmt.Errorf("summaries of %s: %w", r.repo.RepoID, err)
	}
	ids := make([]models.DocumentID, len(docs))
	for i, d := range docs {
		ids[i] = d.ID
	}
	if pending, err = r.embedAll(ctx, docs, inputs, ids); err != nil {
		return nil, 0, fmt.Errorf("embed the summaries of %s: %w", r.repo.RepoID, err)
	}
	return docs, pending, r.keepCreated(ctx, docs, ids)
}

// staleSummaries are the ids of summaries of folders without files.
func (r *run) staleSummaries(all compose.Tree) []models.DocumentID {
	var stale []models.DocumentID
	for _, dir := range r.folders.Dirs {
		if _, ok := all[dir]; !ok {
			stale = append(stale, models.ModuleID(r.repo.RepoID, dir))
		}
	}
	if len(all) == 0 && len(r.folders.Dirs) > 0 {
		stale = append(stale, models.RepoDocID(r.repo.RepoID))
	}
	return stale
}

// overview reads what introduces the repository at its root.
func (r *run) overview(ctx context.Context, all compose.Tree) (compose.Overview, error) {
	v := compose.Overview{Tree: all}
	for _, name := range compose.ManifestFiles {
		text, err := r.rootFile(ctx, name)
		if err != nil {
			return v, err
		}
		if p := compose.Manifests[name](text); p.Name != "" {
			p.File = name
			v.Projects = append(v.Projects, p)
		}
	}
	text, err := r.rootFile(ctx, r.readme())
	if err != nil {
		return v, err
	}
	v.Readme = r.prose(text)
	return v, nil
}

// readme is the name of the indexed README at the root, the Markdown one where
// there are several; "" when there is none.
func (r *run) readme() string {
	best := ""
	for file := range r.files {
		if strings.Contains(file, "/") || !strings.EqualFold(compose.BaseName(file), "readme") {
			continue
		}
		better := strings.HasSuffix(strings.ToLower(file), ".md")
		if wasBest := strings.HasSuffix(strings.ToLower(best), ".md"); best == "" || better && !wasBest ||
			better == wasBest && file < best {
			best = file
		}
	}
	return best
}

// rootFile is the text of an indexed file at the root as it may be stored; ""
// when there is no such file any more.
func (r *run) rootFile(ctx context.Context, name string) (string, error) {
	rec, ok := r.files[name]
	if !ok || rec.Skipped != "" {
		return "", nil
	}
	data, _, err := r.tree.Read(ctx, name, r.config.MaxFileSize)
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		return "", nil //nolint:nilerr // gone since it was indexed: the next run sees that
	}
	text, _ := parse.Decode(data)
	text, _ = redact.Text(text)
	return text, nil
}

// prose is a README without its markup.
func (r *run) prose(text string) string {
	name := r.readme()
	if name == "" {
		return ""
	}
	out := reader.Parse(parse.File{Path: name, Language: r.files[name].Language, Text: compose.Clip(text, maxReadme)})
	if len(out.Sections) == 0 {
		return strings.TrimSpace(compose.Clip(text, maxReadme))
	}
	var b strings.Builder
	for _, s := range out.Sections {
		if s.HeadingLevel > 0 {
			b.WriteString(s.Heading + "\n")
		}
		b.WriteString(strings.TrimSpace(s.Text) + "\n\n")
	}
	return strings.TrimSpace(b.String())
}
