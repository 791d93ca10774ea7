package worker

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/parse"
)

// A Config says how a Pool works. Command, Speaks and Guard are needed.
type Config struct {
	Command  []string                   // runs Serve
	Speaks   func(language string) bool // what the workers know
	Guard    func(text string) string   // says why a text is not for them, or nothing
	Revision int                        // of what they find, see parse.Outliner
	Size     int                        // workers at a time; 0 is one for each core
	Deadline time.Duration              // processor time for a small file; 0 is 3 s. Larger ones have more
	Memory   int64                      // bytes that a worker may have in use; 0 is 1 GB
	Files    int                        // after which a worker is replaced; 0 is 5,000
	Idle     time.Duration              // after which workers end; 0 is 30 s
	Rest     time.Duration              // after which a Pool that has given up tries again; 0 is a minute
}

// bytesPerSecond is how much longer the deadline is for larger files. Parsers
// are some thirty times faster.
const bytesPerSecond = 256 << 10

// maxCrashes is how many workers in a row may end without one reply before the
// Pool stops to try: then it is not the files.
const maxCrashes = 20

// A Pool parses files in worker processes. It implements parse.Outliner. Close
// it to end them.
type Pool struct {
	config Config
	slots  chan struct{}
	poison poison
	kept   kept

	mu      sync.Mutex
	idle    []*process
	reaper  *time.Timer
	crashes int       // in a row
	gaveUp  time.Time // when the last of too many was
	closed  bool
}

// New returns a Pool. It starts no process before there is a file.
func New(c Config) *Pool {
	if c.Size <= 0 {
		c.Size = parallel.Processors()
	}
	if c.Deadline <= 0 {
		c.Deadline = 3 * time.Second
	}
	if c.Memory <= 0 {
		c.Memory = 1 << 30
	}
	if c.Files <= 0 {
		c.Files = 5000
	}
	if c.Idle <= 0 {
		c.Idle = 30 * time.Second
	}
	if c.Rest <= 0 {
		c.Rest = time.Minute
	}
	p := &Pool{config: c, slots: make(chan struct{}, c.Size)}
	p.reaper = time.AfterFunc(c.Idle, p.Release)
	return p
}

// Close ends all workers. Requests that are under way finish.
func (p *Pool) Close() error {
	p.reaper.Stop()
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.Release()
	p.kept.drop()
	return nil
}

// Speaks implements parse.Outliner.
func (p *Pool) Speaks(language string) bool { return p.config.Speaks(language) }

// Revision implements parse.Outliner.
func (p *Pool) Revision() int { return p.config.Revision }

// What says nothing about a file.
var (
	errGivenUp = away{errors.New("the parser processes of this build end at once; see `ragnav doctor`")}
	errKilled  = away{errors.New("its parser was killed, and not by this program; the next run tries again")}
)

// away makes an error one that is parse.ErrAway too, with the same text.
type away struct{ error }

func (away) Is(target error) bool { return target == parse.ErrAway }
func (a away) Unwrap() error      { return a.error }

// Outline implements parse.Outliner. A file whose parser hangs or crashes is
// not tried again as long as its text is the same.
func (p *Pool) Outline(ctx context.Context, f parse.File, want parse.Want) (parse.Outline, error) {
	if want == parse.WantFacts {
		if answer, err := p.answer(ctx, f, request{Both: true}); err == nil && answer.Outline != nil {
			p.kept.put(f, answer.Kept)
			return *answer.Outline, nil
		}
		want = parse.WantSymbols // what failed may have been the facts
	}
	answer, err := p.answer(ctx, f, request{Want: want})
	if err != nil || answer.Outline == nil {
		return parse.Outline{}, err
	}
	return *answer.Outline, nil
}

// Facts returns what a file says about names, under the same rules as Outline.
// Ask Speaks before: a build without grammars knows nothing of any file.
func (p *Pool) Facts(ctx context.Context, f parse.File) (facts.File, error) {
	if found, ok := p.kept.take(f); ok {
		return found, nil
	}
	answer, err := p.answer(ctx, f, request{Facts: true})
	if err != nil || answer.Facts == nil {
		return facts.File{}, err
	}
	return *answer.Facts, nil
}

