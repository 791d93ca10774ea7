// Package app joins the packages to one program without a surface: it opens
// the store and does every operation of package op. The server and the command
// line call the same ones.
package app

import (
	"cmp"
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/ragnav/ragnav/internal/store/embedded/beside"

	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/embed/openai"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/reader"
	"github.com/ragnav/ragnav/internal/parse/worker"
	"github.com/ragnav/ragnav/internal/rag/agent"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/current"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/outline"
	"github.com/ragnav/ragnav/internal/rag/plan"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/rag/retrieve"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/rag/structure"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded"
	"github.com/ragnav/ragnav/internal/watch"
)

// An App is the whole program over one open store; it implements op.Backend. Its
// methods may be called concurrently. Requests must have passed valid.Check.
type App struct {
	op.Table

	cfg        config.Config
	store      store.Store
	embedder   *inUse
	configured atomic.Pointer[embed.Manifest] // of the embedder that would make the next index
	repos      *repos.Service
	structure  *structure.Service
	search     *search.Service
	files      *filefetch.Service
	outline    *outline.Service
	ask        *ask.Service
	agent      *agent.Service
	plan       *plan.Service
	retrieve   *retrieve.Service
	nav        *nav.Service
	parsers    *worker.Pool // nil without grammars
	watchers   *fresh.Watchers
	current    *current.Service
	jobs       *index.Service
	warming    warming
	idle       idle
}

// listMemory is for how long searches reuse the list of repositories of a
// cluster.
const listMemory = 500 * time.Millisecond

// catchUpAfter is how long a server waits before it has vectors made that an
// index run had to leave.
const catchUpAfter = time.Minute

// A Role says how a process uses a store that it shares with others.
type Role int

// The roles. A Tool that ends cancels its index runs; a Server that ends leaves
// them to the other servers of the store. A Reader changes nothing in a data
// directory. A Repairer is a Tool that makes a new index where there is none left.
const (
	Tool Role = iota
	Server
	Reader
	Repairer
)

// An Option adjusts an App.
type Option func(*index.Config)

// OnFailure has index jobs that fail told to report, with their cause.
func OnFailure(report func(job index.Job, cause error)) Option {
	return func(c *index.Config) { c.Failed = report }
}

// Open opens the store that c names and everything above it. A data directory
// that another process has open is a fault.Conflict. Close the App to stop its
// index runs and release the store.
func Open(ctx context.Context, c config.Config, role Role, options ...Option) (*App, error) {
	configured, err := newEmbedder(c)
	if err != nil {
		return nil, err
	}
	dims, err := dimsOf(ctx, c, role, configured)
	if err != nil {
		return nil, err
	}
	st, err := openStore(ctx, c, role, dims)
	if err != nil {
		return nil, err
	}
	embedder, err := embedderOf(ctx, c, st, configured, dims)
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	a := &App{cfg: c, store: st, embedder: newInUse(embedder)}
	a.configured.Store(new(configured.Manifest()))
	a.parsers = newParsers()
	outliner := outlinerOf(a.parsers)
	jobs, err := index.Open(ctx, st, a.embedder, a.jobsConfig(role, outliner, options))
	if err != nil {
		return nil, errors.Join(err, closeParsers(a.parsers), st.Close())
	}
	a.jobs = jobs
	a.repos = repos.New(st, c.ReposDir, jobs.Progress)
	if !c.Embedded() {
		a.repos.Remember(listMemory)
	}
	a.structure = structure.New(a.repos, st)
	a.search = search.New(st, a.repos, matched{a.embedder, st, jobs})
	rerankBy(a.search, c.Rerank)
	a.files = filefetch.New(a.repos)
	a.files.Parse(reader.Parser{Outliner: outliner})
	a.files.Define(definitionsBy(a.search, a.files))
	a.outline = outline.New(a.files)
	a.watchers = fresh.NewWatchers(0)
	a.current = newCurrent(c, st, jobs, a.repos, a.watchers)
	a.current.Kept = keptBy(c, st, role)
	a.repos.Compare(a.current.Look)
	a.search.Compare(a.current)
	a.search.Read(lineReader{a.files})
	a.nav = newNav(c, a.repos, a.parsers, a.watchers)
	a.search.Follow(a.nav)
	if role == Server {
		if err := a.Maintain(ctx); err != nil {
			return nil, errors.Join(err, a.Close())
		}
	}
	a.ask = newAsk(a)
	if g, err := gauge(embedder); err == nil {
		a.ask.Judge(g)
	}
	a.agent = newAgent(a)
	a.plan = newPlanner(c.LLM)
	a.retrieve = retrieve.New(a.plan, a.search, st, a.repos, lineReader{a.files})
	a.bind()
	a.warming = warm(ctx, a, role)
	return a, nil
}

