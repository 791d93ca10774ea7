package nav

import (
	"context"
	"crypto/sha256"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/scan"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/fresh/artifact"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/build"
	"github.com/ragnav/ragnav/internal/nav/graph/ondisk"
	"github.com/ragnav/ragnav/internal/nav/precise"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/nav/scip"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
)

// A builder builds one graph.
type builder struct {
	gate     *gateway.Opener
	tree     *disk.Folder
	req      BuildRequest
	before   *gateway.Stored
	manifest *fresh.Manifest
	report   build.Report
	uses     *precise.Uses // nil if not asked for
	table    *scip.Table   // nil without SCIP indexes
	indexes  scip.Report   // what came of them
	status   artifact.IndexStatus
	info     models.GraphInfo
	blank    []string // those of the graph
}

func (b *builder) run(ctx context.Context) error {
	lock, err := ondisk.TakeLock(ctx, b.tree.Root())
	if err != nil {
		return err
	}
	defer func() { _ = lock.Release() }()
	if err := artifact.Prepare(b.tree); err != nil {
		return err
	}
	if !b.req.Full {
		b.before, _ = b.gate.Kept.Stored(b.tree) // none that can be used: everything is read
		if b.before != nil && b.before.Graph.Verify() != nil {
			b.gate.Kept.DropDamaged()
			b.before = nil
		}
	}
	b.table = scip.Load(b.tree)
	if b.isCurrent(ctx) {
		return nil
	}
	if err := b.list(ctx); err != nil {
		return err
	}
	if err := b.index(ctx); err != nil {
		return err
	}
	if b.req.Precise {
		if b.uses, err = precise.Load(ctx, b.tree.Root()); err != nil {
			return err
		}
	}
	g, err := b.make(ctx)
	if err != nil {
		return err
	}
	b.blank = g.Blank()
	if err := b.trigrams(ctx); err != nil {
		return fmt.Errorf("build the trigrams of %s: %w", b.tree.Root(), err)
	}
	return b.save(ctx, lock, g)
}

// isCurrent reports whether the graph before is that of the tree as it is, so
// that there is nothing to build, and tells of it.
func (b *builder) isCurrent(ctx context.Context) bool {
	if b.before == nil || b.req.Precise || b.req.SCIP != "" || b.req.Index != nil ||
		b.before.Graph.Resolver() != b.revision() || len(b.before.Failed) > 0 || b.before.Fast() == nil {
		return false
	}
	delta, err := b.before.Manifest.Check(ctx, b.tree, b.gate.Options())
	if err != nil || delta.TooMany || delta.Count() > 0 || delta.Head != b.before.Manifest.Commit() {
		return false
	}
	if found, err := b.found(b.before.Manifest); err != nil || !b.isOf(found) {
		return false
	}
	route := artifact.RouteAt(b.tree, delta.Head)
	b.info = graphInfo(b.req.RepoID, b.before.Graph, b.before.Manifest)
	b.blank = b.before.Blank
	b.info.Reused, b.info.Bytes, b.info.Exact = b.info.Files, jsonSize(b.tree), b.table.Len()
	if route.Status == nil || route.Status.IndexState != models.StateFresh || b.info.Bytes == 0 {
		return false
	}
	b.status = *route.Status
	return true
}

// warnings are what a graph lacks.
func (b *builder) warnings() (all []models.Warning) {
	known := b.manifest
	if known == nil { // nothing had to be built
		known = b.before.Manifest
	}
	if text := gateway.Unspoken(b.gate.Extract, known.Files()); text != "" {
		all = append(all, models.Warning{Code: "LANGUAGES_NOT_KNOWN", Message: text})
	}
	if n := len(b.report.Failed); n > 0 {
		all = append(all, models.Warning{Code: "FILES_WITHOUT_FACTS", Message: fmt.Sprintf(
			"%s could not be read for the graph, the first one %s: %s", gateway.CountedFiles(n), b.report.Failed[0].Path,
			gateway.Words(b.report.Failed[0].Err))})
	}
	if w, some := gateway.ClosedFolders(fresh.Closed(known, b.tree)); some {
		all = append(all, w)
	}
	if large := gateway.TooLarge(b.gate, b.tree, b.blank); len(large) > 0 {
		all = append(all, models.Warning{Code: "FILES_TOO_LARGE", Message: fmt.Sprintf(
			"searched and not parsed: %s of more than %d bytes (RAGNAV_MAX_FILE_SIZE), the first one %s",
			gateway.CountedFiles(len(large)), b.gate.Limit(), large[0])})
	}
	if b.uses != nil && len(b.uses.NotLoaded()) > 0 {
		all = append(all, models.Warning{Code: "MODULES_NOT_CHECKED", Message: fmt.Sprintf(
			"modules that the go command could not load are resolved by their text alone: %s",
			strings.Join(b.uses.NotLoaded(), ", "))})
	}
	if n := len(b.indexes.Changed); n > 0 {
		all = append(all, models.Warning{Code: "FILES_NOT_INDEXED", Message: fmt.Sprintf(
			"%s of the SCIP index may differ from what it was made of, the first one %s: they are resolved by their text",
			gateway.CountedFiles(n),
			b.indexes.Changed[0])})
	}
	if n := len(b.indexes.Missing); n > 0 {
		all = append(all, models.Warning{Code: "FILES_NOT_KNOWN", Message: fmt.Sprintf(
			"%s of the SCIP index are not files of the repository, the first one %s",
			gateway.CountedFiles(n), b.indexes.Missing[0])})
	}
	return all
}

