package main

import (
	"context"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/repos"
)

// served are checks of a server, and of each of its repositories. The server itself is
// ready, whatever its repositories are like.
func served(ctx context.Context, s *cli.Session) (checksReply, error) {
	ready, err := s.Client.Ready(ctx)
	if err != nil {
		return ready, err
	}
	for req := (repos.Request{Limit: new(1000)}); ; {
		list, err := op.Repos.By(ctx, s.Client, req)
		if err != nil {
			ready.Items = append(ready.Items, models.Failed("repositories", "%s", s.Say(fault.MessageOf(err))))
			return ready, nil
		}
		for i := range list.Items { // one by one: a session has one reply, and a server has seats for others, too
			ready.Items = append(ready.Items, checkServed(ctx, s, &list.Items[i])...)
		}
		if req.Cursor = list.Meta.NextCursor; req.Cursor == "" {
			return ready, ctx.Err()
		}
	}
}

// checkServed are checks of a repository of a server, by what it tells of it.
func checkServed(ctx context.Context, s *cli.Session, info *models.RepoInfo) []models.Check {
	name := "repository " + string(info.RepoID)
	resp, err := op.NavStatus.By(ctx, s.Client, nav.StatusRequest{RepoID: info.RepoID})
	if err != nil {
		return []models.Check{models.Failed(name, "%s", s.Say(fault.MessageOf(err)))}
	}
	if of := resp.Meta.IndexStatus; of != nil && of.LastError != nil {
		return []models.Check{models.Failed(name, "%s", s.Say(*of.LastError))}
	}
	checks := []models.Check{models.Passed(name, "%s in %s", models.Counted(info.FileCount, "file"),
		models.Counted(info.DocCount, "document"))}
	for _, g := range resp.Items {
		if (g.Graph != nil || g.Status != nil) && g.Answers != models.SourceGraph {
			checks = append(checks, models.Degraded("graph of "+string(info.RepoID), "uses and lineage come from %s",
				s.Say(models.Or(resp.Meta.Message, g.Reason))))
		}
	}
	return checks
}
