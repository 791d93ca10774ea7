package mcpapi

import (
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/rag/search/intent"
)

// fits reports whether a search found something that is like what it looked for.
func fits(env models.Envelope) bool {
	switch found := env.(type) {
	case *search.Response:
		return slices.ContainsFunc(found.Items, func(hit models.SearchResult) bool { return !hit.Weak })
	case *ask.Response:
		return slices.ContainsFunc(found.Items, func(a models.Answer) bool { return !a.OutOfScope })
	}
	return env.Shown() > 0
}

// narrow has a search that names no repository be of the one that the agent works in, and
// reports whether it did.
func (c caller) narrow(ctx context.Context, req any) bool {
	in, text := op.Field(req, "repo_filter"), op.Field(req, "query")
	if c.Repo == nil || !in.IsValid() || !in.IsZero() || !text.IsValid() ||
		strings.Contains(text.String(), "repo:") {
		return false
	}
	if at := op.Field(req, "cursor"); at.IsValid() && !at.IsZero() {
		return false
	}
	if level := op.Field(req, "level"); level.IsValid() && level.String() == string(models.LevelRepo) {
		return false // it asks which one
	}
	id, err := c.Repo(ctx)
	if err != nil { // the operation says what is wrong
		return false
	}
	in.SetString(string(id))
	return id != ""
}

// only is the one repository that what was found is of, "" where there are several.
func only(env models.Envelope) (id models.RepoID) {
	var of []models.RepoID
	switch found := env.(type) {
	case *search.Response:
		for _, hit := range found.Items {
			of = append(of, hit.RepoID)
		}
	case *ask.Response:
		for _, a := range found.Items {
			for _, c := range a.Citations {
				of = append(of, c.RepoID)
			}
		}
	}
	if of = slices.Compact(of); len(of) == 1 {
		return of[0]
	}
	return ""
}

// named are other repositories that the text of a search names, which is of the one at
// hand, and says to be about; what has such a name there is rather meant. A bare word, as
// "arrow keys", may be the name of one where the one at hand does not have the word.
func (c caller) named(ctx context.Context, req any) (others []models.RepoID, maybe models.RepoID) {
	here, text := op.Field(req, "repo_filter").String(), op.Field(req, "query").String()
	if !strings.ContainsAny(text, " \t\n") {
		return nil, ""
	}
	all := intent.Mentions(text, c.known.repositories(ctx, c.Ops))
	if slices.ContainsFunc(all, func(m intent.Mention) bool { return string(m.Repo) == here }) {
		return nil, ""
	}
	sure := func(m intent.Mention) int {
		if m.Sure {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(all, func(a, b intent.Mention) int { return sure(a) - sure(b) })
	for _, m := range all[:min(len(all), mostMentions)] {
		switch {
		case m.Sure && !c.has(ctx, here, m.Name):
			others = append(others, m.Repo)
		case !m.Sure && maybe == "" && !c.says(ctx, here, m.Name):
			maybe = m.Repo
		}
	}
	return others, maybe
}

// mostMentions is how many repositories that a text names are looked at: each costs a
// search, and where many are called as words are, none of them is meant.
const mostMentions = 4

// likeName is how many symbols and files are looked at for one that has a name.
const likeName = 5

// has reports whether a repository has a symbol, a file or a folder of a name.
func (c caller) has(ctx context.Context, repo, name string) bool {
	for _, level := range []models.Level{models.LevelSymbol, models.LevelFile} {
		resp, err := op.Search.By(ctx, c.Ops,
			search.Request{Query: name, Level: level, RepoFilter: repo, Limit: new(likeName)})
		if err != nil || slices.ContainsFunc(resp.Items, func(hit models.SearchResult) bool { return isOf(hit, name) }) {
			return true
		}
	}
	return false
}

// says reports whether a repository has a word.
func (c caller) says(ctx context.Context, repo, word string) bool {
	resp, err := op.NavSearch.By(ctx, c.Ops, nav.SearchRequest{
		RepoID: models.RepoID(repo), Query: word, Word: true, Case: "insensitive", Limit: new(1),
	})
	return err != nil || len(resp.Items) > 0
}

// isOf reports whether a hit, its file or a folder that it is in has a name.
func isOf(hit models.SearchResult, name string) bool {
	parts := []string{}
	if hit.SymbolName != nil {
		parts = append(parts, *hit.SymbolName)
	}
	if hit.FilePath != nil {
		parts = append(parts, strings.Split(strings.TrimSuffix(*hit.FilePath, path.Ext(*hit.FilePath)), "/")...)
	}
	return slices.ContainsFunc(parts, func(part string) bool { return strings.EqualFold(part, name) })
}

// known are the repositories that there are, read now and then: every search asks for them.
type known struct {
	turn chan struct{} // of one, who reads or asks
	all  []models.Repository
	read time.Time
}

const (
	knownFor  = 10 * time.Second
	mostKnown = 1000
)

// repositories are those known, with their ids alone.
func (k *known) repositories(ctx context.Context, ops op.Caller) []models.Repository {
	select {
	case k.turn <- struct{}{}:
		defer func() { <-k.turn }()
	case <-ctx.Done(): // the search itself says so
		return nil
	}
	if time.Since(k.read) < knownFor {
		return k.all
	}
	resp, err := op.Repos.By(ctx, ops, repos.Request{Limit: new(mostKnown)})
	if err != nil { // then none is named
		return nil
	}
	k.all, k.read = nil, time.Now()
	for _, r := range resp.Items {
		k.all = append(k.all, models.Repository{RepoID: r.RepoID})
	}
	return k.all
}
