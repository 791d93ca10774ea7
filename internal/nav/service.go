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
	"github.com/ragnav/ragnav/internal/fresh/artifact"
	"github.com/ragnav/ragnav/internal/nav/across"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/graph/lineage"
	"github.com/ragnav/ragnav/internal/nav/graph/lookup"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/graph/usage"
	"github.com/ragnav/ragnav/internal/nav/scip"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/filekind"
	"github.com/ragnav/ragnav/internal/repo/worktrees"
)

// A Service answers for repositories that have a folder on this machine. Its
// methods may be called concurrently.
type Service struct {
	gate   *across.Opener
	builds *builds // nil: none are built in the background
	pages  pages
	maps   mapMemory
}

// New returns a Service.
func New(c gateway.Config) *Service { return &Service{gate: across.New(c)} }

// Build builds the graph of a repository into its folder .llmc: the list of
// files, the graph, and last the status file, each of them at once. While
// another build of it runs it is a fault.Conflict. Whatever ends it early, the
// graph before stays.
func (s *Service) Build(ctx context.Context, req BuildRequest) (BuildResponse, error) {
	start := s.gate.Now()
	tree, id, err := s.gate.Tree(ctx, req.RepoID)
	if err != nil {
		return BuildResponse{}, err
	}
	req.RepoID = id
	defer func() { _ = tree.Close() }()
	if err := worktrees.NoWorkTree(tree.Root()); err != nil {
		return BuildResponse{}, err
	}
	b := builder{gate: s.gate.Opener, tree: tree, req: req}
	if err := b.run(ctx); err != nil {
		return BuildResponse{}, err
	}
	b.info.TookMS = s.gate.Now().Sub(start).Milliseconds()
	res := BuildResponse{models.OKResult([]models.GraphInfo{b.info})}
	res.Meta.FreshnessState, res.Meta.IndexStatus = models.Fresh, &b.status
	res.Meta.Warnings = b.warnings()
	return res, nil
}

// ExportSCIP writes the graph of a repository, with its files as they are now, as
// a SCIP index into its folder .llmc, at once. Without a graph it is IndexNotReady.
func (s *Service) ExportSCIP(ctx context.Context, req ExportRequest) (ExportResponse, error) {
	g, err := s.gate.Open(ctx, req.RepoID)
	if err != nil {
		return ExportResponse{}, err
	}
	defer g.Close()
	if !g.Verdict.Graph {
		return ExportResponse{},
			fault.New(fault.IndexNotReady, "an index is written from a graph; build it with: %s", g.Naming(gateway.BuildCommand))
	}
	view, err := g.View(ctx)
	if err != nil {
		return ExportResponse{}, err
	}
	mods, err := gateway.ModulesOf(ctx, g)
	if err != nil {
		return ExportResponse{}, err
	}
	export := scip.Export{
		View: view, Tool: scip.Metadata{
			ToolName: "ragnav", ToolVersion: s.gate.Revision,
			ProjectRoot: "file://" + filepath.ToSlash(g.Tree.Root()),
		}, IsTest: filekind.IsTest,
		Read: func(ctx context.Context, p string) (string, bool) {
			content, err := g.Read(ctx, p)
			if err != nil {
				return "", false
			}
			return parse.Decode(content)
		},
		Package: mods.PackageOf,
	}
	size, counts := &counter{}, scip.Counts{}
	if err := artifact.WriteArtifact(g.Tree, artifact.ExportFile, func(w io.Writer) (err error) {
		counts, err = export.Write(ctx, io.MultiWriter(w, size))
		return err
	}); err != nil {
		return ExportResponse{}, err
	}
	res := ExportResponse{models.OKResult([]models.SCIPIndex{{
		RepoID: g.ID, File: Exported, Bytes: size.n, Documents: counts.Documents, Occurrences: counts.Occurrences,
		Symbols: counts.Symbols,
	}})}
	g.Head(&res.Meta)
	return res, nil
}

