package nav

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/fresh/artifact"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/scan"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/worktrees"
)

// openArtifacts opens the folder of artifacts of a tree, which is no symlink.
func openArtifacts(tree *disk.Folder) (*os.Root, error) {
	dir := filepath.Join(tree.Root(), artifact.Dir)
	info, err := os.Lstat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fs.ErrInvalid
	}
	return os.OpenRoot(dir)
}

// A gateway is what one request may be answered from.
type gateway struct {
	*Service

	tree    *disk.Folder
	id      models.RepoID
	route   artifact.Route
	verdict artifact.Verdict
	delta   *fresh.Delta // nil without a graph
	stored  *stored      // nil without a graph
	problem error        // why there is none
	unread  []string     // files that had to be read for the answer, and whose facts could not be
	because error        // why the first of them could not
	answer  *symbols     // nil: not made yet; else what all of one reply is answered from
}

// open opens the repository and decides what answers for it. Close it.
func (s *Service) open(ctx context.Context, id models.RepoID) (*gateway, error) {
	g, err := s.openAny(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := worktrees.NoWorkTree(g.tree.Root()); err != nil {
		g.Close()
		return nil, err
	}
	return g, nil
}

// openAny is open, also for what has no files to serve: its status can be told.
func (s *Service) openAny(ctx context.Context, id models.RepoID) (*gateway, error) {
	tree, id, err := s.tree(ctx, id)
	if err != nil {
		return nil, err
	}
	g := &gateway{Service: s, tree: tree, id: id}
	if err := g.judge(ctx); err != nil {
		return nil, errors.Join(err, tree.Close())
	}
	return g, nil
}

func (g *gateway) judge(ctx context.Context) error {
	g.stored, g.problem = g.kept.stored(g.tree)
	if g.problem == nil {
		delta, err := g.stored.manifest.Check(ctx, g.tree, g.options())
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			g.delta = &delta
		}
		g.problem = err
	}
	if g.delta != nil {
		g.route = artifact.RouteAt(g.tree, g.delta.Head)
	} else {
		g.route = artifact.ComputeRoute(ctx, g.tree)
	}
	g.verdict = artifact.Judge(g.route, g.delta)
	return nil
}

func (g *gateway) Close() { _ = g.tree.Close() }

func (s *Service) options() fresh.Options {
	return fresh.Options{Limits: s.listed, Now: s.Now, Watchers: s.Watchers}
}

// changes are what changed since the graph was built, and what tells it from
// others.
func (g *gateway) changes(ctx context.Context) (overlay.Changes, string, error) {
	changes := overlay.Changes{Deleted: g.delta.Deleted, Hashes: map[string]graph.Hash{}}
	var key strings.Builder
	for _, p := range g.verdict.Live {
		f, hash, err := g.factsOf(ctx, p)
		if err != nil {
			return changes, "", err
		}
		if f == nil { // it is gone since
			changes.Deleted = append(changes.Deleted, p)
			continue
		}
		changes.Changed = append(changes.Changed, f)
		if sum, err := hex.DecodeString(hash); err == nil && len(sum) == len(graph.Hash{}) {
			changes.Hashes[p] = graph.Hash(sum)
		}
		fmt.Fprintf(&key, "%s\x00%s\x00", p, hash)
	}
	for _, p := range changes.Deleted {
		fmt.Fprintf(&key, "%s\x01", p)
	}
	return changes, key.String(), nil
}

// view is the graph with the changed files over it.
func (g *gateway) view(ctx context.Context) (*overlay.View, error) {
	changes, key, err := g.changes(ctx)
	if err != nil {
		return nil, err
	}
	resolver := resolver
	if key != "" {
		resolver = g.stored.resolver(g.tree)
	}
	if len(g.unread) > 0 {
		return overlay.Lay(g.stored.graph, changes, resolver), nil // not remembered: they are tried again
	}
	st := g.stored
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.last == nil || st.last.key != key {
		st.last = &overlaid{key, overlay.Lay(st.graph, changes, resolver)}
	}
	return st.last.view, nil
}

