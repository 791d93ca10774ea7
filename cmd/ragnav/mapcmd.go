package main

import (
	"cmp"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
)

func newMap(s *session) *cobra.Command {
	var req nav.MapRequest
	cmd := &cobra.Command{
		Use:   "map [REPO_ID] [FOLDER]",
		Short: "Show a repository on one page",
		Long: `Show a repository, or a folder of it, on one page: folders with their purpose, the
functions and types that most of the rest uses, where programs begin, and how
manifests say that it is built and tested. A path names a repository too; without
one it is that of the working directory.`,
		Example: `  ragnav map
  ragnav map golang/go net --max-tokens 4000
  ragnav map . --text`,
		Args:              arguments(cobra.MaximumNArgs(2)),
		ValidArgsFunction: firstRepo(s),
		RunE: func(cmd *cobra.Command, args []string) error {
			n := navFlags{repo: new(".")}
			if len(args) > 0 {
				n.repo = &args[0]
			}
			if len(args) > 1 {
				req.Path = args[1]
			}
			return navigate(cmd, s, navCall[nav.MapRequest, nav.MapResponse]{n, op.Map, &req, &req.RepoID, []*string{&req.Path}, viewMap, true})
		},
	}
	cmd.Flags().IntVar(&req.MaxTokens, "max-tokens", 0, "the size of the page (200-20000, default 2000)")
	return cmd
}

// viewMap prints folders, then symbols, then where to begin.
func viewMap(s *screen, resp nav.MapResponse) {
	for _, item := range resp.Items {
		for _, f := range item.Folders {
			s.printf("%s/  %s  %s\n", s.styled(bold, s.safe(f.Path)), s.styled(dim, counted(f.Files, "file")), s.safe(f.Purpose))
		}
		for _, x := range item.Symbols {
			s.printf("%s  %s  %s\n", place(s, models.NavItem{FilePath: x.FilePath, Line: x.Line}), s.safe(cmp.Or(x.Signature, x.Symbol)), s.styled(dim, counted(x.Uses, "use")))
		}
		for _, e := range item.EntryPoints {
			s.printf("begins: %s\n", s.safe(e))
		}
		for _, c := range item.Commands {
			s.printf("$ %s\n", s.safe(c))
		}
	}
}