// Definition tells what the name at a place stands for: where that is declared,
// its signature and its doc comment. What is bound in a part of the file only
// (parameters, variables of functions) is found too, and what another indexed
// repository declares whose modules this one takes. A place without a name gives
// no item and a message.
func (s *Service) Definition(ctx context.Context, req DefinitionRequest) (DefinitionResponse, error) {
	return gateway.Sound(ctx, s.gate, req, definitionOnce)
}

// Impact tells which symbols an edit changes, who is affected by that and which
// tests reach them: of the files as they are against a commit, of a range of
// commits, or of a diff. What breaks callers comes first.
func (s *Service) Impact(ctx context.Context, req ImpactRequest) (ImpactResponse, error) {
	return gateway.Sound(ctx, s.gate, req, impactOnce)
}

// Implementations finds what implements, extends or overrides a type or method,
// directly and through others, or what it implements, extends and overrides:
// also where only the methods of a type say so. Nearest come first.
func (s *Service) Implementations(ctx context.Context, req ImplementationsRequest) (ImplementationsResponse, error) {
	res, err := gateway.Sound(ctx, s.gate, req, implementationsOnce)
	res.Definitions = listed(res.Definitions, res.Items, &res.Meta)
	return res, err
}

// Lineage follows uses from a symbol over several hops, nearest first: upstream
// to what reaches it, downstream to what it reaches. Of several definitions of
// the name all are followed, one after the other.
func (s *Service) Lineage(ctx context.Context, req LineageRequest) (LineageResponse, error) {
	res, err := gateway.Sound(ctx, s.gate, req, lineageOnce)
	res.Definitions = listed(res.Definitions, res.Items, &res.Meta)
	return res, err
}

// Map tells what a repository, or a folder of it, is made of on one page:
// folders with their purpose, the functions and types that most of the rest
// uses, where it begins to run, and how manifests say it is built and tested.
func (s *Service) Map(ctx context.Context, req MapRequest) (MapResponse, error) {
	return gateway.Sound(ctx, s.gate.Opener, req,
		func(ctx context.Context, o *gateway.Opener, req MapRequest) (MapResponse, error) {
			return mapOnce(ctx, o, &s.maps, req)
		})
}

// CountUses tells of hits that are symbols of a graph how often they are used, by
// that, with files that changed since over it: edited says that some may have. A symbol
// that is not where hits have it is not told of, nor is any behind many changes.
func (s *Service) CountUses(ctx context.Context, hits []models.SearchResult, edited bool) {
	all := map[models.RepoID]*counts{}
	for i := range hits {
		h := &hits[i]
		if h.DocType != models.TypeSymbol || h.FilePath == nil || h.StartLine == nil || h.SymbolName == nil ||
			h.Kind == "chunk" {
			continue
		}
		of, known := all[h.RepoID]
		if !known {
			of = countsOf(ctx, s.gate.Opener, h.RepoID, edited)
			defer of.Close()
			all[h.RepoID] = of
		}
		if uses, tests, ok := of.count(ctx, h); ok {
			h.Uses, h.Tests = &uses, &tests
		}
	}
}