// read reads a text file for the extractor. A file that is gone, or that is no
// text, is PathNotFound or BinaryFile.
func (g *gateway) read(ctx context.Context, p string) (content []byte, err error) {
	content, _, err = g.tree.Read(ctx, p, g.limit())
	return content, err
}

// factsOf reads the facts of a file as it is now; nil when there is no such
// file. A file that no extractor knows has no facts but its name.
func (g *gateway) factsOf(ctx context.Context, p string) (*facts.File, string, error) {
	content, err := g.read(ctx, p)
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case fault.CodeOf(err) == fault.PathNotFound && !errors.Is(err, fs.ErrPermission):
		return nil, "", nil
	case err != nil:
		g.lacks(p, err)
		return &facts.File{Path: p, Language: factLanguage(p)}, err.Error(), nil // it is a file without facts
	}
	f, hash, err := g.facts.get(ctx, g.Extract, p, content)
	if err != nil {
		g.lacks(p, err)
	}
	return f, hash, ctx.Err()
}

// lacks notes that the facts of a file could not be read, and why the first could not.
func (g *gateway) lacks(p string, err error) {
	if g.unread = append(g.unread, p); len(g.unread) == 1 {
		g.because = err
	}
}

// head is the head of a reply.
func (g *gateway) head(meta *models.Meta) {
	defer func() {
		if len(g.unread) > 0 {
			meta.Warnings = append(meta.Warnings, models.Warning{Code: "FILES_WITHOUT_FACTS", Message: fmt.Sprintf(
				"%s could not be read, the first one %s (%s); uses in them are missing",
				countedFiles(len(g.unread)), g.unread[0], g.because)})
		}
	}()
	if !g.verdict.Graph {
		*meta = models.FallbackResult[models.NavItem](nil, g.why()).Meta
		meta.FreshnessState, meta.IndexStatus = g.verdict.Freshness, g.route.Status
		g.nameStale(meta)
		return
	}
	*meta = models.OKResult[models.NavItem](nil).Meta
	meta.FreshnessState, meta.IndexStatus = g.verdict.Freshness, g.route.Status
	if g.verdict.Freshness == models.Unknown {
		meta.Warnings = append(meta.Warnings, models.Warning{
			Code: "FRESHNESS_UNKNOWN",
			Message: g.route.Reason +
				"; the files were compared with the graph one by one, the answer is of them as they are now",
		})
	}
	if n := g.nameStale(meta); n > 0 {
		meta.Message = models.Opt(
			fmt.Sprintf("%s changed since the graph was built; the answer is of the files as they are now", countedFiles(n)))
	}
}

// nameStale names a few of the files that differ from the graph, and counts them.
func (g *gateway) nameStale(meta *models.Meta) int {
	if g.delta == nil || g.delta.Count() == 0 {
		return 0
	}
	meta.StaleFiles, meta.StaleFileCount = g.delta.Some(maxStaleFiles), g.delta.Count()
	return meta.StaleFileCount
}

const maxStaleFiles = 5

func countedFiles(n int) string {
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
}

// why says why the graph does not answer, and what to do about it.
func (g *gateway) why() string {
	reason := g.route.Reason
	switch {
	case g.delta != nil && g.delta.TooMany:
		reason = "too many files changed since the graph was built"
	case g.route.Status == nil && g.problem != nil:
		reason = "there is no graph"
	case g.problem != nil:
		reason = words(g.problem)
	}
	if !strings.Contains(reason, "ragnav nav build-graph") && g.builds == nil {
		reason += "; `ragnav nav build-graph` makes answers faster"
	}
	return "a live scan: " + reason
}

// words is what people are told of why there is no graph: of an error that has
// words for them those, not its cause.
func words(err error) string {
	if known, ok := errors.AsType[*fault.Error](err); ok {
		return known.Message
	}
	return firstLine(err)
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// folder reads files for snippets and searches.
func (g *gateway) folder() *scan.Folder { return scan.OpenFolder(g.tree.Root()) }
