package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/repos"
)

// completionLimit bounds how long a shell waits for the names of repositories.
const completionLimit = 2 * time.Second

type completer = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective)

// complete offers fixed values for a flag.
func complete(cmd *cobra.Command, flag string, values ...string) {
	register(cmd, flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// completeRepos offers the ids of indexed repositories for a flag.
func completeRepos(cmd *cobra.Command, s *session, flag string) { register(cmd, flag, repoIDs(s)) }

// register panics for a flag that doesn't exist, which is a mistake in this program.
func register(cmd *cobra.Command, flag string, f completer) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err)
	}
}

// firstRepo offers repository ids for the first argument only.
func firstRepo(s *session) completer {
	return func(cmd *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return repoIDs(s)(cmd, args, prefix)
	}
}

func repoIDs(s *session) completer {
	return func(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		ctx, cancel := context.WithTimeout(cmd.Context(), completionLimit)
		defer cancel()
		if err := s.configure(cmd); err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		b, err := s.open(ctx)
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		resp, err := op.Repos.By(ctx, b, repos.Request{Limit: new(1000)})
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		var ids []cobra.Completion
		for _, r := range resp.Items {
			ids = append(ids, string(r.RepoID))
		}
		return ids, cobra.ShellCompDirectiveNoFileComp
	}
}
