package navigation

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
)

func newImpact(s *cli.Session) *cobra.Command {
	var req nav.ImpactRequest
	var diff string
	var tests bool
	cmd := &cobra.Command{
		Use:   "impact",
		Short: "Tell what an edit breaks, and which tests reach it",
		Long: `Tell which symbols an edit changes, who is affected by that and which tests reach
them: of the files as they are against a commit, of a range of commits, or of a
diff. What breaks callers comes first. --tests prints the lines of a shell that
run the tests, and nothing else; those that most likely fail come first, and
--max-tests 20 leaves the rest out. With -r '*', or -r 'owner/*', it is the edits of
all these repositories, and who is affected in any of them.`,
		Example: `  ragnav nav impact
  ragnav nav impact -r '*' --text
  ragnav nav impact --base main --tests | sh
  ragnav nav impact -r golang/go --range go1.25...go1.26 --text
  git diff main...feature | ragnav nav impact --diff - --tests --max-tests 20`,
		Args: cli.Arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if req.Diff, err = readDiff(cmd, diff); err != nil {
				return cli.UsageError(cmd, err)
			}
			if tests {
				req.Limit = cmp.Or(req.Limit, new(mostChanged)) // so that nothing is said of a page
				return answer(cmd, s, op.Impact, &req, viewCommands)
			}
			return navigate(cmd, s, op.Impact, &req, viewImpact)
		},
	}
	addRepo(cmd, s)
	flags := cmd.Flags()
	flags.StringVar(&req.Base, "base", "", "the commit that the files are compared with (default HEAD)")
	flags.StringVar(&req.Range, "range", "", "two commits: v1..v2, or main...topic from where they part")
	flags.StringVar(&diff, "diff", "", "a file with a unified diff, - for standard input")
	flags.BoolVar(&tests, "tests", false, "print the lines of a shell that run the tests")
	cli.AddInt(cmd, &req.Depth, "depth", "", "hops (1-20, default 3, and 10 to tests)")
	cli.AddInt(cmd, &req.Limit, "limit", "l", "changed symbols (1-1000, default 50)")
	cli.AddInt(cmd, &req.MaxTests, "max-tests", "", "tests that are named, nearest first (1-10000, default all)")
	cli.AddCursor(cmd, &req.Cursor)
	cli.AddTokens(cmd, &req.MaxTokens)
	return cmd
}

// mostChanged is how many changed symbols a reply may have.
const mostChanged = 1000

// maxDiff is the longest diff in bytes.
const maxDiff = 900_000

// readDiff reads a file, or standard input.
func readDiff(cmd *cobra.Command, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	in := cmd.InOrStdin()
	if name != "-" {
		file, err := os.Open(name) //nolint:gosec // the user names it
		if err != nil {
			return "", fault.New(fault.InvalidRequest, "--diff: %v", err)
		}
		defer func() { _ = file.Close() }()
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, maxDiff+1))
	switch {
	case err != nil:
		return "", fault.New(fault.InvalidRequest, "--diff: %v", err)
	case len(text) > maxDiff:
		return "", fault.New(fault.InvalidRequest, "--diff: it is longer than %d bytes; use --range", maxDiff)
	case strings.TrimSpace(string(text)) == "":
		return "", fault.New(fault.InvalidRequest, "--diff: it is empty")
	}
	return string(text), nil
}

// viewImpact prints what changed, with who is affected indented by hops.
func viewImpact(s *term.Screen, resp nav.ImpactResponse) {
	at := func(id models.RepoID, file string, line int) string {
		if len(resp.Repositories) > 0 {
			file = string(id) + ":" + file
		}
		return s.Safe(fmt.Sprintf("%s:%d", file, line))
	}
	for _, item := range resp.Items {
		name := s.Styled(term.Green, s.Safe(cmp.Or(item.Symbol, "(top of the file)")))
		s.Pair(fmt.Sprintf("%s %s  %s", item.Change, name, item.Kind),
			" "+s.Styled(term.Bold, at(item.RepoID, item.FilePath, item.Line)), 6)
		for _, a := range item.Affected {
			indent := 2 * a.Depth
			s.Pair(strings.Repeat(" ", indent)+s.Safe(a.Symbol),
				fmt.Sprintf("  %s  %s", a.Edge, s.Styled(term.Dim, at(a.RepoID, a.FilePath, a.Line))), indent+4)
		}
		if more := item.Total - len(item.Affected); more > 0 {
			s.Printf("  and %d more\n", more)
		}
	}
	viewCommands(s, resp)
}

// viewCommands prints how the tests are run.
func viewCommands(s *term.Screen, resp nav.ImpactResponse) {
	for _, line := range resp.Commands {
		s.Printf("%s\n", s.Safe(line))
	}
}
