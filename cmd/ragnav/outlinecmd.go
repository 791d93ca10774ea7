package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/outline"
)

func newOutline(s *cli.Session) *cobra.Command {
	var req outline.Request
	cmd := &cobra.Command{
		Use:   "outline [REPO_ID] PATH",
		Short: "List what is in a file",
		Long: `List the symbols of a file as it is now, nested, with their lines; of a document
its headings. What is not exported is left out unless --private is given.
Read one of them with ` + "`ragnav file REPO_ID PATH#NAME`" + `. Without a repository
the path is one of this machine, in a repository that is indexed. --commit outlines
the file as a commit has it, and says whether it has changed since.`,
		Example: `  ragnav outline internal/clock/parse.go
  ragnav outline golang/go net/http/client.go
  ragnav outline golang/go net/http/client.go --private --depth 1
  ragnav outline golang/go README.md
  ragnav outline internal/clock/parse.go --commit 1a2b3c4`,
		Args:              cli.Arguments(cobra.RangeArgs(1, 2)),
		ValidArgsFunction: cli.FirstRepo(s),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if req.RepoID, req.FilePath, err = cli.Locate(cmd.Context(), s, args, false); err != nil {
				return err
			}
			return cli.Show(cmd, s, op.Outline, req, viewOutline)
		},
	}
	cmd.Flags().BoolVar(&req.Private, "private", false, "also symbols that are not exported")
	cli.AddInt(cmd, &req.Depth, "depth", "", "levels of nesting (1-20, default all)")
	cmd.Flags().StringVar(&req.Commit, "commit", "", "the file as this commit has it; seven of its digits are enough")
	cli.AddPage(cmd, &req.Limit, &req.Cursor, "symbols (1-5000, default 1000)")
	cli.AddTokens(cmd, &req.MaxTokens)
	return cmd
}

// viewOutline prints a line for each symbol: its lines, then its signature,
// indented by nesting.
func viewOutline(s *term.Screen, resp outline.Response) {
	width := len(fmt.Sprint(resp.TotalLines))
	for _, item := range resp.Items {
		what := item.Signature
		if what == "" {
			what = strings.TrimSpace(item.Kind + " " + item.Symbol)
		}
		if item.Kind == "section" {
			what = item.Symbol
		}
		at := fmt.Sprintf("%*d-%-*d", width, item.Line, width, item.EndLine)
		if item.Line == item.EndLine {
			at = fmt.Sprintf("%*d %*s", width, item.Line, width, "")
		}
		indent := strings.Repeat("  ", item.Depth)
		s.Printf("%s  %s%s\n", s.Styled(term.Dim, at), indent, s.Cut(what, len(at)+2+len(indent)))
	}
}
