package gateway

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/fresh/artifact"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve/languages"
	"github.com/ragnav/ragnav/internal/nav/scan"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
	"github.com/ragnav/ragnav/internal/repo/relpath"
	"github.com/ragnav/ragnav/internal/repo/worktrees"
)

// OpenArtifacts opens the folder of artifacts of a tree, which is no symlink.
func OpenArtifacts(tree *disk.Folder) (*os.Root, error) {
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

// A Gateway is what one request may be answered from.
type Gateway struct {
	Opener *Opener

	Tree    *disk.Folder
	ID      models.RepoID
	Route   artifact.Route
	Verdict artifact.Verdict
	Delta   *fresh.Delta         // nil without a graph
	Stored  *Stored              // nil without a graph
	problem error                // why there is none
	Unread  []Lack               // files that had to be read for the answer, and whose facts could not be
	about   []string             // languages of the definitions that are asked about; none: it may be of any
	shut    []string             // without a graph: folders that can't be read
	again   bool                 // one of them may be read another time
	locks   map[string]*lockFile // that were asked for, by path
	Answer  *Symbols             // nil: not made yet; else what all of one reply is answered from
	whole   bool                 // git keeps nothing out of the folder
}

// Open opens the repository and decides what answers for it. Close it.
func (s *Opener) Open(ctx context.Context, id models.RepoID) (*Gateway, error) {
	known, err := s.Repos.Repository(ctx, id)
	if err != nil {
		return nil, err
	}
	return s.OpenKnown(ctx, known)
}

// OpenKnown is Open of a repository whose record was read.
func (s *Opener) OpenKnown(ctx context.Context, known models.Repository) (*Gateway, error) {
	if g := NewGlance(s).Unchanged(ctx, known); g != nil {
		return g, nil
	}
	return s.OpenAnew(ctx, known)
}

// OpenAnew is OpenKnown of a repository that is not known to be unchanged.
func (s *Opener) OpenAnew(ctx context.Context, known models.Repository) (*Gateway, error) {
	built := builtAt(known.Root)
	g, err := s.openAny(ctx, known)
	if err == nil {
		err = g.served()
	}
	if err != nil {
		return nil, err
	}
	learn(g, known, built)
	return g, nil
}

// served closes what has no files to serve: that is an error.
func (g *Gateway) served() error {
	err := worktrees.NoWorkTree(g.Tree.Root())
	if err != nil {
		g.Close()
	}
	return err
}

// OpenAny is open, also for what has no files to serve: its status can be told.
func (s *Opener) OpenAny(ctx context.Context, id models.RepoID) (*Gateway, error) {
	known, err := s.Repos.Repository(ctx, id)
	if err != nil {
		return nil, err
	}
	return s.openAny(ctx, known)
}

func (s *Opener) openAny(ctx context.Context, known models.Repository) (*Gateway, error) {
	tree, err := s.treeOf(ctx, known)
	if err != nil {
		return nil, err
	}
	g := &Gateway{Opener: s, Tree: tree, ID: known.RepoID}
	if err := g.judge(ctx); err != nil {
		return nil, errors.Join(err, tree.Close())
	}
	return g, nil
}

func (g *Gateway) judge(ctx context.Context) error {
	g.Stored, g.problem = g.Opener.Kept.Stored(g.Tree)
	if g.problem == nil {
		delta, err := g.Stored.Manifest.Check(ctx, g.Tree, g.Opener.Options())
		if ctx.Err() != nil {
			return cmp.Or(err, ctx.Err()) // git that does not answer says so
		}
		if err == nil {
			g.Delta = &delta
		}
		g.problem = err
	}
	if g.Delta != nil {
		g.Route = artifact.RouteAt(g.Tree, g.Delta.Head)
	} else {
		g.Route = artifact.ComputeRoute(ctx, g.Tree)
	}
	g.Verdict = artifact.Judge(g.Route, g.Delta)
	return nil
}

// Close closes the folder of the repository.
func (g *Gateway) Close() { _ = g.Tree.Close() }

// Options are those by which files are compared with a manifest.
func (s *Opener) Options() fresh.Options {
	return fresh.Options{Limits: s.Listed, Now: s.clock, Watchers: s.Watchers}
}

// Sparse reports whether git keeps files of the repository out of its folder.
func (g *Gateway) Sparse(ctx context.Context) (bool, error) {
	if g.whole {
		return false, nil
	}
	return listing.Sparse(ctx, g.Tree)
}

// changes are what changed since the graph was built, and what tells it from
// others.
func (g *Gateway) changes(ctx context.Context) (overlay.Changes, string, error) {
	changes := overlay.Changes{Deleted: g.Delta.Deleted, Hashes: map[string]graph.Hash{}}
	var key strings.Builder
	for _, p := range g.Verdict.Live {
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

// View is the graph with the changed files over it.
func (g *Gateway) View(ctx context.Context) (*overlay.View, error) {
	changes, key, err := g.changes(ctx)
	if err != nil {
		return nil, err
	}
	return g.laid(changes, key), nil
}

// laid is the graph with changes over it.
func (g *Gateway) laid(changes overlay.Changes, key string) *overlay.View {
	resolver := Resolver
	if key != "" {
		resolver = g.Stored.resolver(g.Tree)
	}
	if g.again {
		return overlay.Lay(g.Stored.Graph, changes, resolver) // not remembered: they are tried again
	}
	st := g.Stored
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.last == nil || st.last.key != key {
		st.last = &overlaid{key, overlay.Lay(st.Graph, changes, resolver)}
	}
	return st.last.view
}

// pathOf is the absolute path of a file.
func (g *Gateway) pathOf(p string) string { return filepath.Join(g.Tree.Root(), filepath.FromSlash(p)) }

// Read reads a text file for the extractor. A file that is gone, or that is no
// text, is PathNotFound or BinaryFile.
func (g *Gateway) Read(ctx context.Context, p string) (content []byte, err error) {
	content, _, err = g.Tree.Read(ctx, p, g.Opener.Limit())
	return content, err
}

// factsOf reads the facts of a file as it is now; nil when there is no such
// file. A file that no extractor knows has no facts but its name.
func (g *Gateway) factsOf(ctx context.Context, p string) (*facts.File, string, error) {
	content, err := g.Read(ctx, p)
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case fault.CodeOf(err) == fault.PathNotFound && !errors.Is(err, fs.ErrPermission):
		return nil, "", nil
	case err != nil:
		g.Lacks(p, err)
		g.again = true
		return &facts.File{Path: p, Language: FactLanguage(p)}, err.Error(), nil // it is a file without facts
	}
	if int64(len(content)) > g.Opener.Limit() { // and may go on
		return &facts.File{Path: p, Language: FactLanguage(p)}, "too large", nil
	}
	f, hash, err := g.Opener.Facts.Get(ctx, g.Opener.Extract, p, content)
	if err != nil {
		g.Lacks(p, err)
		g.again = g.again || g.Opener.Facts.why(p, hash) == nil
	}
	return f, hash, ctx.Err()
}

// Lacks notes that the facts of a file could not be read, and why. Of what no language has,
// as pictures, there are none.
func (g *Gateway) Lacks(p string, err error) {
	if l := FactLanguage(p); languages.All()[l] == nil && !configures(l) {
		return
	}
	at, _ := slices.BinarySearchFunc(g.Unread, p, func(l Lack, p string) int { return strings.Compare(l.Path, p) })
	g.Unread = slices.Insert(g.Unread, at, Lack{p, err}) // in order: which is asked for first may change
}

// Concerns has a reply be about definitions: files in languages that use none of these
// are not missed.
func (g *Gateway) Concerns(defs []overlay.Def) {
	for _, d := range defs {
		if l := FactLanguage(d.File); !slices.Contains(g.about, l) {
			g.about = append(g.about, l)
		}
	}
}

// concerning are the files without facts in which there may be what is asked for.
func (g *Gateway) concerning() []Lack {
	return slices.DeleteFunc(slices.Clone(g.Unread), func(l Lack) bool {
		language := FactLanguage(l.Path)
		return len(g.about) > 0 && !configures(language) &&
			!slices.ContainsFunc(g.about, func(of string) bool { return languages.Meet(of, language) })
	})
}

// closed are the folders of the repository that can't be read.
func (g *Gateway) closed() []string {
	if g.Verdict.Graph && g.Stored != nil {
		return fresh.Closed(g.Stored.Manifest, g.Tree)
	}
	return g.shut
}

// Head is the head of a reply.
func (g *Gateway) Head(meta *models.Meta) {
	defer func() {
		if lacks := g.concerning(); len(lacks) > 0 {
			meta.Warnings = append(meta.Warnings, models.Warning{Code: "FILES_WITHOUT_FACTS", Message: fmt.Sprintf(
				"%s could not be read, the first one %s (%s); uses in them are missing",
				CountedFiles(len(lacks)), lacks[0].Path, Words(lacks[0].why))})
		}
		if w, some := ClosedFolders(g.closed()); some {
			meta.Warnings = append(meta.Warnings, w)
		}
	}()
	if !g.Verdict.Graph {
		*meta = models.FallbackResult[models.NavItem](nil, g.why()).Meta
		meta.FreshnessState, meta.IndexStatus = g.Verdict.Freshness, g.Route.Status
		g.nameStale(meta)
		return
	}
	*meta = models.OKResult[models.NavItem](nil).Meta
	meta.FreshnessState, meta.IndexStatus = g.Verdict.Freshness, g.Route.Status
	if g.Verdict.Freshness == models.Unknown {
		meta.Warnings = append(meta.Warnings, models.Warning{
			Code: "FRESHNESS_UNKNOWN",
			Message: g.Route.Reason +
				"; the files were compared with the graph one by one, the answer is of them as they are now",
		})
	}
	if n := g.nameStale(meta); n > 0 {
		meta.Message = models.Opt(CountedFiles(n) + " changed since the graph was built; " + models.AsNow)
	}
}

// nameStale names a few of the files that differ from the graph, and counts them.
func (g *Gateway) nameStale(meta *models.Meta) int {
	if g.Delta == nil || g.Delta.Count() == 0 {
		return 0
	}
	meta.StaleFiles, meta.StaleFileCount = g.Delta.Some(MaxStaleFiles), g.Delta.Count()
	return meta.StaleFileCount
}

// MaxStaleFiles is how many files that differ from the graph a reply names.
const MaxStaleFiles = 5

// CountedFiles is a number of files in words.
func CountedFiles(n int) string {
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
}

// why says why the graph does not answer, and what to do about it.
func (g *Gateway) why() string {
	reason := g.Route.Reason
	switch {
	case g.Delta != nil && g.Delta.TooMany:
		reason = "too many files changed since the graph was built"
	case g.Route.Status == nil && g.problem != nil && !errors.Is(g.problem, fs.ErrPermission):
		reason = "there is no graph"
	case g.problem != nil:
		reason = Words(g.problem)
	}
	if !strings.Contains(reason, BuildCommand) && g.Opener.Later == nil {
		reason += "; `" + BuildCommand + "` makes answers faster"
	}
	return "a live scan: " + g.Naming(reason)
}

// Excuse adds to an error that a name has no definition what could not be read, or is
// kept elsewhere: it may be there.
func (g *Gateway) Excuse(ctx context.Context, err error) error {
	known, ok := errors.AsType[*fault.Error](err)
	if !ok || known.Code != fault.SymbolNotFound {
		return err
	}
	text := known.Message
	if lacks := g.concerning(); len(lacks) > 0 {
		text += fmt.Sprintf("; %s could not be read and may define it, the first one %s (%s)",
			CountedFiles(len(lacks)), lacks[0].Path, Words(lacks[0].why))
	}
	if shut := g.closed(); len(shut) > 0 {
		text += fmt.Sprintf("; it may be in %s that can't be read, the first one %s",
			models.Counted(len(shut), "folder"), shut[0])
	}
	if sparse, wrong := g.Sparse(ctx); sparse && wrong == nil {
		text += "; it may be outside of the sparse checkout, to which `git sparse-checkout add` adds"
	}
	if unseen, wrong := g.Opener.Unseen(ctx, g.ID); wrong == nil && unseen.Nested > 0 {
		text += fmt.Sprintf("; it may be in %s, searched where indexed as such",
			models.Counted(unseen.Nested, "nested repository"))
	}
	return fault.New(fault.SymbolNotFound, "%s", text)
}

// BuildCommand is what builds the graph of the folder that one is in.
const BuildCommand = "ragnav nav build-graph"

// Naming is a text with the repository behind the command that builds its graph.
func (g *Gateway) Naming(text string) string {
	return strings.ReplaceAll(text, BuildCommand, BuildCommand+" -r "+string(g.ID))
}

// Words is what people are told of why there is no graph: of an error that has
// words for them those, not its cause.
func Words(err error) string {
	if known, ok := fault.As(err); ok {
		return known.Message
	}
	return firstLine(err)
}

// firstLine is that of an error.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// folder reads files for snippets and searches.
func (g *Gateway) folder() *scan.Folder { return scan.OpenFolder(g.Tree.Root()) }

// AddMessage adds a sentence to the message of a reply.
func AddMessage(meta *models.Meta, text string) {
	if meta.Message != nil {
		text = *meta.Message + "; " + text
	}
	meta.Message = &text
}

// TextOf is the text of a file; nil where there is none.
func TextOf(ctx context.Context, g *Gateway, p string) (*string, error) {
	p, err := relpath.Clean(p)
	if err != nil {
		return nil, err
	}
	content, err := g.Read(ctx, p)
	switch fault.CodeOf(err) {
	case fault.PathNotFound, fault.BinaryFile:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return Decoded(content), nil
}

// Decoded is content as text; nil of what is no text.
func Decoded(content []byte) *string {
	text, ok := parse.Decode(content)
	if !ok {
		return nil
	}
	return &text
}
