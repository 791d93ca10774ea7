package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/views"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

func newSearch(s *cli.Session) *cobra.Command {
	var req search.Request
	cmd := &cobra.Command{
		Use:   "search QUERY...",
		Short: "Search by meaning and by words",
		Long: `Search the indexed repositories by meaning and by words.

Each result names repository, path and lines, so that ` + "`ragnav file`" + ` can read them.
The level says what is looked for: a symbol, a file (the default), a module (a
folder), a repository, or a section of a document; "auto" lets the query decide.

Words of the query rank; operators in it select, and what they select is exact:
  repo:ID file:GLOB lang:NAME sym:NAME kind:func tag:NAME case:yes
  "exact phrase"  /regular expression/  -not  or  ( )

Up to 200 changed files of a repository are searched as they are now. Without a
server, of several repositories those of about 12,500 files are looked at; the reply
is UNKNOWN where that left some out. An api-server looks at all, as --repo-filter ID does.`,
		Example: `  ragnav search "parse an RFC 3339 timestamp"
  ragnav search --level symbol --repo-filter 'golang/*' ServeMux
  ragnav search 'lang:go -file:*_test.go "connection refused" retry'
  ragnav search --level doc --limit 20 --json how do I configure retries`,
		Args: cli.Arguments(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			req.Query, s.Glance = strings.Join(args, " "), true
			return cli.Show(cmd, s, op.Search, req, views.Search)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP((*string)(&req.Level), "level", "L", "", "symbol, file, module, repo, doc or auto (default file)")
	cli.AddRepoFilter(cmd, s, &req.RepoFilter)
	flags.StringVarP(&req.PathFilter, "path-filter", "p", "",
		"only below this folder, or a glob such as '*_test.go' or 'src/**/*.go'")
	flags.StringVar(&req.Language, "language", "",
		"only files in this language: a name, alias or extension such as python, py or .py")
	flags.StringVar(&req.Mode, "mode", "", "hybrid, semantic or lexical (default hybrid)")
	flags.BoolVar(&req.Preview, "preview", false, "cut each content to 200 characters")
	flags.BoolVar(&req.Explain, "explain", false, "show the parts of each score")
	cli.AddPage(cmd, &req.Limit, &req.Cursor, "results (1-100, default 5)")
	cli.AddTokens(cmd, &req.MaxTokens)
	cli.Complete(cmd, "level", levelNames()...)
	cli.Complete(cmd, "mode", search.ModeHybrid, search.ModeSemantic, search.ModeLexical)
	cli.CompleteLanguages(cmd, s, "language")
	return cmd
}

func levelNames() []string {
	var names []string
	for _, l := range append(models.Levels(), models.LevelAuto) {
		names = append(names, string(l))
	}
	return names
}
