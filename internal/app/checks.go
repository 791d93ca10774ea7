package app

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ragnav/ragnav/internal/app/machine"

	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/store"
)

// Ready checks what every answer needs: the store and the embedder that made it.
func (a *App) Ready(ctx context.Context) []models.Check {
	var checks []models.Check
	if st, ok := a.store.(store.Checker); ok {
		checks = st.Checks(ctx)
	}
	if n := len(a.Lost()); n > 0 { // who may ask for this need not know which ones there are
		checks = append(checks, models.Degraded("damage",
			"%d of the repositories lost a part of their index and do not answer; "+
				"`ragnav repos` names them, and what to run", n))
	}
	return append(checks, a.checkStore(ctx), a.checkEmbedder(ctx))
}

// Checks is Machine and Ready, with the folder and the index of each repository.
func (a *App) Checks(ctx context.Context) []models.Check {
	a.embedder.Ping(ctx)
	checks := append(Machine(ctx, a.cfg.DataDir), a.Ready(ctx)...)
	checks = append(checks, checkModel(ctx, a.cfg), checkReranker(ctx, a.cfg.Rerank))
	var known []models.Repository
	err := a.eachRepository(ctx, func(r models.Repository) { known = append(known, r) })
	for _, r := range known {
		c := checkRepository(a.cfg, r)
		if checks = append(checks, c); c.OK && r.State == models.StateFresh {
			checks = append(checks, a.checkGraph(ctx, r.RepoID)...)
		}
	}
	if err != nil {
		checks = append(checks, models.Failed("repositories", "%s", reason(err)))
	}
	return checks
}

// Machine checks what the program needs of this machine, without opening the
// store.
func Machine(ctx context.Context, dataDir string) []models.Check {
	return append(machine.Checks(ctx, dataDir), checkGrammars())
}

func (a *App) eachRepository(ctx context.Context, yield func(models.Repository)) error {
	return a.store.Records(ctx, models.CollectionRepos, func(key string, value json.RawMessage) error {
		var r models.Repository
		if err := json.Unmarshal(value, &r); err != nil {
			return fmt.Errorf("decode the record of %s: %w", key, err)
		}
		yield(r)
		return nil
	})
}

func (a *App) checkStore(ctx context.Context) models.Check {
	const name = "store"
	repositories, documents := 0, 0
	err := a.eachRepository(ctx, func(r models.Repository) {
		repositories++
		documents += r.DocCount
	})
	if err != nil {
		return models.Failed(name, "%s", reason(err))
	}
	where := a.cfg.DataDir
	if !a.cfg.Embedded() {
		where = a.cfg.Store
	}
	return models.Passed(name, "%s is open, with %s of %s", where, models.Counted(documents, "document"),
		countedRepositories(repositories))
}

func (a *App) checkEmbedder(ctx context.Context) models.Check {
	const name = "embedder"
	m := a.embedder.Manifest()
	if err := records.CheckEmbedder(ctx, a.store, m); err != nil {
		return models.Failed(name, "%s", reason(err))
	}
	if err := a.embedder.Away(); err != nil {
		return models.Degraded(name, "searches go by words only: %s", reason(err))
	}
	if now := *a.configured.Load(); now != m {
		return models.Degraded(name, "%s/%s, %d dimensions, made the index and goes on to; %s/%s is configured: "+
			"`ragnav index --reembed` changes to it",
			m.Provider, m.Model, m.Dims, now.Provider, now.Model)
	}
	return models.Passed(name, "%s/%s, revision %s, %d dimensions", m.Provider, m.Model, m.Revision, m.Dims)
}

// checkReranker asks the server about two words.
func checkReranker(ctx context.Context, r config.Rerank) models.Check {
	const name = "reranker"
	if r.URL == "" {
		return models.Passed(name, "none: results are in the order of the index; RAGNAV_RERANK_URL names one")
	}
	if err := newReranker(r).Ping(ctx); err != nil {
		return models.Degraded(name, "results are in the order of the index: %s", reason(err))
	}
	model := ""
	if r.Model != "" {
		model = r.Model + " at "
	}
	return models.Passed(name, "%s%s orders the first %d results of a question", model, r.URL, r.Top)
}

func checkRepository(cfg config.Config, r models.Repository) models.Check {
	name := "repository " + string(r.RepoID)
	if r.State == models.StateError && r.Root == "" {
		return models.Failed(name, "%s", r.LastError)
	}
	if real, err := disk.Real(r.Root); cfg.Embedded() && (err != nil || real != r.Root) {
		return models.Failed(name, "its folder %s is gone%s; put it back, index it where it is now with "+
			"`ragnav index --repo-id %[3]s PATH`, or forget it with `ragnav remove %[3]s`", r.Root, instead(real), r.RepoID)
	}
	switch r.State {
	case models.StateFresh:
		if r.LastError != "" {
			return models.Failed(name, "it answers from what there is, but %s", r.LastError)
		}
		if r.Pending > 0 {
			return models.Degraded(name, "%s", r.SayPending())
		}
		return models.Passed(name, "%s of %s in %s, %d skipped", models.Counted(r.FileCount, "file"), r.Root,
			models.Counted(r.DocCount, "document"), r.SkippedCount)
	case models.StateIndexing:
		return models.Passed(name, "its first index is being built")
	case models.StateError:
		if strings.Contains(r.LastError, "run `") { // it says what to do
			return models.Failed(name, "it has no usable index: %s", r.LastError)
		}
		return models.Failed(name, "it has no usable index: %s; run `ragnav index %s` again", r.LastError, r.Root)
	case models.StateNever:
	}
	return models.Failed(name, "it was never indexed; run `ragnav index %s`", r.Root)
}

// checkGraph is a check of the graph of a repository, if there is one and it is not what
// answers questions about uses and lineage.
func (a *App) checkGraph(ctx context.Context, id models.RepoID) []models.Check {
	name := "graph of " + string(id)
	resp, err := a.nav.Status(ctx, nav.StatusRequest{RepoID: id})
	if err != nil {
		return []models.Check{models.Degraded(name, "%s", reason(err))}
	}
	s := resp.Items[0]
	if none := s.Graph == nil && s.Status == nil; none || s.Answers == models.SourceGraph {
		return nil
	}
	return []models.Check{models.Degraded(name, "uses and lineage come from %s", models.Or(resp.Meta.Message, s.Reason))}
}

// instead tells where the path of a folder leads that is not the folder itself.
func instead(real string) string {
	if real == "" {
		return ""
	}
	return ", and a symlink to " + real + " is in its place"
}

// reason is an error as the person in charge of this machine may see it.
func reason(err error) string {
	if fault.CodeOf(err) == fault.Internal {
		return err.Error()
	}
	return fault.MessageOf(err)
}

// Lost are the repositories that have to be indexed again because a part of their
// index was damaged.
func (a *App) Lost() []models.Repository {
	if st, ok := a.store.(store.Loser); ok {
		return st.Lost()
	}
	return nil
}

func countedRepositories(n int) string {
	if n == 1 {
		return "1 repository"
	}
	return fmt.Sprintf("%d repositories", n)
}
