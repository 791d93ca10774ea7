// Package cli is what all commands of ragnav share: the session with its backend,
// how replies are shown, flags, completion, and how the program ends.
package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/early"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/access"
	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/client"
	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/garbage"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
)

// How long, and how often, to try again when another process owns the data
// directory and no server answers.
const (
	OwnerLimit = 3 * time.Second
	ownerPoll  = 100 * time.Millisecond
)

// A Share lets others read the store while this process writes, until what it
// returns is called, which closes the store.
type Share func(context.Context, *app.App, config.Config) (stop func() error)

// A Session is one call of the program: its flags, and the backend that it opens
// when a command first needs one.
type Session struct {
	Screen *term.Screen
	Getenv func(string) string

	// flags
	Server      string
	Timeout     time.Duration
	JSON, Quiet bool
	Text        bool   // replies are printed as agents get them
	Repo        string // that code is followed in: its id, or a path
	Folder      bool   // it is a path, so that no store is asked
	flags       *pflag.FlagSet

	Share Share // nil leaves others out

	Glance bool // folders of many files are not looked at, see app.App.Glance

	Role      app.Role // of this process towards the store; what changes nothing is a Reader
	Config    config.Config
	running   bool         // arguments were right, the command itself runs
	Local     *app.App     // open in this process, or nil
	stop      func() error // closes Local where it is shared, else nil
	Client    *client.Client
	lastReply []byte // of client, as the server wrote it
	collector *garbage.Collector

	Interrupts *Interrupts
}

// How much the heap grows, in percent, between two collections. A run of the
// index makes much garbage and keeps little: with the default of 100 a sixth of
// its time went into collecting. A build of a graph keeps much, the symbols of
// all files: with 55 its peak is .85 of what it is with 100, for a tenth more CPU.
const (
	IndexCollector = 200
	GraphCollector = 55
)

// NewSession is a session that reads; configure and a command say more.
func NewSession(screen *term.Screen, getenv func(string) string) *Session {
	return &Session{
		Screen: screen, Getenv: getenv, Role: app.Reader, collector: new(garbage.Collector),
		Interrupts: new(Interrupts),
	}
}

// Unhurried lets the heap of this process grow before garbage is collected, unless
// the user has said when that is to be. See garbage.Collector.
func (s *Session) Unhurried() {
	held := early.Release()
	if s.Getenv("GOGC") == "" {
		s.collector.Unhurried(held)
	}
}

// Collect has garbage collected when the heap has grown by that percentage,
// unless the user has set one. See garbage.Collector.
func (s *Session) Collect(percent int) {
	if s.Getenv("GOGC") == "" {
		s.collector.Start(percent)
	}
}

// Configure resolves the settings from the flags that cmd was given.
func (s *Session) Configure(cmd *cobra.Command) error {
	s.flags = cmd.Flags()
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
	cfg, err := config.Resolve(given, s.Getenv)
	if err != nil {
		return fault.Wrap(fault.InvalidRequest, err, "%s", err.Error())
	}
	if s.Timeout <= 0 {
		return UsageError(cmd, fault.New(fault.InvalidRequest, "--timeout must be more than 0"))
	}
	if s.Server == "" {
		s.Server = s.Getenv("RAGNAV_SERVER")
	}
	s.Config, s.running = cfg, true
	return nil
}

// Allow gives a command a time limit of its own, unless the user has set one.
func (s *Session) Allow(cmd *cobra.Command, limit time.Duration) {
	if !cmd.Flags().Changed("timeout") {
		s.Timeout = limit
	}
}

// Given reports whether the user has set a flag.
func (s *Session) Given(flag string) bool { return s.flags != nil && s.flags.Changed(flag) }

// Say is a message of an operation in the words of the command line: fields
// of the request are called as their flags, tools as commands.
func (s *Session) Say(message string) string {
	if s.flags == nil {
		return message
	}
	return s.way().Say(message)
}

// way is how messages of operations name what to do next here.
func (s *Session) way() op.Way {
	return op.Commands(func(field string) string {
		flag := strings.ReplaceAll(strings.TrimSuffix(field, ": true"), "_", "-")
		if s.flags.Lookup(flag) == nil {
			return field
		}
		return "--" + flag
	})
}

