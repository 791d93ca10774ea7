package search

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/rag/models"
)

const (
	previewRunes    = 200
	namedInWarnings = 5 // repositories in a warning about several
)

// A page is a part of a ranking.
type page struct {
	ranking

	level      models.Level
	ranked     int    // results on all pages
	next       int    // offset of the next page, 0 for none
	shown      uint32 // models.Sum of what the pages before showed
	exhausted  bool
	beyondPool bool
}

func (r ranking) page(level models.Level, at models.Position, limit int) page {
	offset := min(at.Offset, len(r.hits))
	p := page{ranking: r, level: level, ranked: len(r.hits), shown: at.Shown}
	if models.Sum(idsOf(r.hits[:offset])) != at.Shown {
		p.warnings = append(slices.Clone(p.warnings), changed)
	}
	end := min(offset+limit, len(r.hits))
	if end < len(r.hits) {
		p.next = end
	}
	p.beyondPool = p.next == 0 && r.capped
	p.exhausted = offset > 0 && offset == len(r.hits)
	p.hits = r.hits[offset:end]
	return p
}

// changed is said of a page when other documents come first than those that the
// pages before showed.
var changed = models.Warning{
	Code: "RANKING_CHANGED",
	Message: "what is searched has changed since the page before, and with it the order: results may come twice or be " +
		"missing; ask without cursor for one order",
}

