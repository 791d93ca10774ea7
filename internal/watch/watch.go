package watch

import (
	"context"
	"maps"
	"time"

	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// A Repo is a registered folder.
type Repo struct {
	ID   models.RepoID
	Root string // absolute, without symlinks
}

// Config is what watching needs. Zero durations mean the defaults.
type Config struct {
	// Repos are the folders to watch. It is asked again and again.
	Repos func(context.Context) ([]Repo, error)
	// Update brings the index of a repository up to date where those paths are
	// concerned (relative, slashes; a folder with all below it), or everywhere
	// when there are none. A fault.Conflict means: ask again soon; a
	// fault.RepoNotFound: it is not registered any more.
	Update func(ctx context.Context, r Repo, paths []string) error
	// Say tells a person, in one line, what became of watching a repository. It
	// may be called concurrently.
	Say func(r Repo, message string)

	Limits listing.Limits // those of index runs

	Quiet   time.Duration // without changes before an update; default 10 ms
	Longest time.Duration // that an update waits for quiet; default 1 s
	Locked  time.Duration // that an update waits for git; default 10 s
	Retry   time.Duration // before what failed is tried again, doubled up to 64 times; default 500 ms
	Look    time.Duration // between looks at the list of repositories and their roots; default 2 s
	Poll    time.Duration // between listings where there are no notifications; default 2 s

	open func() (*notifications, error) // tests; default openNotifications
}

// Run watches until ctx ends.
func Run(ctx context.Context, c Config) {
	c = c.withDefaults()
	running := map[Repo]*follower{}
	all, _ := parallel.NewGroup(ctx)
	defer func() { _ = all.Wait() }()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	tick := time.NewTicker(c.Look)
	defer tick.Stop()
	for {
		if repos, err := c.Repos(ctx); err == nil {
			c.adjust(ctx, running, repos, all)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// adjust starts to follow new repositories and ends following those that have
// left.
func (c Config) adjust(ctx context.Context, running map[Repo]*follower, repos []Repo, all parallel.Group) {
	wanted := map[Repo]bool{}
	for _, r := range repos {
		wanted[r] = true
	}
	maps.DeleteFunc(running, func(r Repo, f *follower) bool {
		if !wanted[r] {
			f.cancel()
		}
		return !wanted[r] || f.ended()
	})
	for r := range wanted {
		if running[r] != nil {
			continue
		}
		ctx, cancel := context.WithCancel(ctx)
		f := &follower{Config: c, repo: r, cancel: cancel, done: make(chan struct{})}
		running[r] = f
		all.Go(func() error {
			defer cancel()
			defer close(f.done)
			if err := parallel.Call(func() error { f.follow(ctx); return nil }); err != nil {
				c.Say(r, "watching broke off and begins again: "+err.Error())
			}
			return nil
		})
	}
}

func (c Config) withDefaults() Config {
	for _, d := range []struct {
		value     *time.Duration
		otherwise time.Duration
	}{
		{&c.Quiet, 10 * time.Millisecond},
		{&c.Longest, time.Second},
		{&c.Locked, 10 * time.Second},
		{&c.Retry, 500 * time.Millisecond},
		{&c.Look, 2 * time.Second},
		{&c.Poll, 2 * time.Second},
	} {
		if *d.value <= 0 {
			*d.value = d.otherwise
		}
	}
	if c.Say == nil {
		c.Say = func(Repo, string) {}
	}
	if c.open == nil {
		c.open = openNotifications
	}
	return c
}
