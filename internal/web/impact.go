package web

import (
	"net/http"

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
	Items    []models.ImpactItem
	Tests    []models.TestToRun
	Commands []string
	Meta     models.Meta
	Crumbs   []Link
}

// impactForm is the page before anything was asked.
func (s *Site) impactForm(r *http.Request) (view, error) {
	return newImpact(models.RepoID(r.URL.Query().Get("repo"))).view(), nil
}

// impact tells what a diff does, or without one the files as they are against
// a commit.
func (s *Site) impact(r *http.Request) (view, error) {
	r.Body = http.MaxBytesReader(nil, r.Body, maxDiff)
	if err := r.ParseForm(); err != nil {
		return view{}, fault.Wrap(fault.InvalidRequest, err, "the form can't be read; a diff may have 900,000 bytes")
	}
	page := newImpact(models.RepoID(r.PostForm.Get("repo")))
	page.Asked, page.Base, page.Diff = true, r.PostForm.Get("base"), r.PostForm.Get("diff")
	resp, err := do(r.Context(), s, op.Impact, nav.ImpactRequest{RepoID: page.RepoID, Base: page.Base, Diff: page.Diff})
	if err != nil {
		return view{}, err
	}
	page.Items, page.Tests, page.Commands, page.Meta = resp.Items, resp.Tests, resp.Commands, resp.Meta
	return page.view(), nil
}

func newImpact(id models.RepoID) Impact {
	return Impact{RepoID: id, Crumbs: []Link{{string(id), repoURL(id)}, {Label: "what an edit breaks"}}}
}

func (p Impact) view() view {
	return view{Template: "impact", Title: "What an edit breaks · " + string(p.RepoID), Query: Query{Repo: string(p.RepoID)}, Data: p}
}
