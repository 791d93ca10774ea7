package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ragnav/ragnav/internal/access"
	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/client"
	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
)

// How long, and how often, to try again when another process owns the data
// directory and no server answers.
const (
	ownerLimit = 3 * time.Second
	ownerPoll  = 100 * time.Millisecond
)

// A session is one call of the program: its flags, and the backend that it opens
// when a command first needs one.
type session struct {
	screen *screen
	getenv func(string) string

	// flags
	server      string
	timeout     time.Duration
	json, quiet bool
	text        bool // replies are printed as agents get them

	role      app.Role // of this process towards the store; what changes nothing is a Reader
	cfg       config.Config
	running   bool     // arguments were right, the command itself runs
	local     *app.App // open in this process, or nil
	client    *client.Client
	lastReply []byte // of client, as the server wrote it
}

func newSession(screen *screen, getenv func(string) string) *session {
	return &session{screen: screen, getenv: getenv, role: app.Reader}
}

// configure resolves the settings from the flags that cmd was given.
func (s *session) configure(cmd *cobra.Command) error {
	given := map[string]string{}
	settings := map[string]bool{}
	for _, setting := range config.Settings() {
		settings[setting.Flag] = true
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if settings[f.Name] {
			given[f.Name] = f.Value.String()
		}
	})
	cfg, err := config.Resolve(given, s.getenv)
	if err != nil {
		return fault.Wrap(fault.InvalidRequest, err, "%s", err.Error())
	}
	if s.timeout <= 0 {
		return usageError(cmd, fault.New(fault.InvalidRequest, "--timeout must be more than 0"))
	}
	if s.server == "" {
		s.server = s.getenv("RAGNAV_SERVER")
	}
	s.cfg, s.running = cfg, true
	return nil
}

func (s *session) remote() bool { return s.client != nil }

// open returns the backend: the server that --server names, this process, or
// the server that owns the data directory.
func (s *session) open(ctx context.Context) (op.Backend, error) {
	switch {
	case s.client != nil:
		return s.client, nil
	case s.local != nil:
		return s.local, nil
	case s.server != "":
		c, err := client.New(s.server, s.clientOptions(string(s.cfg.APIToken)))
		if err != nil {
			return nil, err
		}
		s.client = c
		return c, nil
	}
	return s.openStore(ctx)
}

// openStore opens the store in this process, or else talks to the server that
// owns the data directory. A process that is no server may be about to end, a
// server may not listen yet: both get ownerLimit.
func (s *session) openStore(ctx context.Context) (op.Backend, error) {
	wait, cancel := context.WithTimeout(ctx, ownerLimit)
	defer cancel()
	for {
		a, err := app.Open(ctx, s.cfg, s.role, app.OnFailure(s.noteCrash))
		if err == nil {
			s.local = a
			return a, nil
		}
		if fault.CodeOf(err) != fault.Conflict {
			return nil, err
		}
		if c := client.Discover(ctx, app.ServerOf(s.cfg.DataDir), s.clientOptions(access.ReadToken(s.cfg.DataDir))); c != nil {
			s.client = c
			return c, nil
		}
		select {
		case <-wait.Done():
			return nil, err
		case <-time.After(ownerPoll):
		}
	}
}

// noteCrash prints what a server would log: where the program failed. Other
// failures are told by the job.
func (s *session) noteCrash(job index.Job, cause error) {
	if _, ok := errors.AsType[*fault.Panic](cause); ok {
		s.screen.note("job %s: %s", job.ID, told(cause))
	}
}

// clientOptions are those of a client that sends a token: to the server of the
// own data directory the one that stands there, to others the one of the settings.
func (s *session) clientOptions(token string) client.Options {
	return client.Options{Token: token, OnReply: func(body []byte) { s.lastReply = body }}
}

func (s *session) close() error {
	if s.local == nil {
		return nil
	}
	return s.local.Close()
}
