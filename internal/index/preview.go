package index

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/compose"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/listing"
	"github.com/ragnav/ragnav/internal/repo/remote"
)

// Preview tells what Start would do with the same request, file by file, and
// does none of it: nothing is written to the store, no repository is registered,
// and a URL is cloned to a temporary folder that is gone when Preview returns.
// Targets that Start refuses are refused, except that a repository may be
// previewed while it is being indexed.
//
// It reads and parses as a run does, the files that a run would read, and only
// leaves out the vectors. Pages after the first come from what the first has
// found, if this process still has it.
func (s *Service) Preview(ctx context.Context, req StartRequest) (PreviewResponse, error) {
	fingerprint := previewFingerprint(req)
	offset, err := models.CursorOffset(req.Cursor, fingerprint)
	if err != nil {
		return PreviewResponse{}, fault.New(fault.InvalidRequest, "cursor: %v", err)
	}
	found := s.previewed.recall(fingerprint, offset)
	if found == nil {
		if found, err = s.previewAll(ctx, req); err != nil {
			return PreviewResponse{}, err
		}
		if len(found.items) > limitOf(req.Limit) {
			s.previewed.remember(fingerprint, found)
		}
	}
	items := found.items
	if req.Only != "" {
		items = slices.DeleteFunc(slices.Clone(items),
			func(item PreviewItem) bool { return item.Indexed != (req.Only == onlyIndexed) })
	}
	page, next := models.Page(items, offset, limitOf(req.Limit), fingerprint)
	res := PreviewResponse{Result: models.OKResult(page), Repositories: found.repositories}
	res.Meta.Total, res.Meta.NextCursor, res.Meta.Truncated = new(len(items)), next, next != ""
	res.Meta.Warnings = found.warnings
	res.Meta.Message = new("a preview: nothing was written")
	return res, nil
}

// previewFingerprint names the list that a request asks for.
func previewFingerprint(req StartRequest) string {
	return fmt.Sprintf("preview:%q:%t:%s:%t:%s:%t", req.Targets, req.Each, req.RepoID, req.Full, req.Only, req.Summarise)
}

// A preview is what there is to page through.
type preview struct {
	items        []PreviewItem // by target, then by path
	repositories []Previewed
	warnings     []models.Warning
}

