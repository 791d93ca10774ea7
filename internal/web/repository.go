package web

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/web/address"
	"github.com/ragnav/ragnav/internal/web/diagram"

	"github.com/ragnav/ragnav/internal/access"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// mapTokens is how much of a map is asked for: its folders, above all.
const mapTokens = 8000

// countedFiles bounds how many files are looked at for the picture of languages.
const countedFiles = 3000

// About is what the page of a repository says beside its files.
type About struct {
	RepoID    models.RepoID
	Coverage  *index.CoverageResponse
	Skipped   []string
	Languages []Share
	Counted   int // files that Languages are of, if that is not all
	Nav       *models.NavStatus
	Map       *models.RepoMap // when it was asked for: it takes longer than all else
	Problems  []string
	May       bool   // index again and remove
	ImpactURL string // the page of what an edit breaks
	AskURL    string
}

// A Share is one of the parts of a bar of 100.
type Share struct {
	Name  string
	Count int
	Part
}

// about gathers what there is; what there is not is said.
func (s folderPages) about(ctx context.Context, id models.RepoID, withMap bool) *About {
	ofRepo := url.Values{"repo": {string(id)}}.Encode()
	a := &About{RepoID: id, May: access.Of(ctx) >= access.Remote, ImpactURL: "/impact?" + ofRepo, AskURL: "/ask?" + ofRepo}
	status, err := do(ctx, s.ops, op.NavStatus, nav.StatusRequest{RepoID: id, Modules: withMap})
	if a.note(err); err == nil && len(status.Items) == 1 {
		a.Nav = &status.Items[0]
	}
	if withMap {
		one, err := do(ctx, s.ops, op.Map, nav.MapRequest{RepoID: id, MaxTokens: mapTokens})
		if a.note(err); err == nil && len(one.Items) == 1 {
			a.Map = &one.Items[0]
		}
	}
	sizes, req := map[string]int{}, index.CoverageRequest{RepoID: id, Only: "indexed", Limit: new(1000)}
	for a.Counted < countedFiles {
		resp, err := do(ctx, s.ops, op.Coverage, req)
		if err != nil {
			a.note(err)
			break
		}
		for _, file := range resp.Items {
			sizes[cmp.Or(file.Language, "no language")] += int(file.Size)
		}
		a.Counted += len(resp.Items)
		a.Coverage, a.Skipped = &resp, reasons(resp.Skipped)
		if status := resp.Meta.IndexStatus; req.Cursor == "" && status != nil && status.LastError != nil {
			a.Problems = append(a.Problems, *status.LastError)
		}
		if req.Cursor = resp.Meta.NextCursor; req.Cursor == "" {
			a.Counted = 0
			break
		}
	}
	a.Languages = shares(sizes)
	return a
}

// MostUsed are the symbols that others use most.
func (a *About) MostUsed() []models.MapSymbol {
	if a.Map == nil {
		return nil
	}
	return a.Map.Symbols[:min(len(a.Map.Symbols), 10)]
}

// Modules is the picture of the folders that use each other; nil without one.
func (a *About) Modules() *diagram.Picture {
	if a.Map == nil {
		return nil
	}
	return modules(a.Map)
}

// purposes is what the map says of folders, by path.
func (a *About) purposes() map[string]string {
	said := map[string]string{}
	if a != nil && a.Map != nil {
		for _, f := range a.Map.Folders {
			said[f.Path] = f.Purpose
		}
	}
	return said
}

func (a *About) note(err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		a.Problems = append(a.Problems, fault.MessageOf(err))
	}
}

// shares are the largest of some sizes, and the rest as one.
func shares(sizes map[string]int) []Share {
	const most = 5
	names := slices.SortedFunc(maps.Keys(sizes),
		func(a, b string) int { return cmp.Or(sizes[b]-sizes[a], strings.Compare(a, b)) })
	sum := 0
	for _, n := range sizes {
		sum += n
	}
	var all []Share
	from := 0.0
	for i, name := range names {
		share := 100 * float64(sizes[name]) / float64(max(sum, 1))
		if i >= most {
			last := &all[most-1]
			last.Name, last.Share, last.Count = "other", last.Share+share, last.Count+sizes[name]
		} else {
			all = append(all, Share{name, sizes[name], Part{Name: name, From: from, Share: share}})
		}
		from += share
	}
	return all
}

// coverage is the page of the files of a repository that are not indexed.
func (s folderPages) coverage(r *http.Request, id models.RepoID) (view, error) {
	resp, err := do(r.Context(), s.ops, op.Coverage,
		index.CoverageRequest{RepoID: id, Only: "skipped", Limit: new(300), Cursor: r.URL.Query().Get("cursor")})
	if err != nil {
		return view{}, err
	}
	page := Coverage{
		RepoID: id, Items: resp.Items, Reasons: reasons(resp.Skipped), Meta: resp.Meta,
		Crumbs: append(crumbs(id, "", ""), Link{Label: "not indexed"}),
	}
	page.Crumbs[0].URL = address.Repo(id)
	if resp.Meta.NextCursor != "" {
		page.Next = address.Repo(id) + "?coverage=skipped&cursor=" + resp.Meta.NextCursor
	}
	return view{Template: "coverage", Title: "Not indexed · " + string(id), Query: Query{Repo: string(id)}, Data: page},
		nil
}

// Coverage is the page of files that are not indexed.
type Coverage struct {
	RepoID  models.RepoID
	Items   []index.CoverageItem
	Reasons []string
	Meta    models.Meta
	Crumbs  []Link
	Next    string
}
