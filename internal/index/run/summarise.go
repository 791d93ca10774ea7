package run

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/index/tell"
	"github.com/ragnav/ragnav/internal/index/vectors"

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

// A summariser makes the summaries of folders and of the repository, and ends the
// run with them.
type summariser struct {
	*Site
	*state

	vectors *vectors.Vectors
	teller  *tell.Teller
}

// summarise makes the summaries above changed files again, and all of them
// when the last run did not get that far, and commits the run's result.
func (s *summariser) summarise(ctx context.Context) error {
	all := compose.NewTree(s.files)
	var b models.Batch
	if len(s.touched) > 0 || s.rebuild {
		docs, pending, err := s.summaries(ctx, all)
		if err != nil {
			return err
		}
		b.Put = docs
		b.Delete = s.staleSummaries(all)
		dirs := slices.Sorted(maps.Keys(all))
		if err := s.intendSummaries(ctx, dirs); err != nil {
			return err
		}
		s.folders = records.Folders{Dirs: dirs, Pending: pending}
		b.PutRecords = append(b.PutRecords, records.FoldersRecord(s.repo.RepoID, s.folders))
	}
	s.repo.State, s.repo.LastError, s.repo.Updating, s.repo.Interrupted = models.StateFresh, "", false, 0
	s.repo.LastIndexedAt, s.repo.LastIndexedCommit = s.origin.Now, s.origin.Commit
	s.repo.Runs++
	s.repo.SchemaVersion, s.repo.Revision, s.repo.Stored = models.SchemaVersion, s.Config.Revision(), s.Config.StoreContent
	s.counts(all, s.vectors.Waits(s.following))
	s.Job.Enter(jobs.Committing)
	if compacts(s.Site, s.state) {
		s.Job.CommitFrom(0, published)
	}
	s.Job.Commit(0, 1)
	if err := s.publish(ctx, b); err != nil {
		return fmt.Errorf("commit the summaries of %s: %w", s.repo.RepoID, err)
	}
	s.Job.Update(func(j *jobs.Job) {
		j.Documents, j.Skipped, j.MaskCount, j.Covered = s.repo.DocCount, s.repo.SkippedCount, s.repo.MaskCount, s.covered
		j.Pending, j.PendingReason = s.repo.Pending, s.repo.PendingReason
	})
	return nil
}

// publish commits the summaries and the repository's record. In a shared store
// the record comes when searches see everything else.
func (s *summariser) publish(ctx context.Context, b models.Batch) error {
	if s.Board != nil {
		if len(b.PutRecords) > 0 {
			if err := s.apply(ctx, b); err != nil {
				return err
			}
		}
		if err := s.searchable(ctx); err != nil {
			return err
		}
		b = models.Batch{}
	}
	b.PutRecords = append(b.PutRecords, records.RepositoryRecord(s.repo))
	if s.draft != nil {
		err := s.draft.swap(ctx, s.Site, s.repo.RepoID, b)
		if err == nil {
			s.draft = nil
		}
		return err
	}
	return s.inParts(ctx, b)
}

// summariesPart is how many summaries of a first run are committed at a time, to
// be seen to get on and to be cancelled in between.
const summariesPart = 500

// inParts applies the last batch of a run. Of a first run, of which readers see
// batches as they come, the summaries come before what says that it is complete.
func (s *summariser) inParts(ctx context.Context, b models.Batch) error {
	if s.Board == nil && !s.fresh {
		total := len(b.Put)
		for done := summariesPart; len(b.Put) > summariesPart; done += summariesPart {
			if err := s.apply(ctx, models.Batch{Put: b.Put[:summariesPart]}); err != nil {
				return err
			}
			b.Put = b.Put[summariesPart:]
			s.Job.Commit(done, total)
		}
	}
	return s.apply(ctx, b)
}

