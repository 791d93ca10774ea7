// Package search finds documents by meaning and by words at one level.
//
// A search runs a few requests side by side: a lexical leg (BM25), a vector leg
// (nearest neighbours under the same filter) and, when the query names an
// identifier, an exact leg. The legs are fused by a weighted sum of scores
// that were divided by their leg's maximum; then code-aware rules apply, and what has
// the query word for word, as its lines show, is put first. Files,
// modules and repositories also take evidence from the symbols in them, because
// one vector of a whole file says little about what it can do.
package search

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/query"
	"github.com/ragnav/ragnav/internal/rag/current"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search/intent"
)

// An Index executes search requests and returns documents by id.
type Index interface {
	Search(ctx context.Context, req fts.Request) (fts.Result, error)
	Documents(ctx context.Context, ids []models.DocumentID) ([]models.Document, error)
}

// Repositories resolves a repository filter. No match is fault.RepoNotFound,
// matches none of which can answer yet are fault.IndexNotReady. Those that can
// are models.StateFresh.
type Repositories interface {
	Match(ctx context.Context, filter string) ([]models.Repository, error)
}

// An Embedder makes query vectors; nil stands for a text without usable words.
type Embedder interface {
	Queries(ctx context.Context, texts []string) ([][]float32, error)
}

// joined reports whether vectors are those of a model on a server and of the table.
func joined(e Embedder) bool {
	of, ok := e.(interface{ Manifest() embed.Manifest })
	return ok && of.Manifest().Joined()
}

// A Service answers search requests.
type Service struct {
	embed Embedder

	current Current // nil: freshness is not told
	graph   Graph   // nil: uses are not counted

	reranking reranking

	scopes scopes
	words  counter
	lines  lineFinder
}

// New returns a Service over an index whose vectors were made by embed.
func New(index Index, repos Repositories, embed Embedder) *Service {
	analyser := sync.OnceValue(fts.NewAnalyser)
	return &Service{
		embed: embed, scopes: scopes{index: index, repos: repos}, words: counter{index, analyser},
		lines: lineFinder{analyser: analyser},
	}
}

const defaultLimit = 5

// A Graph knows who uses symbols.
type Graph interface {
	// CountUses tells of hits that are symbols of a graph how often they are used,
	// and how often in tests; edited: files changed since the index was made. Without
	// a graph it tells nothing.
	CountUses(ctx context.Context, hits []models.SearchResult, edited bool)
}

// Follow makes searches tell how often the symbols that they find are used.
func (s *Service) Follow(g Graph) { s.graph = g }

// Read sets what phrases and regular expressions are looked for in.
func (s *Service) Read(lines LineReader) { s.lines.lines, s.scopes.lines = lines, lines }

// Compare makes searches see, and say, what changed since the index was made.
func (s *Service) Compare(c Current) { s.current = c }

// Hold is for what makes one answer of several searches: under the context that
// it returns they see the same files, those of the repositories that a filter means.
func (s *Service) Hold(ctx context.Context, repoFilter string) (over context.Context, release func(), err error) {
	repos, err := s.scopes.repos.Match(ctx, repoFilter)
	if err != nil || s.current == nil {
		return ctx, func() {}, err
	}
	over, _, release, err = s.current.Lay(ctx, ready(repos))
	return over, release, err
}

// Meant is the repository that a question names which is about it as a whole, where
// several are indexed; "" for none.
func (s *Service) Meant(ctx context.Context, question string) (models.RepoID, error) {
	repos, err := s.scopes.repos.Match(ctx, "")
	return intent.Meant(question, repos), err
}

// Query is Search with a query in the language of package query. Where the request
// has no level, sym: and kind: are of symbols and tag: is of documents. Hits have
// the lines that match, where they can be read.
func (s *Service) Query(ctx context.Context, req Request) (Response, error) {
	asked, err := query.Parse(req.Query)
	if err != nil {
		return Response{}, err
	}
	of := asked.Globs()
	for _, globs := range of {
		if some, err := s.scopes.selects(ctx, req, globs); err != nil || !some {
			continue // it is words: what is wrong with the request is told of these
		}
		return s.query(ctx, req, globs)
	}
	if len(of) > 0 && asked.OnlyPaths() { // what is like their words is no file of theirs
		return s.query(ctx, req, of[0])
	}
	return s.query(ctx, req, asked)
}

