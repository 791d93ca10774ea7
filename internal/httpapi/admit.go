package httpapi

import (
	"context"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/ask"
)

// maxTurn is how long an operation waits for its turn.
const maxTurn = 2 * time.Second

// A class of work has as many seats as there are processors, but see seatsOf. More
// at once would take as long in all and longer each, and hold memory, files and
// processes meanwhile. So many times more may wait: with one that is served and those, the
// slowest of a full class takes what it would among that many clients. Answers take
// three times as long as searches, so that fewer wait for theirs.
const (
	waitingPerSeat     = 3
	waitingForAnAnswer = 2
)

// Admitted does operations by b, only so many of each class of work at once.
// What finds the queue full, or waits too long, is OVERLOADED: told at once, a
// client can do better than wait. Cheap ones are always let in. Asking says that a
// language model answers questions.
func Admitted(b op.Backend, asking bool) op.Backend {
	a := admitted{Backend: b, classes: map[class]*seats{}}
	for _, row := range op.All() {
		if about := row.About(); about.Class != op.ClassCheap {
			waiting := waitingPerSeat
			if about.Class == op.ClassAsk {
				waiting = waitingForAnAnswer
			}
			a.classes[class{about.Class, about.Unlimited}] = newSeats(seatsOf(about.Class, asking), waiting)
		}
	}
	return a
}

// Patient is what Admitted has returned, with the same seats, for clients that
// would not try again, as agents: they wait until their time is up.
func Patient(b op.Backend) op.Backend {
	if a, ok := b.(admitted); ok {
		a.patient = true
		return a
	}
	return b
}

// seatsOf is how many of a class are done at once. Answers of a language model
// wait for it most of their time; others are work of this machine.
func seatsOf(c op.Class, asking bool) int {
	if c == op.ClassAsk && asking {
		return max(8, parallel.Processors())
	}
	return max(2, parallel.Processors())
}

type admitted struct {
	op.Backend

	classes map[class]*seats
	patient bool
}

// A class of work has seats of its own. What has no time limit would keep those
// of the others.
type class struct {
	op.Class
	unlimited bool
}

// Call implements op.Caller.
func (a admitted) Call(ctx context.Context, row op.Row, req any) (any, error) {
	about := row.About()
	s := a.classes[class{row.Work(req), about.Unlimited}]
	if s == nil {
		return a.Backend.Call(ctx, row, req)
	}
	leave, err := s.enter(ctx, a.patient)
	if err != nil {
		return nil, err
	}
	defer leave()
	return a.Backend.Call(ctx, row, req)
}

// AskStream implements op.Backend.
func (a admitted) AskStream(ctx context.Context, req ask.Request, on func(ask.Event)) (ask.Response, error) {
	leave, err := a.classes[class{op.ClassAsk, false}].enter(ctx, a.patient)
	if err != nil {
		return ask.Response{}, err
	}
	defer leave()
	return a.Backend.AskStream(ctx, req, on)
}

// seats are those of one class. The longest waiting is next.
type seats struct {
	taken   chan struct{}
	present chan struct{} // who has a seat or waits for one
}

// newSeats are n seats, for each of which so many may wait.
func newSeats(n, waiting int) *seats {
	return &seats{make(chan struct{}, n), make(chan struct{}, n+n*waiting)}
}

// enter waits for a seat, which leave gives back.
func (s *seats) enter(ctx context.Context, patient bool) (leave func(), err error) {
	if patient {
		select {
		case s.taken <- struct{}{}:
			return func() { <-s.taken }, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	select {
	case s.present <- struct{}{}:
	default:
		return nil, s.full()
	}
	turn := time.NewTimer(maxTurn)
	defer turn.Stop()
	select {
	case s.taken <- struct{}{}:
		return func() { <-s.taken; <-s.present }, nil
	case <-turn.C:
		err = s.full()
	case <-ctx.Done():
		err = ctx.Err()
	}
	<-s.present
	return nil, err
}

func (s *seats) full() error {
	return &fault.Error{
		Code: fault.Overloaded, RetryAfter: time.Second,
		Message: "the server does as much of this as it can at once; wait and try again",
	}
}
