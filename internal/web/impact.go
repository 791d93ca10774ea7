package web

import (
	"net/http"
	"strings"

	"github.com/ragnav/ragnav/internal/web/address"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// maxDiff is how much a form with a diff may have.
const maxDiff = 1 << 20

// Impact is the page of what an edit does.
type Impact struct {
	RepoID   models.RepoID
	Base     string
	Diff     string
	Asked    bool
	Items    []Changed
	Tests    []models.TestToRun
	Commands []string
	Meta     models.Meta
	Crumbs   []Link
}

// impactForm is the page before anything was asked.
func (s graphPages) impactForm(r *http.Request) (view, error) {
	return newImpact(models.RepoID(r.URL.Query().Get("repo"))).view(), nil
}

// impact tells what a diff does, or without one the files as they are against
// a commit.
func (s graphPages) impact(r *http.Request) (view, error) {
	r.Body = http.MaxBytesReader(nil, r.Body, maxDiff)
	if err := r.ParseForm(); err != nil {
		return view{}, fault.Wrap(fault.InvalidRequest, err, "the form can't be read; a diff may have 900,000 bytes")
	}
	page := newImpact(models.RepoID(r.PostForm.Get("repo")))
	page.Base = r.PostForm.Get("base")
	page.Diff = strings.ReplaceAll(r.PostForm.Get("diff"), "\r\n", "\n") // as forms send every end of line
	resp, err := do(r.Context(), s.ops, op.Impact,
		nav.ImpactRequest{RepoID: page.RepoID, Base: page.Base, Diff: page.Diff})
	if err != nil {
		return page.view(), err
	}
	page.Asked, page.Tests, page.Commands, page.Meta = true, resp.Tests, resp.Commands, resp.Meta
	for _, item := range resp.Items {
		page.Items = append(page.Items, newChanged(item))
	}
	return page.view(), nil
}

// A Changed symbol, and what its change affects: a column for each number of
// steps, and one for tests.
type Changed struct {
	models.ImpactItem

	Columns []Column
}

// A Column is what is equally far.
type Column struct {
	Label string
	Items []models.Affected
}

func newChanged(item models.ImpactItem) Changed {
	c := Changed{ImpactItem: item}
	var tests []models.Affected
	for _, a := range item.Affected { // nearest first
		label := plural(a.Depth, "step")
		if a.Test {
			tests = append(tests, a)
			continue
		}
		if n := len(c.Columns); n == 0 || c.Columns[n-1].Label != label {
			c.Columns = append(c.Columns, Column{Label: label})
		}
		last := &c.Columns[len(c.Columns)-1]
		last.Items = append(last.Items, a)
	}
	if len(tests) > 0 {
		c.Columns = append(c.Columns, Column{"Tests", tests})
	}
	return c
}

func newImpact(id models.RepoID) Impact {
	return Impact{RepoID: id, Crumbs: []Link{{string(id), address.Repo(id)}, {Label: "what an edit breaks"}}}
}

func (p Impact) view() view {
	return view{
		Template: "impact", Title: "What an edit breaks · " + string(p.RepoID),
		Query: Query{Repo: string(p.RepoID)}, Data: p,
	}
}
