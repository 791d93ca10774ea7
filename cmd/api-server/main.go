// Api-server serves the REST API and the web page of ragnav.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/ragnav/ragnav/internal/garbage"

	"go.uber.org/zap"

	"github.com/ragnav/ragnav/internal/access"
	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/httpapi"
	"github.com/ragnav/ragnav/internal/parallel"
)

// collector is how much, in percent of what is in use, is allocated before garbage
// is collected: a search leaves much of it, and a server has memory. A small heap
// grows by more.
const collector = 200

// release is set by the linker for a release: -X main.release=v1.2.3.
var release string

func main() {
	if len(os.Args) == 2 && os.Args[1] == app.ParseWorker {
		if err := app.ServeParser(os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		return
	}
	err := run(context.Background(), os.Args[1:], os.Getenv, os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "api-server:", told(err))
		os.Exit(fault.CodeOf(err).Row().Exit)
	}
}

// run is the whole program. The first interrupt drains it, a second one ends
// the process. Tests call it with their own arguments and environment.
func run(ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)

	if slices.Contains(flagsOf(args), "--version") {
		return printVersion(stdout)
	}
	cfg, err := config.Load(args, getenv)
	if errors.Is(err, flag.ErrHelp) {
		_, err = io.WriteString(stdout, config.Usage())
		return err
	}
	if err != nil {
		return fault.Wrap(fault.InvalidRequest, err, "%v\nsee api-server --help", err)
	}
	log := newLog(cfg, stderr)
	defer func() { _ = log.Sync() }()
	restore, err := zap.RedirectStdLogAt(log, zap.DebugLevel) // the text index logs there what it tries again
	if err != nil {
		return err
	}
	defer restore()
	if getenv("GOGC") == "" {
		new(garbage.Collector).Start(collector)
	}
	if getenv("GOMAXPROCS") == "" {
		parallel.Crowd()
	}
	a, err := app.Open(ctx, cfg, app.Server, app.OnFailure(logFailure(log)))
	if err != nil {
		return err
	}
	err = serve(ctx, server{app: a, cfg: cfg, log: log, out: stdout})
	err = errors.Join(err, a.Close())
	log.Info("stopped")
	return err
}

// A server is what it takes to serve.
type server struct {
	app *app.App
	cfg config.Config
	log *zap.Logger
	out io.Writer
}

// serve listens, tells where, starts the index runs that were asked for, and
// answers requests until ctx is done.
func serve(ctx context.Context, s server) error {
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", s.cfg.Addr)
	if err != nil {
		return fault.Wrap(fault.InvalidRequest, err,
			"cannot listen on %s: %v; choose another address with --addr, port 0 for any free one", s.cfg.Addr, err)
	}
	ownToken, err := access.OwnToken(s.cfg.DataDir)
	if err == nil {
		err = s.announce(ln.Addr())
	}
	if err != nil {
		return errors.Join(err, ln.Close())
	}
	ctx, cancel := context.WithCancel(ctx)
	beside, _ := parallel.NewGroup(ctx)
	s.indexTargets(ctx, beside)
	if s.cfg.Watch {
		beside.Go(func() error { s.watchFolders(ctx); return nil })
	}
	beside.Go(func() error {
		<-ctx.Done()
		s.log.Info("stopping; requests under way get their reply")
		return nil
	})
	limits := httpapi.Limits{Request: s.cfg.RequestTimeout, Shutdown: s.cfg.ShutdownTimeout}
	err = httpapi.Serve(ctx, ln, httpapi.New(deps(s, ownToken)), s.log, limits)
	cancel()
	return errors.Join(err, beside.Wait())
}

// flagsOf are the arguments before "--".
func flagsOf(args []string) []string {
	if i := slices.Index(args, "--"); i >= 0 {
		args = args[:i]
	}
	return args
}

func printVersion(out io.Writer) error {
	v, err := app.Version(release)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "api-server %s %s (%s, embedder %s, schema %d)\n", v.Version, v.Commit, v.GoVersion,
		v.Embedder, v.SchemaVersion)
	return err
}

// told is an error as the person who starts the server may see it, unlike a
// client: with the cause of an internal error.
func told(err error) string {
	if fault.CodeOf(err) == fault.Internal {
		return strings.TrimSpace(err.Error())
	}
	return fault.MessageOf(err)
}
