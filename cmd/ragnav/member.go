package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/internal/access"
	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/client"
	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/httpapi"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/structure"
)

// A member is one of several long-lived processes on a data directory. The
// first one owns it and serves the others; when it ends, the next one that is
// asked for something takes its place. A member is an op.Caller.
type member struct {
	s    *cli.Session
	ctx  context.Context // of its life
	root string          // the repository it is for, or ""

	mu       sync.Mutex
	refused  time.Time // when the data directory could not be had, for all of the patience
	backend  op.Backend
	stop     func() error             // ends what backend needs
	attached chan struct{}            // closed when the repository is known to backend, or can't be
	id       models.RepoID            // of root
	held     map[string]models.RepoID // repositories in root, where that is none, by their paths in it
}

// ownerPatience is for how long a member waits for an owner that is about to serve,
// as in place of one that died: on a busy machine that takes longer than a person
// wants to wait. It is less than a call may take.
const ownerPatience = 15 * time.Second

// Call implements op.Caller. A server that died meanwhile is replaced, and what
// it did not answer is asked again: members only read.
func (m *member) Call(ctx context.Context, row op.Row, req any) (any, error) {
	b, err := m.open(ctx)
	if err != nil {
		return nil, err
	}
	resp, err := b.Call(ctx, row, req)
	_, remote := b.(*client.Client) // else it is a model that this process doesn't reach
	if remote && client.Lost(err) && ctx.Err() == nil {
		m.leave(b)
		if b, err = m.open(ctx); err != nil {
			return nil, err
		}
		resp, err = b.Call(ctx, row, req)
	}
	return resp, err
}

// open joins the data directory: as its owner, or through the owner.
func (m *member) open(ctx context.Context) (op.Backend, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.backend != nil {
		return m.backend, nil
	}
	own := *m.s // what is opened here is this member's
	own.Local, own.Client = nil, nil
	b, err := own.Open(ctx)
	end := time.Now().Add(ownerPatience)
	if time.Since(m.refused) < ownerPatience { // else calls that wait for each other wait beyond their limit
		end = time.Now()
	}
	for fault.CodeOf(err) == fault.Conflict && time.Now().Before(end) && ctx.Err() == nil {
		b, err = own.Open(ctx)
	}
	if err != nil {
		if fault.CodeOf(err) == fault.Conflict {
			m.refused = time.Now()
		}
		return nil, err
	}
	m.backend, m.stop, m.attached = b, func() error { return nil }, make(chan struct{})
	if own.Local != nil {
		m.stop = serveOthers(m.ctx, own.Local, own.Config) //nolint:contextcheck // it lives as long as the member
	}
	_ = parallel.Start(func() error { return m.attach(b, m.attached) })
	return b, nil
}

// leave gives up a backend that is gone.
func (m *member) leave(b op.Backend) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.backend == b {
		m.backend = nil
	}
}

// Close ends what this process owns.
func (m *member) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.backend == nil {
		return nil
	}
	m.backend = nil
	return m.stop()
}

