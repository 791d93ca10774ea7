package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/client"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
)

type checksReply = models.Result[models.Check]

func newDoctor(s *session) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check that everything needed is there, and say what to do",
		Long: `Check git, the data directory, the store, the embedder and each repository, or
the server that is in charge of them. The exit code is 1 when a check fails; with
warnings only it is 0.`,
		Example: `  ragnav doctor
  ragnav doctor --json`,
		Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			resp, err := s.checks(cmd.Context())
			if err != nil {
				return err
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
