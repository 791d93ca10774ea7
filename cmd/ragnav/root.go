package main

import (
	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/indexing"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/navigation"
)

func newRoot(s *cli.Session) *cobra.Command {
	root := &cobra.Command{
		Use:   "ragnav",
		Short: "Find, read and follow code across repositories",
		Long: `Find, read and follow code across repositories, by meaning and by words.

Index a repository once, then search it at the level of symbols, files,
modules, repositories or documents. No server is needed; while an api-server
owns the data directory, ragnav talks to it by itself.

Exit codes: 0 done; 1 internal error, or a check or an index run failed;
2 bad arguments; 3 not found; 4 not allowed; 5 not ready, or in use;
6 no answer in time; 130 interrupted.`,
		Example: `  ragnav index ~/src/project
  ragnav search "parse an RFC 3339 timestamp" --level symbol
  ragnav file project internal/clock/parse.go:10-40`,
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			return s.Configure(cmd)
		},
	}
	root.SetFlagErrorFunc(cli.UsageError)
	globalFlags(root, s)
	root.AddCommand(indexing.NewIndex(s, serveReaders), newSearch(s), newAsk(s), newChat(s), newPlan(s), newContext(s),
		newStructure(s), newFile(s), newOutline(s), navigation.NewMap(s), navigation.NewNav(s), newMCP(s), newInit(s),
		newRepos(s),
		newRemove(s), newCoverage(s), newJobs(s), indexing.NewWatch(s), newDoctor(s), newBackup(s), newRestore(s),
		newSetup(s), newVersion(s))
	manPages(root)
	cli.Strict(root)
	cli.FitHelp(root, s.Screen)
	return root
}

func globalFlags(root *cobra.Command, s *cli.Session) {
	flags := root.PersistentFlags()
	cli.AddSettings(root, true, "store", "repos-dir", "embedder", "config")
	flags.StringVar(&s.Server, "server", "", "`URL` of an api-server to use instead of the store [RAGNAV_SERVER]")
	flags.DurationVar(&s.Timeout, "timeout", cli.DefaultTimeout, "limit for one operation")
	flags.BoolVar(&s.JSON, "json", false, "print the reply as the REST API gives it")
	flags.BoolVar(&s.Text, "text", false, "print the reply as agents get it: Markdown of at most 8,000 tokens")
	flags.BoolVar(&s.Quiet, "quiet", false, "print no progress and no hints")
}
