package app

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/current"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// A warming does in the background what the first requests would have to.
type warming struct {
	cancel context.CancelFunc
	ended  <-chan error
}

// warmQueries are looked for by name, by words and by meaning.
var warmQueries = []string{"main", "where is main called"}

// warm has a server look at folders, and search, before it is asked. Whatever fails is
// told to who asks for it.
func warm(ctx context.Context, a *App, role Role) warming {
	if role != Server || !a.cfg.Embedded() {
		return warming{}
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	search := consistent(a, a.search.Search)
	return warming{cancel, parallel.Start(func() error {
		repos, err := a.repos.Match(ctx, "")
		if err != nil {
			return nil //nolint:nilerr // nothing can be searched yet
		}
		looked := current.Warm(ctx, a.current, repos)
		for _, req := range warmRequests(looked, len(looked) == len(repos), a.embedder.Manifest().Remote()) {
			_, _ = search(ctx, req)
		}
		a.nav.Warm(ctx, repos, a.idle.wait)
		return nil
	})}
}

// warmRequests are searches of repositories whose folders were looked at: of all, or of one
// of them. A remote embedder is not asked.
func warmRequests(looked []models.Repository, all, remote bool) (requests []search.Request) {
	if len(looked) == 0 {
		return nil
	}
	for _, query := range warmQueries {
		req := search.Request{Query: query, Level: models.LevelSymbol}
		if !all {
			req.RepoFilter = string(looked[0].RepoID)
		}
		if remote {
			req.Mode = search.ModeLexical
		}
		requests = append(requests, req)
	}
	return requests
}

// stop waits for its end. The error is a panic.
func (w warming) stop() error {
	if w.cancel == nil {
		return nil
	}
	w.cancel()
	return <-w.ended
}

// pause is for how long nobody has asked when something is done beside requests: those of
// one client come right after each other.
const pause = 300 * time.Millisecond

// An idle tells when nobody asks. The zero value says so at once.
type idle struct {
	asked atomic.Int64 // when somebody did last, in nanoseconds since 1970
}

// note is called as a request begins and as it ends. One that takes long is not waited for.
func (i *idle) note() { i.asked.Store(time.Now().UnixNano()) }

// wait waits until nobody asks, and reports whether ctx lasts until then.
func (i *idle) wait(ctx context.Context) bool {
	for ctx.Err() == nil {
		rest := pause - time.Since(time.Unix(0, i.asked.Load()))
		if rest <= 0 {
			return true
		}
		select {
		case <-time.After(rest):
		case <-ctx.Done():
		}
	}
	return false
}