// list makes the manifest of the files.
func (b *builder) list(ctx context.Context) (err error) {
	if b.before != nil {
		b.manifest, _, err = b.before.Manifest.Renew(ctx, b.tree, b.gate.Options(), nil)
	} else {
		b.manifest, err = fresh.Take(ctx, b.tree, b.gate.Options(), nil)
	}
	if err != nil {
		return fmt.Errorf("list the files of %s: %w", b.tree.Root(), err)
	}
	return nil
}

// make reads facts and resolves.
func (b *builder) make(ctx context.Context) (*graph.Graph, error) {
	in := build.Input{
		Read: b.read, Extract: b.gate.Extract, Resolver: b.table.Over(b.resolver), Revision: b.revision(),
		Workers: b.gate.Workers, Release: b.gate.Release, Needs: b.gate.Needs,
	}
	for p, hash := range b.manifest.Files() {
		in.Sources = append(in.Sources, build.Source{Path: p, Language: gateway.FactLanguage(p), Hash: graph.Hash(hash)})
	}
	var previous *graph.Graph
	if b.before != nil {
		previous = b.before.Graph
	}
	g, report, err := build.Graph(ctx, in, previous)
	b.report = report
	return g, err
}

// read reads the text of a file as the manifest has it. One that changed since
// stays without facts, and is read live by who asks, until it is built again.
func (b *builder) read(ctx context.Context, p string) (string, error) {
	content, _, err := b.tree.Read(ctx, p, b.gate.Listed.MaxFileSize)
	if err != nil {
		return "", err
	}
	if int64(len(content)) > b.gate.Limit() {
		return "", build.ErrNoFacts // it is searched
	}
	if want, ok := b.manifest.Hash(p); !ok || want != sha256.Sum256(content) {
		return "", fault.New(fault.Conflict, "%s changed while the graph was built", p)
	}
	text, ok := parse.Decode(content)
	if !ok {
		return "", nil
	}
	return text, nil
}

// revision is that of the edges of a graph.
func (b *builder) revision() string {
	r := b.gate.Revision
	if b.uses != nil {
		r += gateway.PreciseMark + b.uses.Revision()
	}
	if b.table != nil {
		r += gateway.ScipMark + b.table.Revision()
	}
	return r
}

// resolver resolves by what was asked for, else by facts.
func (b *builder) resolver(w resolve.World) graph.Resolver {
	r := gateway.Resolver(w)
	if b.uses != nil {
		r = b.uses.Resolver(w, r)
	}
	return r
}

// found are the SCIP indexes in the repository.
func (b *builder) found(m *fresh.Manifest) ([]scip.Source, error) {
	return scip.Find(b.tree, scip.Folders(m.Files()))
}

func (b *builder) isOf(found []scip.Source) bool {
	return b.table == nil && len(found) == 0 || b.table != nil && (len(found) == 0 || b.table.IsOf(found))
}

// index makes the table of exact edges: of an index that is given, of those that
// are found when they are others than before.
func (b *builder) index(ctx context.Context) error {
	found, err := b.found(b.manifest)
	if err != nil {
		return err
	}
	maker := scip.Import{Tree: b.tree, Files: b.manifest, Limit: b.gate.Limit(), Now: b.gate.Now()}
	switch {
	case b.req.Index != nil:
		b.table, b.indexes, err = maker.Imported(ctx, b.req.Index)
	case b.req.SCIP == NoIndex:
		b.table = nil
		return scip.Drop(b.tree)
	case b.req.SCIP != "":
		var content []byte
		if content, _, err = b.tree.Read(ctx, b.req.SCIP, scip.MaxBytes+1); err == nil {
			b.table, b.indexes, err = maker.Imported(ctx, content)
		}
	case !b.isOf(found):
		b.table, b.indexes, err = maker.Of(ctx, found)
	}
	return err
}

