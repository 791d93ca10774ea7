package web

import (
	"net/http"
	"strconv"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
)

const usesShown = 100

// Uses are those of a name, beside the file in which it was asked for.
type Uses struct {
	Name        string
	RepoID      models.RepoID
	Definitions []models.Definition
	Groups      []UseGroup
	Meta        models.Meta
	Problem     string
	Close       string // address without them
}

// A UseGroup is the uses in one file.
type UseGroup struct {
	Path, URL string
	Uses      []Use
}

// A Use is a place where a name is used.
type Use struct {
	models.NavItem

	URL  string
	Line Line
}

// uses finds those of a name that stands in a line of a file: what is defined
// there, else anywhere in the repository.
func (s *Site) uses(r *http.Request, f File, name string) *Uses {
	u := &Uses{Name: name, RepoID: f.RepoID, Close: fileURL(f.RepoID, f.FilePath)}
	req := nav.WhereUsedRequest{RepoID: f.RepoID, Symbol: name, File: f.FilePath, Limit: new(usesShown)}
	if line, err := strconv.Atoi(r.URL.Query().Get("at")); err == nil && line > 0 {
		req.Line = &line
		u.Close = linesURL(f.RepoID, f.FilePath, line, line)
	}
	resp, err := do(r.Context(), s, op.WhereUsed, req)
	if fault.CodeOf(err) == fault.SymbolNotFound {
		req.File, req.Line = "", nil
		resp, err = do(r.Context(), s, op.WhereUsed, req)
	}
	if err != nil {
		u.Problem = fault.MessageOf(err)
		return u
	}
	u.Definitions, u.Meta, u.Groups = resp.Definitions, resp.Meta, useGroups(f.RepoID, resp.Items)
	return u
}

func useGroups(id models.RepoID, items []models.NavItem) []UseGroup {
	var groups []UseGroup
	for _, item := range items {
		if n := len(groups); n == 0 || groups[n-1].Path != item.FilePath {
			groups = append(groups, UseGroup{Path: item.FilePath, URL: fileURL(id, item.FilePath)})
		}
		g := &groups[len(groups)-1]
		g.Uses = append(g.Uses, newUse(id, item))
	}
	return groups
}

// newUse shows the line of a place out of its snippet.
func newUse(id models.RepoID, item models.NavItem) Use {
	u := Use{NavItem: item, URL: linesURL(id, item.FilePath, item.Line, item.Line)}
	lines := coloured(item.FilePath, "", item.Snippet.Text)
	if i := item.Line - item.Snippet.Location.StartLine; i >= 0 && i < len(lines) {
		shown, more := cutLine(trimmed(lines[i]))
		u.Line = Line{N: item.Line, URL: u.URL, HTML: markup(shown, nil), More: more}
	}
	return u
}
