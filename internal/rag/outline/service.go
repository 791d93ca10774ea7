// Package outline tells what is in a file, live from the file as it is or as a
// commit has it: its symbols nested, or the headings of a document.
package outline

import (
	"context"
	"fmt"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// defaultLimit is how many symbols a page has.
const defaultLimit = 1000

// A Reader reads a file and parses it.
type Reader interface {
	// Outline reads the file as it is, or as a commit has it.
	Outline(ctx context.Context, id models.RepoID, file, commit string) (filefetch.Outline, error)
}

// A Service outlines files.
type Service struct{ files Reader }

// New returns a Service for the files that r reads.
func New(r Reader) *Service { return &Service{r} }

// Outline lists the symbols of a file. Those that are not exported are left out
// unless they are asked for, or hold one that is, or nothing is exported; the
// message counts what was left out.
func (s *Service) Outline(ctx context.Context, req Request) (Response, error) {
	got, err := s.files.Outline(ctx, req.RepoID, req.FilePath, req.Commit)
	if err != nil {
		return Response{}, err
	}
	all := nest(got.Outline)
	shown, said := choose(all, req)
	page, meta, err := paged(shown, req, got)
	if err != nil {
		return Response{}, err
	}
	resp := Response{
		Result: models.OKResult(page), RepoID: got.RepoID, FilePath: got.FilePath, Language: got.Language,
		TotalLines: got.Outline.Lines, Commit: got.Commit,
	}
	meta(&resp.Meta)
	resp.Meta.IndexStatus, resp.Meta.Warnings = got.Status, got.Caveats
	if len(got.Caveats) == 0 {
		resp.Meta.FreshnessState = models.Fresh // read from the folder just now
	}
	said = append(ofCommit(got, &resp.Meta), said...)
	if len(all) == 0 {
		said = append(said, fmt.Sprintf("no declarations were found in %q (%s); read it with `ragnav file`", got.FilePath,
			models.Counted(got.Outline.Lines, "line")))
	}
	resp.Meta.Message = models.Opt(strings.Join(said, "; "))
	return resp, nil
}

// ofCommit says how the outline of a file in a commit stands to the file as it is.
func ofCommit(got filefetch.Outline, m *models.Meta) []string {
	switch {
	case got.Commit == "":
		return nil
	case !got.Differs:
		return []string{fmt.Sprintf("outline of commit %.12s, where the file is the same as now", got.Commit)}
	}
	m.FreshnessState, m.StaleFiles, m.StaleFileCount = models.Stale, []string{got.FilePath}, 1
	return []string{fmt.Sprintf("outline of commit %.12s; %q has changed since, leave commit out for the file now",
		got.Commit, got.FilePath)}
}

// choose takes the items that a request is for, and says what it leaves out.
func choose(all []models.OutlineItem, req Request) (shown []models.OutlineItem, said []string) {
	private, deep := 0, 0
	keep := wanted(all, req.Private)
	for i, item := range all {
		switch {
		case !keep[i]:
			private++
		case req.Depth != nil && item.Depth >= *req.Depth:
			deep++
		default:
			shown = append(shown, item)
		}
	}
	if private > 0 {
		said = append(said, models.Counted(private, "symbol")+" not exported (private: true shows them)")
	}
	if deep > 0 {
		said = append(said, models.Counted(deep, "symbol")+" nested deeper")
	}
	if len(said) > 0 {
		said = []string{"left out: " + strings.Join(said, ", ")}
	}
	return shown, said
}

// wanted tells for each item whether it is exported or holds one that is; all
// are when none is exported.
func wanted(all []models.OutlineItem, private bool) []bool {
	keep := make([]bool, len(all))
	any := false
	var held []int // depths of those below that are kept and whose holder is further up, deepest last
	for i := len(all) - 1; i >= 0; i-- {
		holds := false
		for len(held) > 0 && held[len(held)-1] > all[i].Depth {
			held, holds = held[:len(held)-1], true
		}
		keep[i] = holds || private || all[i].Exported
		any = any || keep[i]
		if keep[i] && (len(held) == 0 || held[len(held)-1] < all[i].Depth) {
			held = append(held, all[i].Depth)
		}
	}
	for i := range keep {
		keep[i] = keep[i] || !any
	}
	return keep
}

// paged is the page that a request is for, and what the head says of it.
func paged(items []models.OutlineItem, req Request, of filefetch.Outline) ([]models.OutlineItem, func(*models.Meta),
	error,
) {
	list := fmt.Sprint("outline\x00", req.RepoID, "\x00", of.FilePath, "\x00", req.Private,
		req.Depth == nil || *req.Depth > 0)
	if req.Depth != nil {
		list += fmt.Sprint(*req.Depth)
	}
	if of.Commit != "" {
		list += "\x00" + of.Commit
	}
	start, err := models.CursorOffset(req.Cursor, list)
	if err != nil {
		return nil, nil, fault.New(fault.InvalidRequest, "cursor: %v", err)
	}
	start = min(start, len(items))
	end := min(len(items), start+models.Or(req.Limit, defaultLimit))
	return items[start:end], func(m *models.Meta) {
		total := len(items)
		m.Total = &total
		if end < total {
			m.Truncated, m.NextCursor = true, models.Cursor(end, list)
		}
	}, nil
}
