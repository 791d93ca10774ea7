package indexing

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/views"
	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/watch"
)

// NewWatch is the command "watch".
func NewWatch(s *cli.Session) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "watch [FOLDER-or-REPO_ID...]",
		Short: "Keep the index up to date while files change",
		Long: `Watch indexed folders (default: all of them) and bring their index up to date
whenever files change, until Ctrl-C. Folders that are not indexed yet are refused;
index them first. Clones are not watched: indexing their URL updates them.

Between two updates the store is free for other ragnav commands. An api-server
does this by itself when started with --watch, and quicker: it keeps in memory what
this command reads again each time.`,
		Example: `  ragnav watch
  ragnav watch ~/src/project golang/go`,
		ValidArgsFunction: cli.RepoIDs(s),
		RunE: func(cmd *cobra.Command, args []string) error {
			s.Role = app.Tool
			w := &watching{s: s}
			if err := w.choose(cmd.Context(), args); err != nil {
				return err
			}
			return w.run(cmd.Context())
		},
	}
	cli.AddSettings(cmd, false, cli.IndexOnly...)
	return cmd
}

// A watching is one run of the command.
type watching struct {
	s *cli.Session

	store sync.Mutex // held while the store is open

	mu    sync.Mutex // guards repos and the screen
	repos []watch.Repo
}

// withStore opens the store for f. The files of an embedded one are closed
// again, so that other commands get their turn.
func (w *watching) withStore(ctx context.Context, f func(*app.App) error) error {
	w.store.Lock()
	defer w.store.Unlock()
	if _, err := w.s.Open(ctx); err != nil {
		return err
	}
	if w.s.Local == nil {
		if w.s.Server == "" {
			w.s.Client = nil // it may be gone next time
		}
		return fault.New(fault.RAGUnavailable,
			"an api-server has the index; start that with --watch (RAGNAV_WATCH=true) instead")
	}
	err := f(w.s.Local)
	if !w.s.Config.Embedded() {
		return err
	}
	if closed := w.s.Close(); err == nil {
		err = closed
	}
	return err
}

// choose finds the repositories that the arguments name; all when there are none.
func (w *watching) choose(ctx context.Context, args []string) error {
	return w.withStore(ctx, func(a *app.App) error {
		known, err := a.Watchable(ctx)
		if err != nil {
			return err
		}
		if len(known) == 0 {
			return fault.New(fault.IndexNotReady, "no folder is indexed yet; index one with `ragnav index PATH`")
		}
		if len(args) == 0 {
			w.repos = known
			return nil
		}
		ids := make([]models.RepoID, len(known))
		for i, r := range known {
			ids[i] = r.ID
		}
		for _, arg := range args {
			id, err := filter.Repository(ids, arg)
			i := slices.IndexFunc(known, func(r watch.Repo) bool { return r.ID == id || r.Root == resolved(arg) })
			if i < 0 && fault.CodeOf(err) == fault.InvalidRequest {
				return err
			}
			if i < 0 {
				return fault.New(fault.RepoNotFound,
					"%q is no indexed folder; index it first with `ragnav index`, or choose one of: %s", arg, names(known))
			}
			if !slices.Contains(w.repos, known[i]) {
				w.repos = append(w.repos, known[i])
			}
		}
		return nil
	})
}

// resolved is the absolute path of a folder, as the index has it.
func resolved(arg string) string {
	path := app.Target(arg)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

func names(repos []watch.Repo) string {
	ids := make([]string, len(repos))
	for i, r := range repos {
		ids[i] = string(r.ID)
	}
	return strings.Join(ids, ", ")
}

// run watches until ctx ends, which is how the command is meant to end.
func (w *watching) run(ctx context.Context) error {
	if !w.s.Quiet {
		w.s.Screen.Printf("watching %s (Ctrl-C stops)\n", names(w.repos))
	}
	watch.Run(ctx, watch.Config{
		Repos:  w.list,
		Update: w.update,
		Say: func(r watch.Repo, message string) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.s.Screen.Note("%s: %s", r.ID, message)
		},
		Limits: app.WatchLimits(w.s.Config),
	})
	return nil
}

func (w *watching) list(context.Context) ([]watch.Repo, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.repos), nil
}

func (w *watching) update(ctx context.Context, r watch.Repo, paths []string) error {
	var job index.Job
	err := w.withStore(ctx, func(a *app.App) (err error) {
		job, err = a.Update(ctx, index.UpdateRequest{RepoID: r.ID, Paths: paths})
		return err
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	if fault.CodeOf(err) == fault.RepoNotFound {
		w.repos = slices.DeleteFunc(w.repos, func(other watch.Repo) bool { return other == r })
	}
	if err != nil {
		return err
	}
	if err := app.FailureOf(job); err != nil {
		return err
	}
	if job.Changed+job.Removed > 0 && !w.s.Quiet {
		w.s.Screen.Printf("%s: %s changed, %s removed, %s s\n", job.RepoID, term.Counted(job.Changed, "file"),
			term.Thousands(job.Removed), views.Seconds(job))
	}
	return nil
}
