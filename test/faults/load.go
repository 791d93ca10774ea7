package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A loading is a server with repositories, and the requests that it is sent.
type loading struct {
	options

	server *server
	runs   atomic.Int64 // index runs that were done
	mix    mix
	job    string // the folder that is indexed all the time
}

// A round is what so many clients got.
type round struct {
	clients int
	mu      sync.Mutex
	took    map[string][]time.Duration // of replies with 200, by kind of request
	refused int                        // 503 and 429 with Retry-After
	bad     map[string]int             // all others
	git     int                        // most processes of git at once
	jobs    int64                      // index runs that ended during the round
}

const (
	slower    = 3 // the p99 of admitted requests may be so many times that of the first round
	filesIn   = 100 * time.Millisecond
	gitAtOnce = 8
	pause     = 100 * time.Millisecond // of a client that was refused
)

// judgeLoad loads a server with more and more clients, prints what they got and
// reports whether that is what a server under load should give.
func judgeLoad(ctx context.Context, o options) (bool, error) {
	dir, err := os.MkdirTemp("", "ragnav-load-")
	if err != nil {
		return false, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	l, err := newLoading(ctx, o, dir)
	if err != nil {
		return false, err
	}
	fmt.Printf("seed %d, %v a round, requests: %s\n", o.seed, o.each, l.mix.names())
	good := true
	running, stop := context.WithCancel(ctx)
	defer stop()
	indexing := make(chan error, 1)
	go func() { indexing <- l.keepIndexing(running) }()
	var first *round
	for _, clients := range o.clients {
		r, err := l.round(ctx, clients)
		if err != nil {
			return false, err
		}
		if first == nil {
			first = r
		}
		good = r.print(os.Stdout, first) && good
		if !l.server.alive() || ctx.Err() != nil {
			break
		}
	}
	stop()
	if err := <-indexing; err != nil {
		fmt.Println("FAIL:", err)
		good = false
	}
	end := l.server.stop()
	if end.panicked() || end.exit != 0 {
		fmt.Printf("FAIL: the server ended with %d\n%s\n", end.exit, cut(end.err[max(0, len(end.err)-3000):], 3000))
		good = false
	}
	return good, nil
}

// newLoading copies folders, makes git repositories of them and indexes them.
func newLoading(ctx context.Context, o options, dir string) (*loading, error) {
	w := &world{programs: programs{o.bin}, dir: dir, homes: map[string]string{}}
	var targets []string
	for _, from := range o.trees {
		to := filepath.Join(dir, "repos", filepath.Base(from))
		if err := replaceTree(from, to); err != nil {
			return nil, err
		}
		for _, words := range [][]string{
			{"init", "-q"},
			{"add", "-A"},
			{"-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-qm", "all"},
		} {
			if err := run(ctx, "git", append([]string{"-C", to}, words...)...); err != nil {
				return nil, err
			}
		}
		targets = append(targets, to)
	}
	c := w.command("ragnav", append([]string{"index", "--quiet"}, targets...)...)
	if r, err := c.run(ctx); err != nil || r.exit != 0 {
		return nil, fmt.Errorf("ragnav index: exit %d, %s, %w", r.exit, r.err, err)
	}
	c = w.command("api-server", "--addr", "127.0.0.1:0")
	s, ended, err := startServer(ctx, c)
	if err != nil || ended != nil {
		return nil, fmt.Errorf("api-server: %+v, %w", ended, err)
	}
	s.client.Transport = &http.Transport{MaxIdleConnsPerHost: 1000}
	l := &loading{options: o, server: s, job: targets[len(targets)-1]}
	l.mix, err = learnMix(ctx, s, targets)
	return l, err
}

// round lets so many clients ask for a while, beside index jobs.
func (l *loading) round(ctx context.Context, clients int) (*round, error) {
	r := &round{clients: clients, took: map[string][]time.Duration{}, bad: map[string]int{}}
	ctx, cancel := context.WithTimeout(ctx, l.each)
	defer cancel()
	var group sync.WaitGroup
	for i := range clients {
		random := rand.New(rand.NewPCG(l.seed, uint64(clients)<<20|uint64(i)))
		group.Go(func() {
			for ctx.Err() == nil {
				l.once(ctx, r, l.mix.pick(random))
			}
		})
	}
	group.Go(func() { r.git = mostGit(ctx, l.server.cmd.Process.Pid) })
	before := l.runs.Load()
	group.Wait()
	r.jobs = l.runs.Load() - before
	return r, nil
}

// once sends one request, and waits when it was refused.
func (l *loading) once(ctx context.Context, r *round, op operation) {
	begun := time.Now()
	status, retry, err := l.send(ctx, op)
	took := time.Since(begun)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case ctx.Err() != nil: // the round is over
	case err != nil:
		r.bad[op.name+": "+err.Error()]++
	case status == http.StatusOK:
		r.took[op.name] = append(r.took[op.name], took)
	case retry != "" && (status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests):
		r.refused++
		r.mu.Unlock()
		time.Sleep(pause)
		r.mu.Lock()
	default:
		r.bad[fmt.Sprintf("%s: %d", op.name, status)]++
	}
}

func (l *loading) send(ctx context.Context, op operation) (status int, retry string, err error) {
	req, err := http.NewRequestWithContext(ctx, op.method, l.server.url+op.path, bodyOf(op))
	if err != nil {
		return 0, "", err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := l.server.client.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = resp.Body.Close() }()
	_, err = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode, resp.Header.Get("Retry-After"), err
}

// keepIndexing runs one whole index run after another until ctx is done.
func (l *loading) keepIndexing(ctx context.Context) error {
	for ctx.Err() == nil {
		st, message, err := l.server.index(ctx, fields{"targets": []string{l.job}, "full": true})
		if err == nil && st != "done" {
			err = fmt.Errorf("%s: %s", st, message)
		}
		if err != nil && ctx.Err() == nil {
			return fmt.Errorf("index job: %w", err)
		}
		l.runs.Add(1)
	}
	return nil
}

// percentile of durations, which it sorts; 0 of none.
func percentile(of []time.Duration, p float64) time.Duration {
	if len(of) == 0 {
		return 0
	}
	slices.Sort(of)
	return of[min(len(of)-1, int(p*float64(len(of))))]
}
