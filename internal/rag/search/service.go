// Package search finds documents by meaning and by words at one level.
//
// A search runs a few requests side by side: a lexical leg (BM25), a vector leg
// (nearest neighbours under the same filter) and, when the query names an
// identifier, an exact leg. The legs are fused by a weighted sum of scores
// that were divided by their leg's maximum; then code-aware rules apply. Files,
// modules and repositories also take evidence from the symbols in them, because
// one vector of a whole file says little about what it can do.
package search

import (
	"context"
	"fmt"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/current"
	"github.com/ragnav/ragnav/internal/rag/models"
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

// A Service answers search requests.
type Service struct {
	index Index
	repos Repositories
	embed Embedder

	current Current // nil: freshness is not told
}

// New returns a Service over an index whose vectors were made by embed.
func New(index Index, repos Repositories, embed Embedder) *Service {
	return &Service{index: index, repos: repos, embed: embed}
}

const defaultLimit = 5

// Search returns one page of the documents that answer req.
func (s *Service) Search(ctx context.Context, req Request) (Response, error) {
	req = withDefaults(req)
	if strings.TrimSpace(req.Query) == "" {
		return Response{}, fault.New(fault.InvalidRequest, "query is required: say what to look for")
	}
	offset, err := pageOffset(req)
	if err != nil {
		return Response{}, err
	}
	scope, err := s.scope(ctx, req)
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
	ranked, level, err := s.rankLevels(ctx, req, scope)
	if err != nil {
		return Response{}, fmt.Errorf("search level %s: %w", level, err)
	}
	page := ranked.page(level, offset, *req.Limit)
	if page.beyondPool {
		if page.beyondPool, err = s.more(ctx, scope, page); err != nil {
			return Response{}, fmt.Errorf("count level %s: %w", level, err)
		}
	}
	resp, err := s.respond(ctx, req, scope, page)
	if err == nil && s.current != nil {
		freshness(standings, level, &resp)
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
// query suggests and widens only when nothing is there.
func (s *Service) rankLevels(ctx context.Context, req Request, sc scope) (ranking, models.Level, error) {
	levels := []models.Level{req.Level}
	if req.Level == models.LevelAuto {
		levels = route(req.Query)
	}
	q := analyse(req.Query)
	vector, warnings, err := s.queryVector(ctx, req)
	if err != nil {
		return ranking{}, levels[0], err
	}
	base := legs{svc: s, scope: sc, query: q, lexical: req.Mode != ModeSemantic, vector: vector}
	var ranked ranking
	for _, level := range levels {
		found, err := gather(ctx, level, base)
		if err != nil {
			return ranking{}, level, err
		}
		ranked = rank(level, q, found)
		ranked.byMeaning = vector != nil
		ranked.warnings = append(ranked.warnings, warnings...)
		if len(ranked.hits) > 0 {
			return ranked, level, nil
		}
	}
	return ranked, levels[0], nil
}
