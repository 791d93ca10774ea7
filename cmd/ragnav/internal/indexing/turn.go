package indexing

import (
	"context"
	"strings"
	"time"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
)

// turnPoll is how often a run that waits for its turn asks whether it has come.
const turnPoll = 300 * time.Millisecond

// start starts the jobs of a request. What only another run stands in the way of, of
// the same repository or on the same data directory, is waited for: until it ends,
// the user loses patience, or the limit that was given has passed. It returns the
// backend that has the jobs: it may be another than before the wait.
func start(ctx context.Context, s *cli.Session, req index.StartRequest) (op.Backend, index.JobsResponse, error) {
	var given <-chan time.Time
	if s.Given("timeout") {
		given = time.After(s.Timeout)
	}
	told := s.Quiet
	for {
		b, err := s.OpenFor(ctx, &req)
		var resp index.JobsResponse
		if err == nil {
			resp, err = cli.Do(ctx, s, b, op.StartIndex, req)
		}
		if err == nil {
			b, err = s.Open(ctx) // the one that answered
		}
		if !fault.Passes(err) {
			return b, resp, err
		}
		if !told {
			why, _, _ := strings.Cut(cli.Told(err), ";")
			s.Screen.Note("%s; waiting until that has ended (Ctrl-C ends the wait)", why)
			told = true
		}
		if s.Remote() { // who has the store open may be another by then
			if err := s.Release(); err != nil {
				return nil, resp, err
			}
		}
		select {
		case <-ctx.Done():
			return nil, resp, ctx.Err()
		case <-given:
			return nil, resp, err
		case <-time.After(turnPoll):
		}
	}
}
