package nav

import (
	"cmp"
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/fresh/artifact"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/build"
	"github.com/ragnav/ragnav/internal/nav/graph/lineage"
	"github.com/ragnav/ragnav/internal/nav/graph/lookup"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/graph/usage"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/nav/resolve/languages"
	"github.com/ragnav/ragnav/internal/nav/scip"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/reader"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
	"github.com/ragnav/ragnav/internal/repo/worktrees"
)

// Repositories finds a repository; an unknown id is a fault.RepoNotFound.
type Repositories interface {
	Repository(ctx context.Context, id models.RepoID) (models.Repository, error)
	// Open opens the files of a repository; without any it is a fault.PathNotFound.
	Open(ctx context.Context, known models.Repository) (repo.Files, error)
}

// Config is what a Service needs. Now may be nil.
type Config struct {
	Repos Repositories
	// Match returns the repositories that a filter means; nil where there is one.
	Match   func(ctx context.Context, filter string) ([]models.Repository, error)
	Extract build.Extractor
	// Locals reads the names that mean something in a part of a file only; nil:
	// none are known.
	Locals  func(ctx context.Context, path, language, text string) ([]facts.Local, error)
	Outline reader.Parser // tells signatures and doc comments
	// Revision changes when the same facts are resolved to something else.
	Revision string
	Limits   listing.Limits // those of the index: facts are read of such files, others are only searched
	Workers  int            // 0: as many as there are processors
	Now      func() time.Time
	// Watchers make checks of what is asked about again cheap; nil: none. Their
	// owner closes them.
	Watchers *fresh.Watchers
}

// A Service answers for repositories that have a folder on this machine. Its
// methods may be called concurrently.
type Service struct {
	Config

	listed listing.Limits // of the files that are listed and searched

	builds *builds // nil: none are built in the background
	kept   cache
	facts  *factMemory
}

// New returns a Service.
func New(c Config) *Service {
	if c.Now == nil {
		c.Now = time.Now
	}
	s := &Service{
		Config: c, listed: c.Limits, facts: newFactMemory(),
		kept: cache{
			graphs: map[string]*stored{}, joints: map[string]*jointed{},
			broken: map[string]bool{}, headers: map[viewPair][]string{},
		},
	}
	s.listed.MaxFileSize = max(maxSearched, s.limit())
	return s
}

// maxSearched is the size in bytes of the largest file that is searched.
const maxSearched = 64 << 20

// resolver resolves by all languages there are.
func resolver(w resolve.World) graph.Resolver { return resolve.New(w, languages.All()) }

// tree opens the folder of a repository, and tells its whole id.
func (s *Service) tree(ctx context.Context, id models.RepoID) (*disk.Folder, models.RepoID, error) {
	known, err := s.Repos.Repository(ctx, id)
	if err != nil {
		return nil, "", err
	}
	files, err := s.Repos.Open(ctx, known)
	if err != nil {
		return nil, "", err
	}
	if tree, ok := files.(repo.Tree); ok {
		return tree.Folder, known.RepoID, nil
	}
	_ = files.Close()
	return nil, "", fault.New(fault.PathNotFound,
		"the folder %s of repository %s is not on this machine, and navigation needs it; ask the server that has it, or "+
			"share --repos-dir", known.Root, id)
}

// limit is the size in bytes of the largest file whose facts are read.
func (s *Service) limit() int64 {
	return cmp.Or(max(s.Limits.MaxFileSize, 0), listing.DefaultMaxFileSize)
}

// soundAttempts is how often a question is asked while graphs turn out to be
// damaged.
const soundAttempts = 3

// sound answers a question. Most of a graph is read when it is asked for; when
// something was not what had been written, the graph is given up and the
// question asked again, which the file system then answers.
func sound[Q, R any](
	ctx context.Context, s *Service, req Q, ask func(context.Context, *Service, Q) (R, error),
) (R, error) {
	for range soundAttempts {
		before := s.kept.losses.Load()
		res, err := ask(ctx, s, req)
		if s.kept.losses.Load() == before {
			return res, err
		}
		s.kept.dropDamaged()
	}
	var none R
	return none, fault.New(fault.IndexNotReady,
		"the graph of this repository can't be read; build it again with: ragnav nav build-graph --full")
}

// Build builds the graph of a repository into its folder .llmc: the list of
// files, the graph, and last the status file, each of them at once. While
// another build of it runs it is a fault.Conflict. Whatever ends it early, the
// graph before stays.
func (s *Service) Build(ctx context.Context, req BuildRequest) (BuildResponse, error) {
	start := s.Now()
	tree, id, err := s.tree(ctx, req.RepoID)
	if err != nil {
		return BuildResponse{}, err
	}
	req.RepoID = id
	defer func() { _ = tree.Close() }()
	if err := worktrees.NoWorkTree(tree.Root()); err != nil {
		return BuildResponse{}, err
	}
	b := builder{Service: s, tree: tree, req: req}
	if err := b.run(ctx); err != nil {
		return BuildResponse{}, err
	}
	b.info.TookMS = s.Now().Sub(start).Milliseconds()
	res := BuildResponse{models.OKResult([]models.GraphInfo{b.info})}
	res.Meta.FreshnessState, res.Meta.IndexStatus = models.Fresh, &b.status
	res.Meta.Warnings = b.warnings()
	return res, nil
}

