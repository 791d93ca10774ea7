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

	"github.com/ragnav/ragnav/internal/index/tell"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/compose"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/index/run"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/remote"
)

// A previewer makes previews, and has the last one at hand for its pages.
type previewer struct {
	store     records.Store
	targets   resolver
	admission admission
	config    Config
	site      func(*jobs.Handle) *run.Site
	last      previewMemory
	turn      chan struct{} // one for each that may be made
}

// preview is Service.Preview.
func (p *previewer) preview(ctx context.Context, req StartRequest) (PreviewResponse, error) {
	fingerprint := previewFingerprint(req)
	offset, err := models.CursorOffset(req.Cursor, fingerprint)
	if err != nil {
		return PreviewResponse{}, fault.New(fault.InvalidRequest, "cursor: %v", err)
	}
	found := p.last.recall(fingerprint, offset)
	if found == nil {
		if found, err = p.all(ctx, req); err != nil {
			return PreviewResponse{}, err
		}
		if len(found.items) > models.Or(req.Limit, defaultLimit) {
			p.last.remember(fingerprint, found)
		}
	}
	items := found.items
	if req.Only != "" {
		items = slices.DeleteFunc(slices.Clone(items),
			func(item PreviewItem) bool { return item.Indexed != (req.Only == onlyIndexed) })
	}
	page, next := models.Page(items, offset, models.Or(req.Limit, defaultLimit), fingerprint)
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

func (p *previewer) all(ctx context.Context, req StartRequest) (*preview, error) {
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	all := &preview{}
	var specs []jobs.Spec
	var err error
	if req.Each {
		specs, all.warnings, err = p.each(ctx, req)
	} else if specs, err = p.targets.settle(req).resolveAll(ctx, req); err == nil {
		err = p.admission.admissible(ctx, specs, req.Full)
	}
	if err != nil {
		return nil, err
	}
	for _, sp := range specs {
		items, sum, err := p.one(ctx, sp)
		if err != nil {
			return nil, err
		}
		all.items, all.repositories = append(all.items, items...), append(all.repositories, sum)
	}
	return all, nil
}

// each is what startEach would start, in a preview.
func (p *previewer) each(ctx context.Context, req StartRequest) ([]jobs.Spec, []models.Warning, error) {
	targets := p.targets.settle(req)
	roots, warnings, err := targets.below(ctx, req)
	if err != nil {
		return nil, nil, err
	}
	registered, err := records.Repositories(ctx, p.store)
	if err != nil {
		return nil, nil, err
	}
	var specs []jobs.Spec
	var first error
	for _, root := range roots {
		sp, err := targets.resolveBeside(ctx, root, specs)
		sp.Full, sp.Summarise = req.Full, req.Summarise
		if err == nil {
			_, err = p.admission.admitEmbedder(ctx, []jobs.Spec{sp}, registered, req.Full)
		}
		if err == nil {
			err = p.admission.admitOne(sp, specs, registered)
		}
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err != nil {
			first, warnings = cmp.Or(first, err), append(warnings, notStarted(root, err))
			continue
		}
		specs = append(specs, sp)
	}
	if len(specs) == 0 {
		return nil, nil, first
	}
	return specs, warnings, nil
}

// one does what a run does with a target, as far as nothing is written.
func (p *previewer) one(ctx context.Context, sp jobs.Spec) (items []PreviewItem, sum Previewed, err error) {
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
	d := dryRun{
		store: p.store, price: p.config.Price, ctx: ctx, spec: sp,
		sum: Previewed{RepoID: sp.ID, Target: sp.Shown(), Skipped: map[models.SkipReason]int{}},
	}
	all, err := run.Rehearse(ctx, p.site(jobs.New(sp, p.config.Now)), d.add)
	if err != nil {
		return nil, sum, err
	}
	d.sum.Commit, d.sum.Renewed = all.Commit, all.Renewed
	d.sum.Removed += all.Removed
	if len(d.holding) > 0 {
		d.sum.Documents += len(compose.WithParents(d.holding)) + 1 // summaries of folders, and of the repository
	}
	d.priceFolders()
	slices.SortFunc(d.items, func(a, b PreviewItem) int { return cmp.Compare(a.FilePath, b.FilePath) })
	return d.items, d.sum, nil
}

// A dryRun gathers what a run would commit. It is used by one goroutine.
type dryRun struct {
	store records.Store
	price [2]float64      // of Config
	ctx   context.Context //nolint:containedctx // of the request that it is made for
	spec  jobs.Spec
	items []PreviewItem
	sum   Previewed

	holding []string // files that have documents
	told    []string // files of which a model would say something
}

// add takes what a run would do with one file.
func (d *dryRun) add(f run.Foreseen) {
	item := PreviewItem{
		RepoID: d.spec.ID, CoverageItem: coverageItem(f.Record), Changed: f.Put || f.Dropped, Tokens: f.Tokens,
	}
	d.items = append(d.items, item)
	d.summarise(f.Record)
	d.sum.Changed += compose.Count(f.Put)
	d.sum.Removed += compose.Count(f.Dropped && !f.Put)
	d.sum.Tokens += item.Tokens
	d.sum.Documents += item.Documents
	if item.Documents > 0 {
		d.holding = append(d.holding, item.FilePath)
	}
	d.sum.Count(f.Record)
	if item.Indexed {
		d.sum.Indexed++
		d.sum.Bytes += item.Size
	} else {
		d.sum.Skipped[item.Reason]++
	}
}

// summarise adds what it costs to have a model write the summary of a file.
func (d *dryRun) summarise(rec models.FileRecord) {
	if !d.spec.Summarise || !tell.Tellable(rec) {
		return
	}
	d.told = append(d.told, rec.Path)
	if found, err := d.store.Record(d.ctx, records.SummariesCollection(d.spec.ID),
		records.SummaryKey("file", rec.Hash), nil); err != nil ||
		found {
		return
	}
	d.request(tell.FileTokens(rec))
}

// priceFolders adds the folders of those files, and the repository.
func (d *dryRun) priceFolders() {
	if !d.spec.Summarise {
		return
	}
	for range compose.WithParents(d.told) {
		d.request(tell.FolderTokens())
	}
	d.request(tell.RepositoryTokens())
	t := d.sum.Summaries
	t.Price = (float64(t.PromptTokens)*d.price[0] + float64(t.ReplyTokens)*d.price[1]) / 1e6
}

func (d *dryRun) request(prompt, reply int) {
	if d.sum.Summaries == nil {
		d.sum.Summaries = &Telling{}
	}
	t := d.sum.Summaries
	t.Requests++
	t.PromptTokens += prompt
	t.ReplyTokens += reply
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
