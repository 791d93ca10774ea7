package main

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/views"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/rag/structure"
)

func newRepos(s *cli.Session) *cobra.Command {
	var req repos.Request
	cmd := &cobra.Command{
		Use:   "repos",
		Short: "List the indexed repositories",
		Long:  "List the indexed repositories with their languages and what the index holds of them.",
		Example: `  ragnav repos
  ragnav repos --json`,
		Args: cli.Arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cli.Show(cmd, s, op.Repos, req, views.Repos)
		},
	}
	cli.AddPage(cmd, &req.Limit, &req.Cursor, "repositories (1-1000, default 100)")
	cli.AddTokens(cmd, &req.MaxTokens)
	return cmd
}

func newStructure(s *cli.Session) *cobra.Command {
	var req structure.Request
	cmd := &cobra.Command{
		Use:   "structure [REPO_ID] [PATH]",
		Short: "Show a folder of a repository",
		Long: `Show a folder of a repository as it is on disk: folders, files with language
and number of lines, and the key files found by name. Files that are not indexed
are shown as such; ` + "`ragnav coverage`" + ` tells why. Without a repository it is the one around the
working directory, or a path from there. --commit shows the folder as a commit has
it, and says what has changed since.`,
		Example: `  ragnav structure
  ragnav structure golang/go
  ragnav structure golang/go net/http --include-summaries
  ragnav structure golang/go --pattern '**/*.md'
  ragnav structure golang/go net/http --commit 1a2b3c4`,
		Args:              cli.Arguments(cobra.MaximumNArgs(2)),
		ValidArgsFunction: cli.FirstRepo(s),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if req.RepoID, req.Path, err = cli.Locate(cmd.Context(), s, args, true); err != nil {
				return err
			}
			return cli.Show(cmd, s, op.Structure, req, views.Structure)
		},
	}
	cmd.Flags().StringVar(&req.Pattern, "pattern", "", "only what matches this glob below PATH; ** descends")
	cmd.Flags().BoolVar(&req.IncludeSummaries, "include-summaries", false, "show the summary of the folder")
	cmd.Flags().StringVar(&req.Commit, "commit", "", "the folder as this commit has it; seven of its digits are enough")
	cli.AddPage(cmd, &req.Limit, &req.Cursor, "files and folders (1-5000, default 1000)")
	cli.AddTokens(cmd, &req.MaxTokens)
	return cmd
}

func newFile(s *cli.Session) *cobra.Command {
	var req filefetch.Request
	cmd := &cobra.Command{
		Use:   "file [REPO_ID] PATH[:START[-END]|#SYMBOL]",
		Short: "Read lines of a file",
		Long: `Read a file of a repository, or some of its lines, or a symbol in it: with line
numbers on a terminal, as it is when piped. Lines count from 1, END is included. On
a terminal and with --json at most 256 KiB come at once, piped all of it. Without a
repository the path is one of this machine, in a repository that is indexed.
--commit reads the file as a commit has it, and says whether it has changed since.`,
		Example: `  ragnav file golang/go net/http/server.go:2600-2650
  ragnav file internal/clock/parse.go#ParseTime --context 10
  ragnav file golang/go go.mod | head
  ragnav file golang/go net/http/server.go --start-line 2600 --json
  ragnav file internal/clock/parse.go#ParseTime --commit 1a2b3c4`,
		Args:              cli.Arguments(cobra.RangeArgs(1, 2)),
		ValidArgsFunction: cli.FirstRepo(s),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if req.RepoID, req.FilePath, err = cli.Locate(cmd.Context(), s, args, false); err != nil {
				return err
			}
			if req.StartLine == nil && req.EndLine == nil {
				req.FilePath, req.StartLine, req.EndLine = cutLines(req.FilePath)
			}
			if s.JSON || s.Text || s.Screen.Terminal || req.MaxTokens != nil {
				return cli.Show(cmd, s, op.File, req, viewFile)
			}
			return pipeFile(cmd, s, req)
		},
	}
	cli.AddInt(cmd, &req.StartLine, "start-line", "", "first line (default 1)")
	cli.AddInt(cmd, &req.EndLine, "end-line", "", "last line (default the file's last)")
	cmd.Flags().IntVar(&req.Context, "context", 0, "lines around them, at most 200")
	cmd.Flags().StringVar(&req.Commit, "commit", "", "lines as this commit has them; seven of its digits are enough")
	cmd.Flags().StringVar(&req.Cursor, "cursor", "", "go on behind the last reply, as it named it")
	cli.AddTokens(cmd, &req.MaxTokens)
	return cmd
}

var linesSuffix = pattern.NewLazy(`^(.+):(\d{1,9})(?:-(\d{1,9}))?$`)

// cutLines splits "a.go:10-20" as search prints it; "a.go:10" is one line.
func cutLines(arg string) (path string, start, end *int) {
	m := linesSuffix().FindStringSubmatch(arg)
	if m == nil {
		return arg, nil, nil
	}
	first, _ := strconv.Atoi(m[2])
	last := first
	if m[3] != "" {
		last, _ = strconv.Atoi(m[3])
	}
	return m[1], &first, &last
}
