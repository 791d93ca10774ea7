package web

import (
	"cmp"
	"context"
	"net/http"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/rag/structure"
)

const (
	foundOnPage   = 30
	reposSearched = 20 // where no repository is named
	foundInRepo   = 300
)

// Finder is the page that finds files by parts of their names.
type Finder struct {
	Name, Repo string
	Found      []Found
	Cut        string // what was not looked at
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
	ids := []models.RepoID{models.RepoID(f.Repo)}
	if f.Repo == "" {
		list, err := do(r.Context(), s.ops, op.Repos, repos.Request{Limit: new(reposSearched)})
		if err != nil {
			return v, err
		}
		ids = nil
		for _, info := range list.Items {
			ids = append(ids, info.RepoID)
		}
		if list.Meta.NextCursor != "" {
			f.Cut = "Only the first repositories were looked at; open one to look in it alone."
		}
	}
	for _, id := range ids {
		found, err := s.named(r.Context(), id, f.Name)
		if err != nil && f.Repo != "" {
			return v, err
		}
		f.Found = append(f.Found, found...)
	}
	slices.SortStableFunc(f.Found, func(a, b Found) int {
		return cmp.Or(a.rank-b.rank, len(a.Path)-len(b.Path), strings.Compare(a.Path, b.Path))
	})
	f.Found = f.Found[:min(len(f.Found), foundOnPage)]
	v.Data = f
	return v, nil
}

// named finds the files of a repository whose path has the letters of a name:
// together, or else apart in that order.
func (s finderPages) named(ctx context.Context, id models.RepoID, name string) ([]Found, error) {
	for rank, between := range []string{"", "*"} {
		resp, err := do(ctx, s.ops, op.Structure, structure.Request{RepoID: id, Pattern: namePattern(name, between), Limit: new(foundInRepo)})
		if err != nil {
			return nil, err
		}
		var found []Found
		for _, file := range resp.Items[0].Files {
			f := Found{id, file.Path, fileURL(id, file.Path), 2 * rank}
			if !strings.HasPrefix(strings.ToLower(path.Base(file.Path)), strings.ToLower(path.Base(name))) {
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

// namePattern is a glob of paths that have the letters of a name, in any case.
// A slash in the name stands for one or more folders.
func namePattern(name, between string) string {
	var b strings.Builder
	b.WriteString("**/*")
	for i, r := range name {
		lower, upper := unicode.ToLower(r), unicode.ToUpper(r)
		if i > 0 && r != '/' {
			b.WriteString(between)
		}
		switch {
		case r == '/':
			b.WriteString("*/**/*")
		case lower != upper:
			b.WriteString("[" + string(lower) + string(upper) + "]")
		case strings.ContainsRune(`*?[]{}\!^`, r):
			b.WriteString(`\` + string(r))
		case !unicode.IsSpace(r):
			b.WriteRune(r)
		}
	}
	b.WriteString("*")
	return b.String()
}