// summaries makes the module_summary of each folder that needs a new one, and
// the repo_summary.
func (s *summariser) summaries(ctx context.Context, all compose.Tree) (docs []models.Document, pending int, err error) {
	dirs := compose.WithParents(s.touched)
	if s.rebuild {
		dirs = compose.WithParents(slices.Collect(maps.Keys(s.files)))
	}
	var inputs []embed.Input
	add := func(d models.Document, in embed.Input) { docs, inputs = append(docs, d), append(inputs, in) }
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		if f, ok := all[dir]; ok {
			add(compose.Module(s.origin, f))
		}
	}
	if len(all) > 0 {
		v, err := s.overview(ctx, all)
		if err != nil {
			return nil, 0, err
		}
		add(compose.Repository(s.origin, v))
	}
	if err := s.teller.RetellFolders(ctx, docs, inputs); err != nil {
		return nil, 0, fmt.Errorf("summaries of %s: %w", s.repo.RepoID, err)
	}
	ids := make([]models.DocumentID, len(docs))
	for i, d := range docs {
		ids[i] = d.ID
	}
	if pending, err = s.vectors.Embed(ctx, docs, inputs, ids); err != nil {
		return nil, 0, fmt.Errorf("embed the summaries of %s: %w", s.repo.RepoID, err)
	}
	return docs, pending, keepCreated(ctx, s.Store, docs, ids)
}

// staleSummaries are the ids of summaries of folders without files.
func (s *summariser) staleSummaries(all compose.Tree) []models.DocumentID {
	var stale []models.DocumentID
	for _, dir := range s.folders.Dirs {
		if _, ok := all[dir]; !ok {
			stale = append(stale, models.ModuleID(s.repo.RepoID, dir))
		}
	}
	if len(all) == 0 && len(s.folders.Dirs) > 0 {
		stale = append(stale, models.RepoDocID(s.repo.RepoID))
	}
	return stale
}

// overview reads what introduces the repository at its root.
func (s *summariser) overview(ctx context.Context, all compose.Tree) (compose.Overview, error) {
	v := compose.Overview{Tree: all}
	for _, name := range compose.ManifestFiles {
		text, err := s.rootFile(ctx, name)
		if err != nil {
			return v, err
		}
		if p := compose.Manifests[name](text); p.Name != "" {
			p.File = name
			v.Projects = append(v.Projects, p)
		}
	}
	text, err := s.rootFile(ctx, s.readme())
	if err != nil {
		return v, err
	}
	v.Readme = s.prose(text)
	return v, nil
}

// readme is the name of the indexed README at the root, the Markdown one where
// there are several; "" when there is none.
func (s *summariser) readme() string {
	best := ""
	for file := range s.files {
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
func (s *summariser) rootFile(ctx context.Context, name string) (string, error) {
	rec, ok := s.files[name]
	if !ok || rec.Skipped != "" {
		return "", nil
	}
	data, _, err := s.tree.Read(ctx, name, s.Config.MaxFileSize)
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
func (s *summariser) prose(text string) string {
	name := s.readme()
	if name == "" {
		return ""
	}
	out := reader.Parse(parse.File{Path: name, Language: s.files[name].Language, Text: compose.Clip(text, maxReadme)})
	if len(out.Sections) == 0 {
		return strings.TrimSpace(compose.Clip(text, maxReadme))
	}
	var b strings.Builder
	for _, section := range compose.Introduction(out.Sections) {
		if section.HeadingLevel > 0 {
			b.WriteString(section.Heading + "\n")
		}
		b.WriteString(strings.TrimSpace(section.Text) + "\n\n")
	}
	return strings.TrimSpace(b.String())
}

// intendSummaries says in a shared store that the summaries of some folders,
// among them those, are about to change.
func (s *summariser) intendSummaries(ctx context.Context, dirs []string) error {
	if s.Board == nil {
		return nil
	}
	all := slices.Concat(s.folders.Dirs, dirs)
	slices.Sort(all)
	set := records.Folders{Dirs: slices.Compact(all), Dirty: true}
	if err := s.apply(ctx, models.Batch{PutRecords: []models.Record{records.FoldersRecord(s.repo.RepoID,
		set)}}); err != nil {
		return fmt.Errorf("announce the summaries of %s: %w", s.repo.RepoID, err)
	}
	return nil
}
