package web

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/ragnav/ragnav/internal/web/address"
	"github.com/ragnav/ragnav/internal/web/markup"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/highlight"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
)

const usesShown = 100

// Uses are those of a name, beside the file in which it was asked for.
type Uses struct {
	Name        string
	RepoID      models.RepoID
	At          []models.DefinitionItem // what stands where it was asked for
	Definitions []models.Definition
	Groups      []UseGroup
	Meta        models.Meta
	Problem     string
	Close       string // address without them
}

// A UseGroup is the uses in one file, those in tests apart.
type UseGroup struct {
	Path, URL string
	Test      bool
	Uses      []Use
}

// A Use is a place where a name is used.
type Use struct {
	models.NavItem

	URL  string
	Line Line
}

// namePages tell what names in files stand for.
type namePages struct{ ops op.Backend }

// uses finds those of a name that stands in a line of a file: what is defined
// there, else anywhere in the repository.
func (s namePages) uses(r *http.Request, f File, name string) *Uses {
	u := &Uses{Name: name, RepoID: f.RepoID, Close: address.File(f.RepoID, f.FilePath)}
	req := nav.WhereUsedRequest{RepoID: f.RepoID, Symbol: name, File: f.FilePath, Limit: new(usesShown)}
	line, column := positive(r, "at"), positive(r, "column")
	if line > 0 {
		req.Line = &line
		u.Close = address.Lines(f.RepoID, f.FilePath, line, line)
	}
	if line > 0 && column > 0 {
		if at, err := do(r.Context(), s.ops, op.Definition,
			nav.DefinitionRequest{RepoID: f.RepoID, FilePath: f.FilePath, Line: line, Column: column}); err == nil {
			u.At = at.Items
		}
		req.Column, req.Symbol = &column, ""
	}
	resp, err := do(r.Context(), s.ops, op.WhereUsed, req)
	if fault.CodeOf(err) == fault.SymbolNotFound && len(u.At) == 0 {
		req.File, req.Line, req.Column, req.Symbol = "", nil, nil, name
		resp, err = do(r.Context(), s.ops, op.WhereUsed, req)
	}
	if err != nil {
		u.Problem = fault.MessageOf(err)
		return u
	}
	u.Definitions, u.Meta, u.Groups = resp.Definitions, resp.Meta, useGroups(f.RepoID, resp.Items)
	return u
}

// positive is a number of the address, 0 if it is none.
func positive(r *http.Request, name string) int {
	n, err := strconv.Atoi(r.URL.Query().Get(name))
	if err != nil || n < 0 {
		return 0
	}
	return n
}

func useGroups(id models.RepoID, items []models.NavItem) []UseGroup {
	var groups []UseGroup
	for _, item := range items {
		at := slices.IndexFunc(groups, func(g UseGroup) bool { return g.Path == item.FilePath && g.Test == item.Test })
		if at < 0 {
			at = len(groups)
			groups = append(groups, UseGroup{Path: item.FilePath, URL: address.File(id, item.FilePath), Test: item.Test})
		}
		groups[at].Uses = append(groups[at].Uses, newUse(id, item))
	}
	slices.SortStableFunc(groups, func(a, b UseGroup) int { return cmp.Compare(btoi(a.Test), btoi(b.Test)) })
	return groups
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// LineageURL is the address of the picture of what reaches a definition.
func (u *Uses) LineageURL(d models.Definition) string {
	return "/lineage?" + url.Values{"repo": {string(u.RepoID)}, "symbol": {d.ID}}.Encode()
}

// newUse shows the line of a place out of its snippet.
func newUse(id models.RepoID, item models.NavItem) Use {
	u := Use{NavItem: item, URL: address.Lines(id, item.FilePath, item.Line, item.Line)}
	lines := highlight.Lines(item.FilePath, "", item.Snippet.Text)
	if i := item.Line - item.Snippet.Location.StartLine; i >= 0 && i < len(lines) {
		shown, more := markup.Cut(markup.Trimmed(lines[i]))
		u.Line = Line{N: item.Line, URL: u.URL, HTML: markup.Line(shown, nil), More: more}
	}
	return u
}

// A Definition is the page of what stands at a place: a card over the lines.
type Definition struct {
	File  string
	Line  int
	Items []models.DefinitionItem
}

func (s namePages) definition(r *http.Request) (view, error) {
	v := r.URL.Query()
	page := Definition{File: v.Get("file"), Line: positive(r, "line")}
	resp, err := do(r.Context(), s.ops, op.Definition, nav.DefinitionRequest{
		RepoID: models.RepoID(v.Get("repo")), FilePath: page.File, Line: page.Line, Column: positive(r, "column"),
	})
	if err != nil {
		return view{}, err
	}
	page.Items = resp.Items
	return view{Template: "definition", Title: page.File, Query: Query{Repo: v.Get("repo")}, Data: page}, nil
}