// Remote reports whether a server answers.
func (s *Session) Remote() bool { return s.Client != nil && !s.Folder }

// Open returns the backend: the server that --server names, this process, or
// the server that owns the data directory.
func (s *Session) Open(ctx context.Context) (op.Backend, error) {
	switch {
	case s.Client != nil:
		return s.Client, nil
	case s.Local != nil:
		return s.Local, nil
	case s.Server != "":
		c, err := client.New(s.Server, s.clientOptions(string(s.Config.APIToken)))
		if err != nil {
			return nil, err
		}
		s.Client = c
		return c, nil
	}
	return s.openStore(ctx)
}

// glance is about how many files a process looks at that does one search: to look at
// more would take longer than to search.
const glance = 12_500

// openStore opens the store in this process, or else talks to the server that
// owns the data directory. A process that is no server may be about to end, a
// server may not listen yet: both get ownerLimit.
func (s *Session) openStore(ctx context.Context) (op.Backend, error) {
	wait, cancel := context.WithTimeout(ctx, OwnerLimit)
	defer cancel()
	for {
		a, err := app.Open(ctx, s.Config, s.Role, app.OnFailure(s.noteCrash))
		if err == nil {
			if s.Glance {
				a.Glance(glance)
			}
			if s.Local = a; s.Share != nil {
				s.stop = s.Share(ctx, a, s.Config)
			}
			return a, nil
		}
		if fault.CodeOf(err) != fault.Conflict {
			return nil, err
		}
		owner, address := app.OwnerOf(s.Config.DataDir)
		if stopped(owner) {
			return nil, fault.New(fault.Conflict,
				"the data directory %s is open in process %d, which is stopped; `kill -CONT %[2]d` lets it "+
					"go on, `kill -KILL %[2]d` ends it",
				s.Config.DataDir, owner)
		}
		if c := client.Discover(ctx, address, s.clientOptions(access.ReadToken(s.Config.DataDir))); c != nil {
			s.Client = c
			return c, nil
		}
		select {
		case <-wait.Done():
			if address != "" {
				return nil, fault.Wrap(fault.Conflict, err,
					"the data directory %s is open in process %d, and its server at http://%s does not answer; "+
						"try again, or end that process (`kill %[2]d`)", s.Config.DataDir, owner, address)
			}
			return nil, err
		case <-time.After(ownerPoll):
		}
	}
}

// stopped reports whether a process is known to be stopped, as by Ctrl-Z: it answers
// nothing until somebody lets it go on, so that there is nothing to wait for.
func stopped(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)) // Linux has it, other systems don't tell
	if err != nil || pid == 0 {
		return false
	}
	_, state, ok := bytes.Cut(stat[bytes.LastIndexByte(stat, ')')+1:], []byte(" ")) // its name may have brackets
	return ok && bytes.HasPrefix(state, []byte("T"))
}

// noteCrash prints what a server would log: where the program failed. Other
// failures are told by the job.
func (s *Session) noteCrash(job index.Job, cause error) {
	if _, ok := errors.AsType[*fault.Panic](cause); ok {
		s.Screen.Note("job %s: %s", job.ID, Told(cause))
	}
}

// clientOptions are those of a client that sends a token: to the server of the
// own data directory the one that stands there, to others the one of the settings.
func (s *Session) clientOptions(token string) client.Options {
	return client.Options{Token: token, OnReply: func(body []byte) { s.lastReply = body }}
}

// Close closes what the session has opened in this process, and lets go of it:
// cobra keeps the completions of every command for ever, and they the session.
func (s *Session) Close() error {
	local, stop := s.Local, s.stop
	s.Local, s.stop = nil, nil
	switch {
	case local == nil:
		return nil
	case stop != nil:
		return stop()
	}
	return local.Close()
}

// Release lets go of the store between two calls that may be long apart: others can
// write to it, and the next call finds who has it then.
func (s *Session) Release() error {
	if s.Server == "" {
		s.Client = nil
	}
	return s.Close()
}

// BuildTimeout is the limit of building a graph, if none is given.
const BuildTimeout = time.Hour
