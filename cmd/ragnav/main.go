// Ragnav is the command line of ragnav: it indexes repositories and searches
// them, in this process or through an api-server.
package main

import (
	"context"
	"io"
	"os"
	"runtime"

	"go.uber.org/zap"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/early"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/app"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == app.ParseWorker {
		early.Release()
		runtime.GC() // a worker is one of several and holds little: from now on it collects as Go does
		if err := app.ServeParser(os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		return
	}
	zap.RedirectStdLog(zap.NewNop()) // the text index writes there what it tries again
	os.Exit(run(context.Background(), os.Args[1:], os.Getenv, os.Stdout, os.Stderr))
}

// run is the whole program; its result is the exit code.
func run(ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer) int {
	s := cli.NewSession(term.New(stdout, stderr, getenv), getenv)
	s.Unhurried()
	ctx, stop := s.Interrupts.Watch(ctx)
	defer stop()
	root := newRoot(s) //nolint:contextcheck // the commands take ctx from ExecuteContext
	if len(args) == 1 && args[0] == "--version" {
		args = []string{"version"}
	}
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if closeErr := s.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = s.Screen.Failed
	}
	return s.Exit(ctx, root, args, err)
}