func (s *Service) query(ctx context.Context, req Request, asked query.Query) (Response, error) {
	req.Level = levelOf(asked, req.Level)
	rest := take(&req, asked)
	resp, err := s.run(ctx, req, rest)
	if err != nil {
		return resp, err
	}
	err = elsewhere(req, &resp, func(other Request) (Response, error) { return s.run(ctx, other, rest) })
	if err != nil {
		return resp, err
	}
	if s.graph != nil {
		s.graph.CountUses(ctx, resp.Items, resp.Meta.StaleFileCount > 0)
	}
	warnings, err := s.lines.show(ctx, asked, resp.Items)
	resp.Meta.Warnings = append(resp.Meta.Warnings, warnings...)
	for _, doubt := range asked.Doubts() {
		resp.Meta.Warnings = append(resp.Meta.Warnings, models.Warning{Code: "QUERY_WORDS", Message: doubt})
	}
	return resp, err
}

// Search returns one page of the documents that answer req, whose query is words.
func (s *Service) Search(ctx context.Context, req Request) (Response, error) {
	return s.run(ctx, req, asking{Query: query.Plain(req.Query)})
}

func (s *Service) run(ctx context.Context, req Request, asked asking) (Response, error) {
	req = withDefaults(req)
	if strings.TrimSpace(req.Query) == "" && req.Where == nil {
		return Response{}, fault.New(fault.InvalidRequest, "query is required: say what to look for")
	}
	at, err := beginning(req)
	if err != nil {
		return Response{}, err
	}
	scope, err := s.scopes.meant(ctx, req, asked)
	if err != nil {
		return Response{}, err
	}
	var standings current.Standings
	if s.current != nil {
		over, found, release, err := s.current.Lay(ctx, ready(scope.repos))
		if err != nil {
			return Response{}, fmt.Errorf("lay changed files over the index: %w", err)
		}
		defer release()
		ctx, standings = over, found
	}
	rerank, first := s.reranking.wanted(req, scope), max(at.Offset+*req.Limit, len(at.Order))
	if rerank {
		first = max(first, s.reranking.first)
	}
	ranked, scope, level, err := s.rankLevels(ctx, req, scope, first)
	if err == nil && rerank {
		at.Order, err = s.reranking.order(ctx, s.scopes.index, scope.words, &ranked)
	}
	if err != nil {
		return Response{}, fmt.Errorf("search level %s: %w", level, err)
	}
	ranked.reorder(at.Order)
	page := ranked.page(level, at, *req.Limit)
	if page.beyondPool {
		if page.beyondPool, err = s.scopes.more(ctx, scope, page); err != nil {
			return Response{}, fmt.Errorf("count level %s: %w", level, err)
		}
	}
	resp, err := responder{s.scopes, s.words}.respond(ctx, req, scope, page)
	if err == nil && s.current != nil {
		if standings, err = s.current.Verify(ctx, standings, quoted(resp.Items)); err == nil {
			freshness(standings, level, &resp)
		}
	}
	return resp, err
}

func withDefaults(req Request) Request {
	if req.Level == "" {
		req.Level = models.LevelFile
	}
	if req.Mode == "" {
		req.Mode = ModeHybrid
	}
	if req.Limit == nil {
		req.Limit = new(defaultLimit)
	}
	return req
}