// Near finds the neighbours of an indexed symbol, up to a limit each way, by the
// graph alone, doubtful ones left out. Nothing is scanned: without a graph that is true of the files as
// they are, or without such a symbol in it, ok is false.
func (s *Service) Near(ctx context.Context, symbol models.Header, limit int) (n Neighbourhood, ok bool, err error) {
	g, err := s.gate.Open(ctx, symbol.RepoID)
	if err != nil {
		return n, false, err
	}
	defer g.Close()
	if !g.Verdict.Graph || len(g.Verdict.Live) > maxLive {
		return n, false, nil
	}
	view, err := g.View(ctx)
	if err != nil {
		return n, false, err
	}
	defs := lookup.Find(ctx, view, symbol.SymbolName, lookup.Pick{File: symbol.FilePath})
	i := slices.IndexFunc(defs, func(d overlay.Def) bool { return d.Line >= symbol.StartLine && d.Line <= symbol.EndLine })
	if i < 0 {
		return n, false, nil
	}
	users := usage.Find(ctx, view, defs[i], usage.Options{Last: filekind.IsTest})
	seen := map[string]bool{defs[i].ID: true}
	for j := range users.Len() {
		if use := users.At(j); use.In.ID != "" && use.Confidence >= sure && !seen[use.In.ID] {
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
	kin, kinErr := lineage.Hierarchy(ctx, view, defs[i], false)
	for _, r := range kin[:min(limit, len(kin))] {
		if r.ID != "" && r.Confidence >= sure {
			n.Below = append(n.Below, definition(r.Def))
		}
	}
	if err = cmp.Or(err, kinErr); g.Stored.Graph.Damaged() {
		s.gate.Kept.DropDamaged()
		return Neighbourhood{}, false, err
	}
	return n, true, cmp.Or(err, ctx.Err())
}

// Search finds lines with a text, or that match a regular expression, in order
// of repository, path and line: in the files that the graph knows and those that
// changed since, or else in all that the folder has now.
func (s *Service) Search(ctx context.Context, req SearchRequest) (SearchResponse, error) {
	return gateway.Sound(ctx, s.gate.Opener, req,
		func(ctx context.Context, o *gateway.Opener, req SearchRequest) (SearchResponse, error) {
			return searchOnce(ctx, o, &s.pages, req)
		})
}

// Status tells whether the graph may be used by its status file and HEAD, and
// which files changed since it was built.
func (s *Service) Status(ctx context.Context, req StatusRequest) (StatusResponse, error) {
	g, err := s.gate.OpenAny(ctx, req.RepoID)
	if err != nil {
		return StatusResponse{}, err
	}
	defer g.Close()
	item := models.NavStatus{
		RepoID: g.ID, UseRAG: g.Route.UseRAG, Freshness: g.Route.Freshness, Reason: g.Naming(g.Route.Reason),
		Status: g.Route.Status, Answers: g.Verdict.Source,
	}
	if item.Head, err = g.Tree.Head(ctx); err != nil {
		item.Head = ""
	}
	if g.Delta != nil {
		item.Head = g.Delta.Head
		item.Changes = &models.NavChanges{
			Changed: len(g.Delta.Changed), Added: len(g.Delta.Added), Deleted: len(g.Delta.Deleted),
			Files: append([]string{}, g.Delta.Some(gateway.MaxStaleFiles)...), Since: map[string]string{},
		}
		for _, file := range item.Changes.Files {
			if stat, err := g.Tree.Stat(ctx, file); err == nil {
				item.Changes.Since[file] = time.Unix(0, stat.ModTime).UTC().Format(time.RFC3339)
			}
		}
	}
	if g.Stored != nil {
		info := graphInfo(g.ID, g.Stored.Graph, g.Stored.Manifest)
		info.Skipped, info.Bytes = len(g.Stored.Failed), jsonSize(g.Tree)
		if strings.Contains(g.Stored.Graph.Resolver(), gateway.ScipMark) {
			info.Exact = scip.Load(g.Tree).Len()
		}
		item.Graph = &info
	}
	if req.Modules {
		if err := dependencies(ctx, s.gate, g.ID, &item); err != nil {
			return StatusResponse{}, err
		}
	}
	res := StatusResponse{models.OKResult([]models.NavStatus{item})}
	g.Head(&res.Meta)
	res.Meta.Status = models.StatusOK
	if g.Verdict.Graph { // what spec 002 says of the commit; the changes are beside it
		res.Meta.FreshnessState = g.Route.Freshness
	}
	if res.Meta.Message == nil && res.Meta.FreshnessState != models.Fresh {
		res.Meta.Message = &item.Reason
	}
	if err := worktrees.NoWorkTree(g.Tree.Root()); err != nil { // nothing here answers
		res.Meta.Message = models.Opt(gateway.Words(err))
	}
	return res, nil
}

// WhereUsed finds the uses of a symbol by its definition. Of several
// definitions of the name the uses are listed under each, in order of the
// definitions, then of path and line, those in tests behind the others. A name
// without a definition is SYMBOL_NOT_FOUND.
func (s *Service) WhereUsed(ctx context.Context, req WhereUsedRequest) (WhereUsedResponse, error) {
	res, err := gateway.Sound(ctx, s.gate, req, whereUsedOnce)
	res.Definitions = listed(res.Definitions, res.Items, &res.Meta)
	return res, err
}
