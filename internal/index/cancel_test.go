package index_test

import (
	"context"
	"errors"
	"testing"

	"github.com/ragnav/ragnav/internal/index/vectors"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/embed/embedtest"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/parse"
)

// A wall is where work comes to a stop that no context ends.
type wall struct {
	reached, open chan struct{}
}

func newWall() wall { return wall{make(chan struct{}, 100), make(chan struct{})} }

func (w wall) stop() {
	w.reached <- struct{}{}
	<-w.open
}

type walledOutliner struct{ wall }

func (walledOutliner) Speaks(language string) bool { return language == "Python" }
func (walledOutliner) Revision() int               { return 1 }

func (o walledOutliner) Outline(context.Context, parse.File, parse.Want) (parse.Outline, error) {
	o.stop()
	return parse.Outline{}, errors.New("too late")
}

// A walledEmbedder stops at some batches.
type walledEmbedder struct {
	vectors.Embedder
	wall

	at func(inputs []embed.Input) bool
}

func (e walledEmbedder) Documents(ctx context.Context, inputs []embed.Input) ([][]float32, error) {
	if e.at(inputs) {
		e.stop()
	}
	return e.Embedder.Documents(context.WithoutCancel(ctx), inputs)
}

// A job that is cancelled ends although what it does doesn't look at its
// context: a file of any size that is being parsed, a batch of any size that is
// being embedded. The test would not end otherwise.
func TestCancelWithinAFile(t *testing.T) {
	for name, c := range map[string]struct {
		outliner func(wall) parse.Outliner
		at       func(inputs []embed.Input) bool
		state    jobs.State
	}{
		"parsing":   {func(w wall) parse.Outliner { return walledOutliner{w} }, nil, jobs.Parsing},
		"embedding": {nil, func([]embed.Input) bool { return true }, jobs.Parsing},
		"summaries": {nil, func(in []embed.Input) bool { return in[0].File == "" }, jobs.Embedding},
	} {
		t.Run(name, func(t *testing.T) {
			b := setUp(t, small)
			w := newWall()
			defer close(w.open)
			config := index.Config{Now: b.clock}
			if c.outliner != nil {
				config.Outliner = c.outliner(w)
			}
			var e vectors.Embedder = embedtest.New(16)
			if c.at != nil {
				e = walledEmbedder{e, w, c.at}
			}
			s, err := index.Open(t.Context(), b.store, e, config)
			if err != nil {
				t.Fatal(err)
			}
			b.service = s
			j := b.start(false)
			<-w.reached
			if state := b.job(j.ID).State; state != c.state {
				t.Errorf("the job is %s at the wall, want %s", state, c.state)
			}
			res, err := s.Cancel(t.Context(), index.JobRequest{ID: j.ID})
			if err != nil {
				t.Fatal(err)
			}
			if got := res.Items[0]; got.State != jobs.Cancelled {
				t.Errorf("job %+v", got)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
