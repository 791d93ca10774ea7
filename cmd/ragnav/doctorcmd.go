package main

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/indexing"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/rag/models"
)

type checksReply = models.Result[models.Check]

func newDoctor(s *cli.Session) *cobra.Command {
	var deep, repair bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check that everything needed is there, and say what to do",
		Long: `Check git, the data directory, the store, the embedder and each repository, or
the server that is in charge of them and what it says of each. The exit code is 1
when a check fails; with warnings only it is 0.

With --deep all files of the data directory are read and compared with their
checksums, also while a server has it open.

With --repair damaged files are put into its folder "quarantine", and the
repositories that had something in them are indexed again. What was embedded is
not embedded again where that is whole. No server may have the directory open.`,
		Example: `  ragnav doctor
  ragnav doctor --deep
  ragnav doctor --repair`,
		Args: cli.Arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if repair {
				if err := mend(cmd.Context(), s); err != nil {
					return err
				}
			}
			resp, err := runChecks(cmd.Context(), s)
			if err != nil {
				return err
			}
			if (deep || repair) && s.Config.Embedded() && s.Server == "" {
				resp.Items = append(resp.Items, app.Verify(cmd.Context(), s.Config)...)
			}
			if s.JSON {
				if err := s.PrintJSON(&resp); err != nil {
					return err
				}
			} else {
				viewChecks(s.Screen, withServer(s, resp))
			}
			return verdict(resp, s.JSON)
		},
	}
	cmd.Flags().BoolVar(&deep, "deep", false, "read all files of the data directory and compare them with their checksums")
	cmd.Flags().BoolVar(&repair, "repair", false, "put damaged files aside and index again what was in them")
	return cmd
}

// mend puts damaged files aside and indexes again what was in them. The standard
// output is for what the checks say afterwards.
func mend(ctx context.Context, s *cli.Session) error {
	out := s.Screen.Out
	s.Screen.Out = s.Screen.Err
	defer func() { s.Screen.Out = out }()
	if !s.Config.Embedded() || s.Server != "" {
		return fault.New(fault.InvalidRequest,
			"--repair mends a data directory; run it where that is, with --store embedded:DIR and without --server")
	}
	s.Role = app.Repairer
	b, err := s.Open(ctx)
	if err != nil {
		return err
	}
	if s.Remote() {
		return fault.New(fault.Conflict,
			"a server has the data directory %s open, and goes on with what is whole of it; `ragnav repos` tells what to "+
				"index again; to repair all at once stop it, then run `ragnav doctor --repair`", s.Config.DataDir)
	}
	all := &indexing.Batch{IndexRun: indexing.IndexRun{S: s, Backend: b}}
	for _, lost := range s.Local.Lost() {
		where := cmp.Or(lost.URL, lost.Root)
		if where == "" {
			s.Screen.Note("where %s is, is not known any more: run `ragnav index --repo-id %s FOLDER`", lost.RepoID, lost.RepoID)
			continue
		}
		if err := all.Run(ctx, index.StartRequest{Targets: []string{where}, RepoID: lost.RepoID}, where); err != nil {
			return err
		}
	}
	return nil
}

// runChecks are those of the server, or of this machine and the store.
func runChecks(ctx context.Context, s *cli.Session) (checksReply, error) {
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	start := time.Now()
	_, err := s.Open(ctx)
	if s.Remote() {
		return served(ctx, s)
	}
	if s.Server != "" || ctx.Err() != nil {
		return checksReply{}, err
	}
	if err != nil {
		store := models.Check{Name: "store", Message: fault.MessageOf(err)}
		if fault.CodeOf(err) == fault.Internal {
			store.Message = err.Error()
		}
		return about(start, append(app.Machine(ctx, s.Config.DataDir), store)...), nil
	}
	return about(start, s.Local.Checks(ctx)...), nil
}

// withServer has the server that was asked as the first check.
func withServer(s *cli.Session, resp checksReply) checksReply {
	if s.Remote() {
		answers := models.Check{Name: "server", OK: true, Message: s.Client.URL() + " answers, and is in charge of the store"}
		resp.Items = append([]models.Check{answers}, resp.Items...)
	}
	return resp
}

func viewChecks(s *term.Screen, resp checksReply) {
	for _, c := range resp.Items {
		mark := s.Styled(term.Green, "ok  ")
		switch {
		case !c.OK:
			mark = s.Styled(term.Red, "FAIL")
		case c.Degraded:
			mark = s.Styled(term.Amber, "warn")
		}
		s.Wrapped(fmt.Sprintf("%s  %s: %s", mark, s.Safe(c.Name), s.Safe(c.Message)), len("ok    "))
	}
}

// verdict is an error when a check failed.
func verdict(resp checksReply, silent bool) error {
	bad := 0
	for _, c := range resp.Items {
		if !c.OK {
			bad++
		}
	}
	switch {
	case bad == 0:
		return nil
	case silent:
		return &cli.StatusError{Code: 1}
	}
	return &cli.StatusError{Code: 1, Message: fmt.Sprintf("%s failed", term.Counted(bad, "check"))}
}