// attach has the repository indexed, in the background: from now on it is
// known, and answers come from its files until its index is there. Of a folder that
// holds several each is, and none is what a call means that names none.
func (m *member) attach(b op.Backend, attached chan struct{}) error {
	defer close(attached)
	if m.root == "" {
		return nil
	}
	each := cli.Holds(m.root) > 1 && !known(m.ctx, b, m.root)
	resp, err := op.StartIndex.By(m.ctx, b, index.StartRequest{Targets: []string{m.root}, Each: each})
	var id models.RepoID
	if each {
		held := map[string]models.RepoID{}
		for _, job := range resp.Items {
			if at := below(m.root, job.Target); at != "" && job.RepoID != "" {
				held[at] = job.RepoID
			}
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		m.held = held
		return err
	}
	if err == nil && len(resp.Items) > 0 {
		id = resp.Items[0].RepoID
	} else if id, err = app.RepoIDOf(m.ctx, m.root); err != nil { // another process is at it, mostly
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.id = id
	return nil
}

// known reports whether a folder is registered as a repository.
func known(ctx context.Context, b op.Backend, root string) bool {
	_, err := op.Structure.By(ctx, b, structure.Request{RepoID: models.RepoID(root), Limit: new(1)})
	return fault.CodeOf(err) != fault.RepoNotFound
}

// repository is what a call without repo_id means: the one of the working
// directory, else the only one there is.
func (m *member) repository(ctx context.Context) (models.RepoID, error) {
	if err := m.joined(ctx); err != nil {
		return "", err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.id, nil
}

// holds are the repositories in the working directory, where that is none itself, by their
// paths in it.
func (m *member) holds(ctx context.Context) map[string]models.RepoID {
	if m.joined(ctx) != nil { // a call that needs them says why
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.held
}

// joined waits until it is known which repositories the working directory is or has.
func (m *member) joined(ctx context.Context) error {
	if m.root == "" {
		return nil
	}
	if _, err := m.open(ctx); err != nil {
		return err
	}
	m.mu.Lock()
	attached := m.attached
	m.mu.Unlock()
	select {
	case <-attached:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// serveOthers serves the operations of an open store to other processes of this
// machine and keeps its index up to date, with graphs, until the result is called,
// which closes the store.
func serveOthers(ctx context.Context, a *app.App, cfg config.Config) (stop func() error) {
	ctx, cancel := context.WithCancel(ctx)
	_ = a.Maintain(ctx) // the next index run tells what is wrong
	beside, _ := parallel.NewGroup(ctx)
	beside.Go(func() error {
		a.Watch(ctx, func(models.RepoID, string) {})
		return nil
	})
	serveHTTP(ctx, beside, a, a, cfg)
	return func() error {
		cancel()
		return errors.Join(beside.Wait(), a.Close())
	}
}

// serveReaders lets other processes of this machine read an open store while
// this one writes, until the result is called, which closes the store.
func serveReaders(ctx context.Context, a *app.App, cfg config.Config) (stop func() error) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	beside, _ := parallel.NewGroup(ctx)
	serveHTTP(ctx, beside, a, reading{a}, cfg)
	return func() error {
		cancel()
		return errors.Join(beside.Wait(), a.Close())
	}
}

// reading does what changes nothing. The rest would end with this process.
type reading struct{ op.Backend }

// Call implements op.Caller.
func (r reading) Call(ctx context.Context, row op.Row, req any) (any, error) {
	if about := row.About(); about.Class == op.ClassIndex || about.Method == http.MethodDelete {
		return nil, fault.Later("process %d is indexing and takes no other work; try again when it is done", os.Getpid())
	}
	return r.Backend.Call(ctx, row, req)
}

// serveHTTP serves operations to other processes of this machine, where they
// can't open the store beside this one.
func serveHTTP(ctx context.Context, beside parallel.Group, a *app.App, ops op.Backend, cfg config.Config) {
	if !cfg.Embedded() {
		return
	}
	ln, token, err := announced(ctx, a, cfg)
	if err != nil { // they are told that the store is in use
		return
	}
	h := httpapi.New(httpapi.Deps{
		Log: zap.NewNop(), Timeout: cli.DefaultTimeout, AskTimeout: cfg.AnswerTimeout(), Ready: a.Ready,
		Version: a.Version(release),
		Ops:     access.Guarded(httpapi.Patient(httpapi.Admitted(ops, cfg.LLM.URL != "")), cfg.IndexRoots),
		Access:  httpapi.Access{OwnToken: token},
	})
	limits := httpapi.Limits{Request: cli.DefaultTimeout, Shutdown: cli.OwnerLimit}
	beside.Go(func() error { return httpapi.Serve(ctx, ln, h, zap.NewNop(), limits) })
}

// announced listens on loopback and leaves the address and a token, which only
// this user can read, in the data directory.
func announced(ctx context.Context, a *app.App, cfg config.Config) (ln net.Listener, token string, err error) {
	if token, err = access.OwnToken(cfg.DataDir); err != nil {
		return nil, "", err
	}
	if ln, err = new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0"); err != nil {
		return nil, "", err
	}
	if err = a.Announce(ln.Addr().String()); err != nil {
		return nil, "", errors.Join(err, ln.Close())
	}
	return ln, token, nil
}