// ExportSCIP writes the graph of a repository, with its files as they are now, as
// a SCIP index into its folder .llmc, at once. Without a graph it is IndexNotReady.
func (s *Service) ExportSCIP(ctx context.Context, req ExportRequest) (ExportResponse, error) {
	g, err := s.open(ctx, req.RepoID)
	if err != nil {
		return ExportResponse{}, err
	}
	defer g.Close()
	if !g.verdict.Graph {
		return ExportResponse{},
			fault.New(fault.IndexNotReady, "an index is written from a graph; build it with: ragnav nav build-graph")
	}
	view, err := g.view(ctx)
	if err != nil {
		return ExportResponse{}, err
	}
	mods, err := modulesOf(ctx, g)
	if err != nil {
		return ExportResponse{}, err
	}
	export := scip.Export{
		View: view, Tool: scip.Metadata{
			ToolName: "ragnav", ToolVersion: s.Revision,
			ProjectRoot: "file://" + filepath.ToSlash(g.tree.Root()),
		}, IsTest: isTest,
		Read: func(ctx context.Context, p string) (string, bool) {
			content, err := g.read(ctx, p)
			if err != nil {
				return "", false
			}
			return parse.Decode(content)
		},
		Package: mods.packageOf,
	}
	size, counts := &counter{}, scip.Counts{}
	if err := artifact.WriteArtifact(g.tree, exportedName, func(w io.Writer) (err error) {
		counts, err = export.Write(ctx, io.MultiWriter(w, size))
		return err
	}); err != nil {
		return ExportResponse{}, err
	}
	res := ExportResponse{models.OKResult([]models.SCIPIndex{{
		RepoID: g.id, File: Exported, Bytes: size.n, Documents: counts.Documents, Occurrences: counts.Occurrences,
		Symbols: counts.Symbols,
	}})}
	g.head(&res.Meta)
	return res, nil
}

// Definition tells what the name at a place stands for: where that is declared,
// its signature and its doc comment. What is bound in a part of the file only
// (parameters, variables of functions) is found too, and what another indexed
// repository declares whose modules this one takes. A place without a name gives
// no item and a message.
func (s *Service) Definition(ctx context.Context, req DefinitionRequest) (DefinitionResponse, error) {
	return sound(ctx, s, req, definitionOnce)
}

// Impact tells which symbols an edit changes, who is affected by that and which
// tests reach them: of the files as they are against a commit, of a range of
// commits, or of a diff. What breaks callers comes first.
func (s *Service) Impact(ctx context.Context, req ImpactRequest) (ImpactResponse, error) {
	return sound(ctx, s, req, impactOnce)
}

// Implementations finds what implements, extends or overrides a type or method,
// directly and through others, or what it implements, extends and overrides:
// also where only the methods of a type say so. Nearest come first.
func (s *Service) Implementations(ctx context.Context, req ImplementationsRequest) (ImplementationsResponse, error) {
	return sound(ctx, s, req, implementationsOnce)
}

// Lineage follows uses from a symbol over several hops, nearest first: upstream
// to what reaches it, downstream to what it reaches. Of several definitions of
// the name all are followed, one after the other.
func (s *Service) Lineage(ctx context.Context, req LineageRequest) (LineageResponse, error) {
	return sound(ctx, s, req, lineageOnce)
}

// Map tells what a repository, or a folder of it, is made of on one page:
// folders with their purpose, the functions and types that most of the rest
// uses, where it begins to run, and how manifests say it is built and tested.
func (s *Service) Map(ctx context.Context, req MapRequest) (MapResponse, error) {
	return sound(ctx, s, req, mapOnce)
}

// CountUses tells of hits that are symbols of a graph how often they are used,
// by that alone: nothing is compared with the folder, and a symbol that is not
// where the graph has it is not told of.
func (s *Service) CountUses(ctx context.Context, hits []models.SearchResult) {
	graphs := map[models.RepoID]*graph.Graph{}
	for i := range hits {
		h := &hits[i]
		if h.DocType != models.TypeSymbol || h.FilePath == nil || h.StartLine == nil || h.SymbolName == nil ||
			h.Kind == "chunk" {
			continue
		}
		g, known := graphs[h.RepoID]
		if !known {
			g = graphOf(ctx, s, h.RepoID)
			graphs[h.RepoID] = g
		}
		if g == nil {
			continue
		}
		if uses, tests, ok := g.CountUses(*h.FilePath, *h.SymbolName, *h.StartLine, *h.EndLine, isTest); ok {
			h.Uses, h.Tests = &uses, &tests
		}
	}
}