// Locals returns the names of a file that mean something in a part of it only,
// under the same rules.
func (p *Pool) Locals(ctx context.Context, f parse.File) ([]facts.Local, error) {
	answer, err := p.answer(ctx, f, request{Locals: true})
	return answer.Locals, err
}

func (p *Pool) answer(ctx context.Context, f parse.File, r request) (reply, error) {
	if why := p.config.Guard(f.Text); why != "" {
		return reply{}, errors.New(why)
	}
	if err := p.poison.of(f); err != nil {
		return reply{}, err
	}
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return reply{}, ctx.Err()
	}
	r.Path, r.Language = f.Path, f.Language
	answer, err := p.within(ctx, f, r)
	switch {
	case err == nil && answer.Error != "":
		return reply{}, errors.New(answer.Error)
	case err != nil && ctx.Err() == nil && !errors.Is(err, parse.ErrAway) && !r.Both: // else it is asked once more
		p.poison.add(f, err)
	}
	return answer, err
}

// within is ask for as long as the context goes on. A process that can't be started or
// ended at this moment, as its disk is stalled or something holds its pipe, keeps
// its slot and not its caller.
func (p *Pool) within(ctx context.Context, f parse.File, r request) (reply, error) {
	var answer reply
	ended := parallel.Start(func() (err error) {
		defer func() { <-p.slots }()
		answer, err = p.ask(ctx, f, r)
		return err
	})
	select {
	case err := <-ended:
		return answer, err
	case <-ctx.Done():
		return reply{}, ctx.Err()
	}
}

// ask has a worker parse a file, and a second one if the first ends: what ends
// it may have come from outside.
func (p *Pool) ask(ctx context.Context, f parse.File, r request) (reply, error) {
	l := limits{p.config.Deadline + time.Duration(len(f.Text))*time.Second/bytesPerSecond, p.config.Memory}
	for try := 0; ; try++ {
		w, err := p.take()
		if err != nil {
			return reply{}, err
		}
		answer, err := w.ask(ctx, f, r, l)
		if err == nil {
			p.give(w)
			return answer, nil
		}
		w.close()
		if ctx.Err() != nil || errors.Is(err, errDeadline) || errors.Is(err, errMemory) {
			return reply{}, err
		}
		p.crashed()
		switch {
		case try == 0:
		case errors.Is(err, errNotReady):
			return reply{}, away{err}
		case w.killedByOthers(err):
			return reply{}, errKilled
		default:
			return reply{}, fmt.Errorf("its parser crashed: %w", err)
		}
	}
}

// crashed counts a worker that ended without a reply.
func (p *Pool) crashed() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.crashes++; p.crashes >= maxCrashes {
		p.gaveUp = time.Now()
	}
}

// take returns a worker without work.
func (p *Pool) take() (*process, error) {
	p.mu.Lock()
	n := len(p.idle)
	givenUp := p.crashes >= maxCrashes
	if givenUp && time.Since(p.gaveUp) >= p.config.Rest {
		givenUp, p.crashes = false, maxCrashes-1 // one more try
	}
	if n == 0 || givenUp {
		p.mu.Unlock()
		if givenUp {
			return nil, errGivenUp
		}
		w, err := start(p.config.Command)
		if err != nil {
			return nil, away{fmt.Errorf("start a parser: %w", err)}
		}
		return w, nil
	}
	w := p.idle[n-1]
	p.idle = p.idle[:n-1]
	p.mu.Unlock()
	return w, nil
}

// measured is after how many files a worker's memory is looked at.
const measured = 16

// give takes a worker back, or ends it when it has done enough.
func (p *Pool) give(w *process) {
	old := w.files >= p.config.Files || w.files%measured == 0 && resident(w.cmd.Process.Pid) > p.config.Memory
	p.mu.Lock()
	p.crashes = 0
	if !old && !p.closed {
		p.idle = append(p.idle, w)
		p.reaper.Reset(p.config.Idle)
		w = nil
	}
	p.mu.Unlock()
	if w != nil {
		w.close()
	}
}

// Release ends the workers that have no work. The next file starts new ones.
func (p *Pool) Release() {
	p.mu.Lock()
	idle := p.idle
	p.idle = nil
	p.mu.Unlock()
	for _, w := range idle {
		w.close()
	}
}