// NoIndex is in place of the path of an index, to do without.
const NoIndex = "none"

func (b *builder) save(ctx context.Context, lock *ondisk.Lock, g *graph.Graph) error {
	if b.table != nil {
		if err := scip.Save(b.tree, b.table); err != nil {
			return err
		}
	}
	if err := gateway.SaveManifest(b.tree, g.ID(), b.manifest); err != nil {
		return err
	}
	size, err := b.publish(lock, g)
	if err != nil {
		return err
	}
	built := b.manifest.TakenAt().UTC().Truncate(time.Second).Format(time.RFC3339)
	b.status = artifact.IndexStatus{
		Repo: b.req.RepoID, IndexState: models.StateFresh, LastIndexedAt: models.Opt(built),
		LastIndexedCommit: models.Opt(b.manifest.Commit()), SchemaVersion: artifact.SchemaVersion,
	}
	if err := artifact.SaveStatus(b.tree, b.status); err != nil {
		return err
	}
	gateway.DropManifests(ctx, b.tree, g.ID())
	b.gate.Kept.Remember(b.tree.Root(), gateway.NewStored(b.tree, g, b.manifest))
	b.info = graphInfo(b.req.RepoID, g, b.manifest)
	b.info.Reused, b.info.Skipped, b.info.Bytes = b.report.Reused, len(b.report.Failed), size
	b.info.Exact = b.table.Len()
	return nil
}

// publish replaces the graph on disk, unless it is that very one, and returns the
// size of its JSON in bytes.
func (b *builder) publish(lock *ondisk.Lock, g *graph.Graph) (int64, error) {
	if b.before != nil && b.before.ID == g.ID() {
		if size := jsonSize(b.tree); size > 0 {
			return size, nil
		}
	}
	saved, err := lock.Save(g)
	return saved.JSONSize, err
}

// jsonSize is the size in bytes of the artifact, or 0 if it can't be told.
func jsonSize(tree *disk.Folder) int64 {
	dir, err := gateway.OpenArtifacts(tree)
	if err != nil {
		return 0
	}
	defer func() { _ = dir.Close() }()
	info, err := dir.Lstat(ondisk.JSONName)
	if err != nil {
		return 0
	}
	return info.Size()
}

func graphInfo(id models.RepoID, g *graph.Graph, m *fresh.Manifest) models.GraphInfo {
	s := g.Stats()
	return models.GraphInfo{
		RepoID: id, Files: s.Files, Symbols: s.Symbols, Edges: s.Edges, Commit: m.Commit(),
		Precise: strings.Contains(g.Resolver(), gateway.PreciseMark),
		BuiltAt: m.TakenAt().UTC().Truncate(time.Second).Format(time.RFC3339), JSON: artifact.Dir + "/" + ondisk.JSONName,
	}
}

// Exported is the file in the repository that ExportSCIP writes.
const Exported = artifact.Dir + "/" + artifact.ExportFile

// A counter counts what is written to it.
type counter struct{ n int64 }

func (c *counter) Write(b []byte) (int, error) {
	c.n += int64(len(b))
	return len(b), nil
}

// trigrams builds the trigrams of a tree, unless those that are there are nearly
// right. They make answers faster and are never missed.
func (b *builder) trigrams(ctx context.Context) error {
	if err := scan.Sweep(gateway.TrigramsPath(b.tree)); err != nil { // the lock of builds is held
		return err
	}
	if a := gateway.Accelerate(b.tree, b.manifest); a != nil && !b.req.Full &&
		len(a.Changed) <= b.manifest.Len()/gateway.StaleTrigrams {
		return nil
	}
	return scan.Create(ctx, gateway.TrigramsPath(b.tree), b.contents(ctx))
}

// contents are the files of the manifest with their content. Those that can't be
// read, or changed since, are searched whatever is in them.
func (b *builder) contents(ctx context.Context) iter.Seq2[scan.File, error] {
	var paths []string
	for p := range b.manifest.Files() {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	return func(yield func(scan.File, error) bool) {
		for _, p := range paths {
			hash, _ := b.manifest.Hash(p)
			f := scan.File{Path: p, Hash: hash}
			content, stat, err := b.tree.Read(ctx, p, b.gate.Listed.MaxFileSize)
			if ctx.Err() != nil {
				yield(f, ctx.Err())
				return
			}
			if f.Content, f.Size, f.ModTime = content, stat.Size, stat.ModTime; err != nil || sha256.Sum256(content) != hash {
				f.Content, f.Unread = nil, true
			}
			if !yield(f, nil) {
				return
			}
		}
	}
}
