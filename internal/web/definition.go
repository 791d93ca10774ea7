package web

import (
	"net/http"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
)

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
