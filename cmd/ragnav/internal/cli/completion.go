package cli

import (
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// completionLimit bounds how long a shell waits for the names of repositories.
const completionLimit = 2 * time.Second

type completer = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective)

// Complete offers fixed values for a flag.
func Complete(cmd *cobra.Command, flag string, values ...string) {
	register(cmd, flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// CompleteRepos offers the ids of indexed repositories for a flag.
func CompleteRepos(cmd *cobra.Command, s *Session, flag string) { register(cmd, flag, RepoIDs(s)) }

// register panics for a flag that doesn't exist, which is a mistake in this program.
func register(cmd *cobra.Command, flag string, f completer) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err)
	}
}

// FirstRepo offers repository ids for the first argument only.
func FirstRepo(s *Session) completer {
	return func(cmd *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return RepoIDs(s)(cmd, args, prefix)
	}
}

// offer asks the store for completions.
func offer(s *Session, ask func(context.Context, op.Caller, string) ([]string, error)) completer {
	return func(cmd *cobra.Command, _ []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
		ctx, cancel := context.WithTimeout(cmd.Context(), completionLimit)
		defer cancel()
		if err := s.Configure(cmd); err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		b, err := s.Open(ctx)
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		found, err := ask(ctx, b, prefix)
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	}
}

// RepoIDs offers the ids of indexed repositories.
func RepoIDs(s *Session) completer {
	return offer(s, func(ctx context.Context, c op.Caller, _ string) (ids []string, err error) {
		resp, err := op.Repos.By(ctx, c, repos.Request{Limit: new(1000)})
		for _, r := range resp.Items {
			ids = append(ids, string(r.RepoID))
		}
		return ids, err
	})
}

// CompleteLanguages offers the languages that are indexed for a flag.
func CompleteLanguages(cmd *cobra.Command, s *Session, flag string) {
	register(cmd, flag, offer(s, func(ctx context.Context, c op.Caller, _ string) (names []string, err error) {
		resp, err := op.Repos.By(ctx, c, repos.Request{Limit: new(1000)})
		for _, r := range resp.Items {
			names = append(names, r.Languages...)
		}
		slices.Sort(names)
		return slices.Compact(names), err
	}))
}

// symbols offers names of indexed symbols that begin as what is typed.
func symbols(s *Session) completer {
	return offer(s, func(ctx context.Context, c op.Caller, prefix string) (names []string, err error) {
		if prefix == "" {
			return nil, nil
		}
		resp, err := op.Search.By(ctx, c, search.Request{Query: "sym:" + prefix + "*", Level: models.LevelSymbol, Limit: new(100)})
		for _, hit := range resp.Items {
			names = append(names, term.Text(hit.SymbolName))
		}
		slices.Sort(names)
		return slices.Compact(names), err
	})
}

// CompleteSymbol offers symbols for the argument and for the flag.
func CompleteSymbol(cmd *cobra.Command, s *Session) {
	cmd.ValidArgsFunction = symbols(s)
	register(cmd, "symbol", symbols(s))
}