func idsOf(hits []*hit) []models.DocumentID {
	ids := make([]models.DocumentID, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	return ids
}

// A responder makes replies of pages.
type responder struct {
	scopes scopes
	words  counter
}

func (r responder) respond(ctx context.Context, req Request, sc scope, p page) (Response, error) {
	words := p.words
	weak, err := r.words.weak(ctx, p.level, words, p.hits)
	if err != nil {
		return Response{}, fmt.Errorf("find the words of the query: %w", err)
	}
	if p.asked {
		weak = nil
	}
	items, err := r.items(ctx, req, weak, p.hits)
	if err != nil {
		return Response{}, err
	}
	resp := Response{Result: models.OKResult(items), Query: req.Query, Level: p.level}
	resp.Meta.Warnings = slices.Concat(p.warnings, incomplete(sc.repos), wordsOnly(req.Mode, sc.repos),
		beyond(p.level, sc, len(items) == 0))
	resp.Words, resp.Likeness = words.all, make(map[models.DocumentID]Likeness, len(p.hits))
	for _, h := range p.hits {
		resp.Likeness[h.ID] = words.likeness(h)
	}
	resp.Meta.Total, resp.Meta.TotalAtLeast = &p.ranked, p.next > 0 && p.capped || p.beyondPool
	if p.next > 0 {
		resp.Meta.NextCursor = p.cursor(req)
	}
	resp.Meta.Truncated = p.next > 0 || p.beyondPool
	fits := slices.ContainsFunc(items, sure)
	if !fits && !p.exhausted {
		if words.files, err = r.words.inFiles(ctx, p.level, sc, words); err != nil {
			return Response{}, fmt.Errorf("look for the words in files: %w", err)
		}
	}
	switch {
	case len(items) == 0 && !p.exhausted:
		message, err := emptiness{r.scopes, req, sc, p.level}.reason(ctx, words)
		if err != nil {
			return Response{}, fmt.Errorf("find out why nothing matches: %w", err)
		}
		resp.Meta.Message = new(cmp.Or(p.notAll(sc), message))
	case len(items) > 0 && !fits:
		resp.Meta.Message = new(words.onlyWeak(p.level))
	case p.unnamed(sc.words) != "":
		resp.Meta.Message = new(p.unnamed(sc.words))
	case p.beyondPool:
		resp.Meta.Message = new(
			"this is the end of the ranked results, not of all that match; narrow with path_filter, language or repo_filter " +
				"for more")
	}
	if hint := whole(sc.words, req.Level, sc.repos); hint != "" && len(items) > 0 {
		say(&resp, hint)
	}
	if hint := sc.searched(req, items); hint != "" {
		say(&resp, hint)
	}
	if len(sc.repos) == 1 {
		resp.Meta.IndexStatus = sc.repos[0].Status()
	}
	return resp, nil
}

// cursor is of the page that follows, of which there is one.
func (p page) cursor(req Request) string {
	next := models.Position{Offset: p.next, Shown: p.shown + models.Sum(idsOf(p.hits)), Order: p.order}
	if next.Offset >= len(next.Order) {
		next.Order = nil
	}
	return models.CursorAt(next, identity(req))
}

// say adds to what a reply tells.
func say(resp *Response, hint string) {
	if resp.Meta.Message != nil {
		hint = *resp.Meta.Message + "; " + hint
	}
	resp.Meta.Message = &hint
}

func (r responder) items(ctx context.Context, req Request, weak map[models.DocumentID]bool,
	hits []*hit,
) ([]models.SearchResult, error) {
	docs, err := r.scopes.index.Documents(ctx, idsOf(hits))
	if err != nil {
		return nil, fmt.Errorf("read documents: %w", err)
	}
	byID := make(map[models.DocumentID]models.Document, len(docs))
	for _, d := range docs {
		byID[d.ID] = d
	}
	items := make([]models.SearchResult, 0, len(hits))
	for _, h := range hits {
		// A document removed between the legs and now is not shown: no ghosts.
		if d, ok := byID[h.ID]; ok {
			shown := item(req, h, d)
			shown.Weak = weak[h.ID]
			items = append(items, shown)
		}
	}
	return items, nil
}

func item(req Request, h *hit, d models.Document) models.SearchResult {
	r := models.SearchResult{
		DocumentID: d.ID, DocType: d.Type, RepoID: d.RepoID, Language: d.Language, Content: d.Content, Score: h.score,
		FilePath: models.Opt(d.FilePath), SymbolName: models.Opt(d.SymbolName), ChildrenIDs: d.ChildrenIDs,
	}
	if d.Type == models.TypeSymbol {
		r.Kind, r.Container = d.Kind, container(d.Header)
	}
	if d.Type == models.TypeDocument {
		r.HeadingPath = d.HeaderPath
	}
	if d.ParentID != "" {
		r.ParentID = new(d.ParentID)
	}
	if r.ChildrenIDs == nil {
		r.ChildrenIDs = []models.DocumentID{}
	}
	if d.StartLine > 0 {
		r.StartLine, r.EndLine = new(d.StartLine), new(d.EndLine)
	}
	if req.Preview {
		r.Content = cut(r.Content, previewRunes)
	}
	if req.Explain {
		r.Explain = h.parts.explained()
	}
	return r
}

// container is what the name of a symbol is qualified by.
func container(h models.Header) string {
	of, ok := strings.CutSuffix(h.QualifiedName, h.SymbolName)
	if !ok {
		return ""
	}
	return strings.TrimRight(of, ".:#/\\$")
}

// cut keeps the first n runes of s.
func cut(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

func leftOut(r models.Repository) string {
	message := fmt.Sprintf("%s has no finished index (%s) and was left out", r.RepoID, r.State)
	if r.LastError != "" {
		message += ": " + r.LastError
	}
	return message
}

// wordsOnly warns of documents that a search by meaning can't find yet.
func wordsOnly(mode string, repos []models.Repository) []models.Warning {
	var warnings []models.Warning
	for _, r := range repos {
		if mode != ModeLexical && r.State == models.StateFresh && r.Pending > 0 {
			warnings = append(warnings, models.Warning{Code: models.VectorsMissing, Message: r.SayPending()})
		}
	}
	if n := len(warnings); n > namedInWarnings {
		rest := fmt.Sprintf("documents of %d more repositories have no vector yet; `ragnav doctor` lists them",
			n-namedInWarnings)
		warnings = append(warnings[:namedInWarnings], models.Warning{Code: models.VectorsMissing, Message: rest})
	}
	return warnings
}

// beyond warns of symbols and sections that have no document, at the levels
// and in the files where those would be hits: when nothing else is, or a path is asked
// for. The list of repositories says it of all.
func beyond(level models.Level, sc scope, nothing bool) []models.Warning {
	if !nothing && sc.path.All() {
		return nil
	}
	n, files, named := 0, 0, []string(nil)
	for _, r := range sc.repos {
		symbols, in := beyondOf(r, sc.path)
		if symbols > 0 && r.State == models.StateFresh {
			n, files, named = n+symbols, files+in, append(named, string(r.RepoID))
		}
	}
	if n == 0 || level != models.LevelSymbol && level != models.LevelDoc && level != models.LevelAuto {
		return nil
	}
	where := "a very long file"
	if files > 1 {
		where = fmt.Sprintf("%d very long files", files)
	}
	who := strings.Join(named[:min(len(named), namedInWarnings)], ", ")
	if more := len(named) - namedInWarnings; more > 0 {
		who += fmt.Sprintf(" and %d more", more)
	}
	return []models.Warning{{Code: "SYMBOLS_NOT_SEARCHED", Message: fmt.Sprintf("%d symbols or sections in %s of %s are "+
		"not found one by one; level file and `ragnav nav search` read whole files", n, where, who)}}
}

// beyondOf are the symbols of a repository that have no document, and their files: of
// all files, where it is not known which ones they are.
func beyondOf(r models.Repository, path filter.Path) (symbols, files int) {
	if path.All() || len(r.BeyondIn) < r.BeyondFiles {
		return r.Beyond, r.BeyondFiles
	}
	for file, n := range r.BeyondIn {
		if path.Match(file) {
			symbols, files = symbols+n, files+1
		}
	}
	return symbols, files
}

func incomplete(repos []models.Repository) []models.Warning {
	var warnings []models.Warning
	var updating []string
	for _, r := range repos {
		switch {
		case r.State != models.StateFresh:
			warnings = append(warnings, models.Warning{Code: string(fault.IndexNotReady), Message: leftOut(r)})
		case r.LastError != "":
			warnings = append(warnings,
				models.Warning{Code: "INDEX_INCOMPLETE", Message: fmt.Sprintf("%s: %s", r.RepoID, r.LastError)})
		case r.Updating:
			updating = append(updating, string(r.RepoID))
		}
	}
	if n := len(updating); n > 0 {
		named := strings.Join(updating[:min(n, namedInWarnings)], ", ")
		if n > namedInWarnings {
			named += fmt.Sprintf(" and %d more", n-namedInWarnings)
		}
		warnings = append(warnings,
			models.Warning{
				Code: "INDEX_UPDATING",
				Message: "some files are indexed as they are now and some as they were before: an index run of " + named +
					" has not ended",
			})
	}
	return warnings
}

// identity is what makes two requests pages of one list: all but how it is shown.
func identity(req Request) string {
	req.Limit, req.Cursor, req.MaxTokens, req.Preview, req.Explain = nil, "", nil, false, false
	key, _ := json.Marshal(req) // texts
	return string(key)
}

// beginning is where a page begins, in a list that was begun in that order.
func beginning(req Request) (models.Position, error) {
	at, err := models.CursorPosition(req.Cursor, identity(req))
	if err != nil {
		err = fault.Wrap(fault.InvalidRequest, err, "cursor: %v", err)
	}
	return at, err
}
