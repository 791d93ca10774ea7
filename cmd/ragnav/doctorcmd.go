package main

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/client"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/rag/models"
)

type checksReply = models.Result[models.Check]

func newDoctor(s *session) *cobra.Command {
	var deep, repair bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check that everything needed is there, and say what to do",
		Long: `Check git, the data directory, the store, the embedder and each repository, or
the server that is in charge of them. The exit code is 1 when a check fails; with
warnings only it is 0.

With --deep all files of the data directory are read and compared with their
checksums, also while a server has it open.

With --repair damaged files are put into its folder "quarantine", and the
repositories that had something in them are indexed again. What was embedded is
not embedded again where that is whole. No server may have the directory open.`,
		Example: `  ragnav doctor
  ragnav doctor --deep
  ragnav doctor --repair`,
		Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if repair {
				if err := s.mend(cmd.Context()); err != nil {
					return err
				}
			}
			resp, err := s.checks(cmd.Context())
			if err != nil {
				return err
			}
			if (deep || repair) && s.cfg.Embedded() && s.server == "" {
				resp.Items = append(resp.Items, app.Verify(cmd.Context(), s.cfg)...)
			}
			if s.json {
				if err := s.printJSON(&resp); err != nil {
					return err
				}
			} else {
				viewChecks(s.screen, s.withServer(resp))
			}
			return verdict(resp, s.json)
		},
	}
	cmd.Flags().BoolVar(&deep, "deep", false, "read all files of the data directory and compare them with their checksums")
	cmd.Flags().BoolVar(&repair, "repair", false, "put damaged files aside and index again what was in them")
	return cmd
}

// mend puts damaged files aside and indexes again what was in them. The standard
// output is for what the checks say afterwards.
func (s *session) mend(ctx context.Context) error {
	out := s.screen.out
	s.screen.out = s.screen.err
	defer func() { s.screen.out = out }()
	if !s.cfg.Embedded() || s.server != "" {
		return fault.New(fault.InvalidRequest, "--repair mends a data directory; run it where that is, with --store embedded:DIR and without --server")
	}
	s.role = app.Repairer
	b, err := s.open(ctx)
	if err != nil {
		return err
	}
	if s.remote() {
		return fault.New(fault.Conflict, "a server has the data directory %s open; stop it, then run `ragnav doctor --repair`", s.cfg.DataDir)
	}
	all := &batch{indexRun: indexRun{s: s, backend: b}}
	for _, lost := range s.local.Lost() {
		where := cmp.Or(lost.URL, lost.Root)
		if where == "" {
			s.screen.note("where %s is, is not known any more: run `ragnav index --repo-id %s FOLDER`", lost.RepoID, lost.RepoID)
			continue
		}
		if err := all.run(ctx, index.StartRequest{Targets: []string{where}, RepoID: lost.RepoID}, where); err != nil {
			return err
		}
	}
	return nil
}

// checks are those of the server, or of this machine and the store.
func (s *session) checks(ctx context.Context) (checksReply, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	start := time.Now()
	_, err := s.open(ctx)
	if s.remote() {
		return s.client.Ready(ctx, client.Nothing{})
	}
	if s.server != "" || ctx.Err() != nil {
		return checksReply{}, err
	}
	if err != nil {
		store := models.Check{Name: "store", Message: fault.MessageOf(err)}
		if fault.CodeOf(err) == fault.Internal {
			store.Message = err.Error()
		}
		return about(start, append(app.Machine(ctx, s.cfg.DataDir), store)...), nil
	}
	return about(start, s.local.Checks(ctx)...), nil
}

// withServer has the server that was asked as the first check.
func (s *session) withServer(resp checksReply) checksReply {
	if s.remote() {
		answers := models.Check{Name: "server", OK: true, Message: s.client.URL() + " answers, and is in charge of the store"}
		resp.Items = append([]models.Check{answers}, resp.Items...)
	}
	return resp
}

func viewChecks(s *screen, resp checksReply) {
	for _, c := range resp.Items {
		mark := s.styled(green, "ok  ")
		switch {
		case !c.OK:
			mark = s.styled(red, "FAIL")
		case c.Degraded:
			mark = s.styled(amber, "warn")
		}
		s.printf("%s  %s: %s\n", mark, s.safe(c.Name), s.safe(c.Message))
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
		return &statusError{code: 1}
	}
	return &statusError{code: 1, message: fmt.Sprintf("%s failed", counted(bad, "check"))}
}