// Near finds the neighbours of an indexed symbol, up to a limit each way, by the
// graph alone, doubtful ones left out. Nothing is scanned: without a graph that is true of the files as
// they are, or without such a symbol in it, ok is false.
func (s *Service) Near(ctx context.Context, symbol models.Header, limit int) (n Neighbourhood, ok bool, err error) {
	g, err := s.open(ctx, symbol.RepoID)
	if err != nil {
		return n, false, err
	}
	defer g.Close()
	if !g.verdict.Graph || len(g.verdict.Live) > maxLive {
		return n, false, nil
	}
	view, err := g.view(ctx)
	if err != nil {
		return n, false, err
	}
	defs := lookup.Find(view, symbol.SymbolName, lookup.Pick{File: symbol.FilePath})
	i := slices.IndexFunc(defs, func(d overlay.Def) bool { return d.Line >= symbol.StartLine && d.Line <= symbol.EndLine })
	if i < 0 {
		return n, false, nil
	}
	users := usage.Of(view, defs[i], usage.Options{Last: isTest})
	seen := map[string]bool{defs[i].ID: true}
	for _, use := range users.Uses {
		if use.In.ID != "" && use.Confidence >= sure && !seen[use.In.ID] {
			seen[use.In.ID] = true
			if n.Total++; len(n.Users) < limit {
				n.Users = append(n.Users, definition(use.In))
			}
		}
	}
	below, err := lineage.Follow(ctx, view, defs[i], lineage.Downstream, lineage.Options{Depth: 1, MaxResults: limit})
	for _, r := range below.Items {
		if r.Def.ID != "" && r.Confidence >= sure {
			n.Used = append(n.Used, definition(r.Def))
		}
	}
	if g.stored.graph.Damaged() {
		s.kept.dropDamaged()
		return Neighbourhood{}, false, err
	}
	return n, true, err
}

// Search finds lines with a text, or that match a regular expression, in order
// of repository, path and line: in the files that the graph knows and those that
// changed since, or else in all that the folder has now.
func (s *Service) Search(ctx context.Context, req SearchRequest) (SearchResponse, error) {
	return sound(ctx, s, req, searchOnce)
}

// Status tells whether the graph may be used by its status file and HEAD, and
// which files changed since it was built.
func (s *Service) Status(ctx context.Context, req StatusRequest) (StatusResponse, error) {
	g, err := s.openAny(ctx, req.RepoID)
	if err != nil {
		return StatusResponse{}, err
	}
	defer g.Close()
	item := models.NavStatus{
		RepoID: g.id, UseRAG: g.route.UseRAG, Freshness: g.route.Freshness, Reason: g.route.Reason,
		Status: g.route.Status, Answers: g.verdict.Source,
	}
	if item.Head, err = g.tree.Head(ctx); err != nil {
		item.Head = ""
	}
	if g.delta != nil {
		item.Head = g.delta.Head
		item.Changes = &models.NavChanges{
			Changed: len(g.delta.Changed), Added: len(g.delta.Added), Deleted: len(g.delta.Deleted),
			Files: append([]string{}, g.delta.Some(maxStaleFiles)...), Since: map[string]string{},
		}
		for _, file := range item.Changes.Files {
			if stat, err := g.tree.Stat(ctx, file); err == nil {
				item.Changes.Since[file] = time.Unix(0, stat.ModTime).UTC().Format(time.RFC3339)
			}
		}
	}
	if g.stored != nil {
		info := graphInfo(g.id, g.stored.graph, g.stored.manifest)
		info.Skipped, info.Bytes = len(g.stored.failed), jsonSize(g.tree)
		if strings.Contains(g.stored.graph.Resolver(), scipMark) {
			info.Exact = scip.Load(g.tree).Len()
		}
		item.Graph = &info
	}
	if req.Modules {
		if err := dependencies(ctx, s, g.id, &item); err != nil {
			return StatusResponse{}, err
		}
	}
	res := StatusResponse{models.OKResult([]models.NavStatus{item})}
	g.head(&res.Meta)
	res.Meta.Status = models.StatusOK
	if g.verdict.Graph { // what spec 002 says of the commit; the changes are beside it
		res.Meta.FreshnessState = g.route.Freshness
	}
	if res.Meta.Message == nil && res.Meta.FreshnessState != models.Fresh {
		res.Meta.Message = &item.Reason
	}
	if err := worktrees.NoWorkTree(g.tree.Root()); err != nil { // nothing here answers
		res.Meta.Message = models.Opt(words(err))
	}
	return res, nil
}

// WhereUsed finds the uses of a symbol by its definition. Of several
// definitions of the name the uses are listed under each, in order of the
// definitions, then of path and line, those in tests behind the others. A name
// without a definition is SYMBOL_NOT_FOUND.
func (s *Service) WhereUsed(ctx context.Context, req WhereUsedRequest) (WhereUsedResponse, error) {
	return sound(ctx, s, req, whereUsedOnce)
}
