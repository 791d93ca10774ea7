package navigation

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/views"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// NewMap is the command "map".
func NewMap(s *cli.Session) *cobra.Command {
	var req nav.MapRequest
	cmd := &cobra.Command{
		Use:   "map [REPO_ID] [FOLDER]",
		Short: "Show a repository on one page",
		Long: `Show a repository, or a folder of it, on one page: folders with their purpose, the
functions and types that most of the rest uses, where programs begin, and how
manifests say that it is built and tested. A path alone is a folder, of the repository
that it is in; without one it is the repository of the working directory.`,
		Example: `  ragnav map
  ragnav map golang/go net --max-tokens 4000
  ragnav map ./internal --text`,
		Args:              cli.Arguments(cobra.MaximumNArgs(2)),
		ValidArgsFunction: cli.FirstRepo(s),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch s.Repo = "."; len(args) {
			case 1:
				s.Repo, req.Path = args[0], "." // of a folder that is named: of a repository all
			case 2:
				s.Repo, req.Path = args[0], args[1]
			}
			return answer(cmd, s, op.Map, &req, viewMap)
		},
	}
	cmd.Flags().IntVar(&req.MaxTokens, "max-tokens", 0, "the size of the page (200-20000, default 2000)")
	return cmd
}

// viewMap prints folders, then symbols, then where to begin.
func viewMap(s *term.Screen, resp nav.MapResponse) {
	for _, item := range resp.Items {
		for _, f := range item.Folders {
			line := s.Styled(term.Bold, s.Safe(f.Path)) + "/  " + s.Styled(term.Dim, term.Counted(f.Files, "file"))
			if f.Purpose != "" {
				line += "  " + s.Safe(f.Purpose)
			}
			s.Printf("%s\n", s.Row(line))
		}
		for _, x := range item.Symbols {
			at, uses := views.Place(s, models.NavItem{FilePath: x.FilePath, Line: x.Line}),
				s.Styled(term.Dim, fmt.Sprintf("%9s", term.Counted(x.Uses, "use")))
			s.Printf("%s\n", s.Row(fmt.Sprintf("%s  %s  %s", uses, at, s.Safe(cmp.Or(x.Signature, x.Symbol)))))
		}
		for _, e := range item.EntryPoints {
			s.Printf("begins: %s\n", s.Safe(e))
		}
		for _, c := range item.Commands {
			s.Printf("$ %s\n", s.Safe(c))
		}
	}
}