// rankLevels ranks at the level asked for. LevelAuto tries the level that the
// query suggests and widens only when nothing is there. Of what it ranks the first
// so many are in order.
func (s *Service) rankLevels(ctx context.Context, req Request, sc scope, first int) (ranking, scope, models.Level,
	error,
) {
	levels := []models.Level{req.Level}
	if req.Level == models.LevelAuto {
		levels = intent.Levels(sc.words, only(sc.repos))
	}
	words := intent.WithoutName(sc.words, only(sc.repos))
	vector, warnings, err := s.queryVector(ctx, req, intent.Subject(words))
	if err != nil {
		return ranking{}, sc, levels[0], err
	}
	base := legs{
		index: s.scopes.index, words: s.words, query: goal{Intent: intent.Of(words), joined: joined(s.embed)},
		lexical: req.Mode != ModeSemantic, vector: vector, mode: req.Mode, first: first,
	}
	var empty ranking
	var emptyScope scope
	if req.Level == models.LevelAuto && base.query.Parts != nil && levels[0] == models.LevelFile {
		if ranked, narrowed, err := s.parts(ctx, sc, base); err != nil || len(ranked.hits) > 0 {
			ranked.warnings = dedupe(slices.Concat(ranked.warnings, warnings))
			return ranked, narrowed, models.LevelSymbol, err
		}
	}
	for i, level := range levels {
		narrowed, more, err := s.scopes.narrowed(ctx, sc, level)
		if err != nil {
			return ranking{}, sc, level, err
		}
		base.scope = narrowed
		ranked, err := s.rank(ctx, level, base)
		if err != nil {
			return ranking{}, sc, level, err
		}
		if len(levels) > 1 && level == models.LevelRepo {
			err = s.scopes.introduce(ctx, narrowed, &ranked)
		} else if level == models.LevelFile || level == models.LevelSymbol {
			err = s.scopes.enter(ctx, level, narrowed, &ranked)
		}
		ranked.warnings = dedupe(slices.Concat(ranked.warnings, warnings, more))
		if len(ranked.hits) > 0 || err != nil {
			return ranked, narrowed, level, err
		}
		if i == 0 {
			empty, emptyScope = ranked, narrowed
		}
	}
	return empty, emptyScope, levels[0], nil
}

// parts ranks symbols for a query that asks for parts of configuration. It is empty where the
// best hit is none of these: then it asks for something else by the same noun.
func (s *Service) parts(ctx context.Context, sc scope, base legs) (ranking, scope, error) {
	narrowed, more, err := s.scopes.narrowed(ctx, sc, models.LevelSymbol)
	if err != nil {
		return ranking{}, sc, err
	}
	base.scope = narrowed
	ranked, err := s.rank(ctx, models.LevelSymbol, base)
	if err != nil || len(ranked.hits) == 0 || !asksPart(base.query, ranked.hits[0].Header) {
		return ranking{}, sc, err
	}
	ranked.warnings = append(ranked.warnings, more...)
	return ranked, narrowed, nil
}

// queryVector embeds the query. In hybrid mode an embedder that fails costs a
// warning, not the answer.
func (s *Service) queryVector(ctx context.Context, req Request, words string) ([]float32, []models.Warning, error) {
	if req.Mode == ModeLexical || words == "" {
		return nil, nil, nil
	}
	vectors, err := s.embed.Queries(ctx, []string{words})
	switch {
	case err == nil:
		return vectors[0], nil, nil
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case req.Mode == ModeSemantic:
		return nil, nil, embedderFault(err)
	}
	f := embedderFault(err)
	return nil, []models.Warning{{Code: string(f.Code), Message: "searched by words only: " + f.Message}}, nil
}

// rank gathers and ranks at one level, and keeps what the operators select.
func (s *Service) rank(ctx context.Context, level models.Level, base legs) (ranking, error) {
	found, err := gather(ctx, level, base)
	if err != nil {
		return ranking{}, err
	}
	base.query.cover = newCover(s.words.analyser, found.words)
	for _, p := range []pool{found.own, found.symbols} {
		if err := s.lines.quoted(ctx, base.query, found, p); err != nil {
			return ranking{}, err
		}
	}
	first := base.first
	if base.scope.narrow != nil || base.scope.judge != nil { // not all of them stay
		first = math.MaxInt
	}
	r := rank(level, base.query, found, first)
	r.words = found.words
	r.examined, r.cut = len(r.hits), found.own.capped
	if base.scope.narrow != nil && found.symbols.byID != nil {
		if r.hits, err = s.scopes.selected(ctx, base.scope.filter(level.DocType()), r.hits); err != nil {
			return r, err
		}
		r.examined = len(r.hits)
	}
	if j := base.scope.judge; j != nil {
		r.hits, err = j.keep(ctx, r.hits)
		r.warnings = append(r.warnings, j.said(r)...)
	}
	return r, err
}
