package web

import (
	"cmp"
	"context"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/ragnav/ragnav/internal/web/address"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
)

const (
	foundOnPage = 30
	foundInAll  = 1000 // of which the best are shown
)

// Finder is the page that finds files by parts of their names.
type Finder struct {
	Name, Repo string
	Found      []Found
}

// A Found is a file of that name.
type Found struct {
	RepoID models.RepoID
	Path   string
	URL    string
	rank   int
}

// finderPages find files by their names.
type finderPages struct{ ops op.Backend }

func (s finderPages) finder(r *http.Request) (view, error) {
	f := Finder{Name: strings.TrimSpace(r.URL.Query().Get("q")), Repo: r.URL.Query().Get("repo")}
	v := view{Template: "finder", Title: "Files", Query: Query{Repo: f.Repo}, Data: f}
	if f.Name == "" {
		return v, nil
	}
	found, err := s.named(r.Context(), cmp.Or(models.RepoID(f.Repo), "*"), f.Name)
	if err != nil {
		return v, err
	}
	f.Found = found
	slices.SortStableFunc(f.Found, func(a, b Found) int {
		return cmp.Or(a.rank-b.rank, len(a.Path)-len(b.Path), strings.Compare(a.Path, b.Path))
	})
	f.Found = f.Found[:min(len(f.Found), foundOnPage)]
	v.Data = f
	return v, nil
}

// named finds the files of repositories whose names have the letters of a name:
// together, or else apart in that order.
func (s finderPages) named(ctx context.Context, of models.RepoID, name string) ([]Found, error) {
	for rank, between := range []string{"", "[^/]*"} {
		resp, err := do(ctx, s.ops, op.NavSearch, nav.SearchRequest{
			RepoID: of, Query: namePattern(name, between), Regexp: true, Case: "insensitive", Names: true,
			Limit: new(foundInAll),
		})
		if err != nil {
			return nil, err
		}
		var found []Found
		for _, item := range resp.Items {
			id := cmp.Or(item.RepoID, of)
			f := Found{id, item.FilePath, address.File(id, item.FilePath), 2 * rank}
			if !strings.HasPrefix(strings.ToLower(path.Base(f.Path)), strings.ToLower(path.Base(name))) {
				f.rank++
			}
			found = append(found, f)
		}
		if len(found) > 0 {
			return found, nil
		}
	}
	return nil, nil
}

// namePattern is an expression for paths whose last part has the letters of a
// name. A slash in the name stands for one or more folders.
func namePattern(name, between string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case r == '/':
			b.WriteString("[^/]*/(.*/)?[^/]*")
			continue
		case unicode.IsSpace(r):
			continue
		case i > 0:
			b.WriteString(between)
		}
		b.WriteString(regexp.QuoteMeta(string(r)))
	}
	return b.String() + "[^/]*$"
}