func (s *Service) previewAll(ctx context.Context, req StartRequest) (*preview, error) {
	select {
	case s.previews <- struct{}{}:
		defer func() { <-s.previews }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	all := &preview{}
	var specs []jobs.Spec
	var err error
	if req.Each {
		specs, all.warnings, err = s.admissibleEach(ctx, req)
	} else if specs, err = s.resolveAll(ctx, req); err == nil {
		err = s.admissible(ctx, specs, req.Full)
	}
	if err != nil {
		return nil, err
	}
	for _, sp := range specs {
		items, sum, err := s.previewOne(ctx, sp)
		if err != nil {
			return nil, err
		}
		all.items, all.repositories = append(all.items, items...), append(all.repositories, sum)
	}
	return all, nil
}

// previewOne does what a run does with a target, as far as nothing is written.
func (s *Service) previewOne(ctx context.Context, sp jobs.Spec) (items []PreviewItem, sum Previewed, err error) {
	if sp.URL != "" {
		folder, err := os.MkdirTemp("", "ragnav-preview-*")
		if err != nil {
			return nil, sum, fmt.Errorf("make a folder for the clone: %w", err)
		}
		defer func() { _ = os.RemoveAll(folder) }()
		root, err := remote.Clone(ctx, sp.Target, folder, "")
		if err != nil {
			return nil, sum, err
		}
		if sp.Root, err = filepath.EvalSymlinks(root); err != nil {
			return nil, sum, err
		}
	}
	on := s.siteOf(jobs.New(sp, s.config.Now))
	on.store, on.board, on.embed = unwritable{s.store}, nil, unembedded{s.embed}
	r := newRun(on, &memory{}, "")
	if err := r.survey(ctx); err != nil {
		return nil, sum, err
	}
	defer func() { err = cmp.Or(err, r.tree.Close()) }()
	if r.replace || r.folders.Purge { // as begin does
		r.files, r.folders = map[string]*models.FileRecord{}, records.Folders{}
	}
	found, err := listing.List(ctx, r.tree, r.config.limits())
	if err != nil {
		return nil, sum, fmt.Errorf("list the files of %s: %w", r.repo.Root, err)
	}
	ignored, err := listing.Ignored(ctx, r.tree, r.config.limits())
	if err != nil {
		return nil, sum, fmt.Errorf("list what is ignored in %s: %w", r.repo.Root, err)
	}
	d := dryRun{site: r.site, state: r.state, looker: r.looker, ctx: ctx, sum: Previewed{
		RepoID: sp.ID, Target: sp.Shown(), Commit: r.origin.Commit, Skipped: map[models.SkipReason]int{},
		Renewed: r.renewed,
	}}
	if err := d.carryOut(ctx, r.looker.plan(found, nil)); err != nil {
		return nil, sum, err
	}
	for _, rec := range ignored {
		d.add(change{path: rec.Path, record: &rec}, nil)
	}
	d.priceFolders()
	slices.SortFunc(d.items, func(a, b PreviewItem) int { return cmp.Compare(a.FilePath, b.FilePath) })
	return d.items, d.sum, nil
}

// A dryRun gathers what a run would commit. It is used by one goroutine.
type dryRun struct {
	*site
	*state

	looker *looker
	ctx    context.Context //nolint:containedctx // of the request that it is made for
	items  []PreviewItem
	sum    Previewed
	told   []string // files of which a model would say something
}

// carryOut is that of a run, with nothing committed.
func (d *dryRun) carryOut(ctx context.Context, p plan) error {
	for _, file := range p.gone {
		d.sum.Removed += compose.Count(len(d.files[file].Documents) > 0)
	}
	for _, rec := range p.skipped {
		d.add(skip(rec, d.files[rec.Path]), d.files[rec.Path])
	}
	for _, rec := range p.same {
		d.add(change{path: rec.Path}, rec)
	}
	return d.looker.lookInto(ctx, p.read, func(ch change) error {
		d.add(ch, d.files[ch.path])
		return nil
	})
}

// add takes one file's change against its old record, which may be nil.
func (d *dryRun) add(ch change, old *models.FileRecord) {
	rec := ch.record
	if rec == nil {
		rec = old
	}
	item := PreviewItem{RepoID: d.repo.RepoID, CoverageItem: coverageItem(*rec), Changed: ch.touched()}
	for _, doc := range ch.put {
		item.Tokens += estimated(doc)
	}
	d.items = append(d.items, item)
	d.price(ch.path, *rec)
	d.sum.Changed += compose.Count(len(ch.put) > 0)
	d.sum.Removed += compose.Count(len(ch.put) == 0 && len(ch.drop) > 0)
	d.sum.Tokens += item.Tokens
	d.sum.Documents += item.Documents
	d.sum.Count(*rec)
	if item.Indexed {
		d.sum.Indexed++
		d.sum.Bytes += item.Size
	} else {
		d.sum.Skipped[item.Reason]++
	}
}

// price adds what it costs to have a model write the summary of a file.
func (d *dryRun) price(path string, rec models.FileRecord) {
	if !d.job.Spec.Summarise || !tellable(rec) {
		return
	}
	d.told = append(d.told, path)
	if found, err := d.store.Record(d.ctx, records.SummariesCollection(d.repo.RepoID),
		records.SummaryKey("file", rec.Hash), nil); err != nil ||
		found {
		return
	}
	d.request(min(int(rec.Size), maxSummarised), min(len(rec.Documents), maxSaidSymbols))
}

// priceFolders adds the folders of those files, and the repository.
func (d *dryRun) priceFolders() {
	if !d.job.Spec.Summarise {
		return
	}
	for range compose.WithParents(d.told) {
		d.request(compose.MaxModuleContent, 0)
	}
	d.request(maxSummarised/2, 0)
	t, price := d.sum.Summaries, d.config.Price
	t.Price = (float64(t.PromptTokens)*price[0] + float64(t.ReplyTokens)*price[1]) / 1e6
}

func (d *dryRun) request(bytes, symbols int) {
	if d.sum.Summaries == nil {
		d.sum.Summaries = &Telling{}
	}
	t := d.sum.Summaries
	t.Requests++
	t.PromptTokens += promptTokens + bytes/3
	t.ReplyTokens += 3*symbolTokens + symbols*symbolTokens
}

// estimated is how many tokens an embedder sees of a document.
func estimated(doc models.Document) int {
	if len(doc.Embedding) == 0 {
		return 0
	}
	return int(doc.Embedding[0])
}

// unembedded stands for an embedder: what it makes of an input is an estimate
// of its tokens instead of a vector.
type unembedded struct{ Embedder }

// bytesPerToken of code and English prose, as tokenisers of language models cut
// them: 3 to 5.
const bytesPerToken = 4

// Documents implements Embedder.
func (unembedded) Documents(ctx context.Context, inputs []embed.Input) ([][]float32, error) {
	estimates := make([][]float32, len(inputs))
	for i, in := range inputs {
		n := min(len(in.Text), compose.MaxEmbedText) + len(in.Name) + len(in.Parent) + len(in.File)
		estimates[i] = []float32{float32((n + bytesPerToken - 1) / bytesPerToken)}
	}
	return estimates, ctx.Err()
}

// unwritable is a store that refuses every change, so that a preview can't make
// one by mistake.
type unwritable struct{ records.Store }

// Embeddings implements Store: what need not be made has no tokens to embed.
func (u unwritable) Embeddings(ctx context.Context, keys []models.EmbeddingKey,
	near []models.DocumentID,
) (map[models.EmbeddingKey][]float32, error) {
	found, err := u.Store.Embeddings(ctx, keys, near)
	for key := range found {
		found[key] = nil
	}
	return found, err
}

// Apply implements Store.
func (unwritable) Apply(context.Context, models.Batch) error {
	return fault.New(fault.Internal, "a preview wrote to the store")
}

// rememberPreview is for how long the pages of a preview are what the first one
// has found.
const rememberPreview = 5 * time.Minute

// A previewMemory has the last preview that has more than one page.
type previewMemory struct {
	mu      sync.Mutex
	request string
	found   *preview
	at      time.Time
}

// recall returns the preview of a request for a page that is not its first, or nil.
func (m *previewMemory) recall(request string, offset int) *preview {
	m.mu.Lock()
	defer m.mu.Unlock()
	if time.Since(m.at) > rememberPreview {
		m.found = nil
	}
	if offset == 0 || m.request != request {
		return nil
	}
	return m.found
}

func (m *previewMemory) remember(request string, found *preview) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.request, m.found, m.at = request, found, time.Now()
}