// jobsConfig is how index runs are configured.
func (a *App) jobsConfig(role Role, outliner parse.Outliner, options []Option) index.Config {
	limits := WatchLimits(a.cfg)
	c := index.Config{
		ReposDir: a.cfg.ReposDir, Workers: a.cfg.Workers, MaxFileSize: limits.MaxFileSize, Exclude: limits.Exclude,
		StoreContent: a.cfg.Content == config.ContentStored,
		HandOver:     role == Server, ReadOnly: readOnly(a.store), Outliner: outliner,
	}
	if own, ok := a.store.(*embedded.Store); ok {
		c.Beside = func(ctx context.Context) (*index.Beside, error) { return a.beside(ctx, own) }
	}
	if m := newModel(a.cfg.LLM); m != nil {
		c.Summariser, c.Price = teller{m}, a.cfg.LLM.Price
	}
	if role == Server {
		c.GoOn = catchUpAfter
	}
	for _, set := range options {
		set(&c)
	}
	return c
}

// Close cancels index runs, waits for them, and closes the store.
func (a *App) Close() error {
	err := errors.Join(a.warming.stop(), a.nav.Close())
	a.current.Close()
	return errors.Join(err, a.watchers.Close(), a.jobs.Close(), closeParsers(a.parsers), a.store.Close())
}

// Update brings the index of a registered folder up to date, see
// index.Service.Update.
func (a *App) Update(ctx context.Context, req index.UpdateRequest) (index.Job, error) {
	return a.jobs.Update(ctx, req)
}

// Watch keeps the index of all registered folders up to date until ctx ends.
// Say tells a person what becomes of that; it may be called concurrently.
func (a *App) Watch(ctx context.Context, say func(id models.RepoID, message string)) {
	watch.Run(ctx, watch.Config{
		Repos: a.Watchable,
		Update: func(ctx context.Context, r watch.Repo, paths []string) error {
			job, err := a.Update(ctx, index.UpdateRequest{RepoID: r.ID, Paths: paths})
			if err != nil {
				return err
			}
			return FailureOf(job)
		},
		Say:    func(r watch.Repo, message string) { say(r.ID, message) },
		Limits: WatchLimits(a.cfg),
	})
}

// Watchable are the registered folders. Clones are left out: they change when
// they are indexed. So are, on a store that machines share, folders of others.
func (a *App) Watchable(ctx context.Context) ([]watch.Repo, error) {
	all, err := a.jobs.Registered(ctx)
	if err != nil {
		return nil, err
	}
	var found []watch.Repo
	for _, r := range all {
		if r.URL == "" && (a.cfg.Embedded() || isFolder(r.Root)) {
			found = append(found, watch.Repo{ID: r.RepoID, Root: r.Root})
		}
	}
	return found, nil
}

// Glance has searches look at the folders of about so many files, as is for a process
// that does one: what they say of others is UNKNOWN. Call it before the first.
func (a *App) Glance(files int) { a.current.Glance = files }

// Settle has this process learn of the folder of a repository, which was just indexed,
// what the next one needs to look at it.
func (a *App) Settle(ctx context.Context, id models.RepoID) error {
	r, err := a.repos.Repository(ctx, id)
	if err != nil {
		return err
	}
	return a.current.Settle(ctx, r)
}

// Announce leaves the address of this process's server in the data directory,
// for OwnerOf. Close takes it back. A store that nobody owns needs none.
func (a *App) Announce(addr string) error {
	if owned, ok := a.store.(store.Announcer); ok {
		return owned.Announce(addr)
	}
	return nil
}

// Version is what this program is, as the function Version gives it.
func (a *App) Version(release string) models.Version { return version(release, a.embedder.Manifest()) }

// beside opens the index in which all vectors are made again.
func (a *App) beside(ctx context.Context, st *embedded.Store) (*index.Beside, error) {
	e, err := newEmbedder(a.cfg)
	if err != nil {
		return nil, err
	}
	if server, ok := e.(*openai.Client); ok {
		if err := server.Learn(ctx); err != nil {
			return nil, err
		}
	}
	m := e.Manifest()
	stored, err := records.EmbedderOf(ctx, st) // may be one that this program can't have
	if err != nil {
		return nil, err
	}
	if m == cmp.Or(stored, a.embedder.Manifest()) {
		return nil, fault.New(fault.InvalidRequest,
			"the vectors are those of %s/%s already, with %d components; configure another embedder first", m.Provider, m.Model,
			m.Dims)
	}
	next, err := openBeside(ctx, beside.Dir(a.cfg.DataDir), m)
	if err != nil {
		return nil, err
	}
	adopt := func(ctx context.Context) error {
		if err := next.Close(); err != nil { //nolint:contextcheck // closing has no request
			return err
		}
		return st.Adopt(ctx, func() {
			a.embedder.current.Store(&e)
			a.configured.Store(&m)
		})
	}
	return &index.Beside{Store: next, Embedder: e, Adopt: adopt, Close: next.Close}, nil
}
