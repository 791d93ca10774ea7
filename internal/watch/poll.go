package watch

import (
	"context"
	"encoding/binary"
	"hash/fnv"
	"time"

	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// pollShare is how many times longer than it takes to list a folder a poll
// waits: 1/20 of one processor's time.
const pollShare = 20

// A polled is the source that lists the folder again and again.
type polled struct {
	tree   *disk.Folder
	limits listing.Limits
	every  time.Duration
	taken  chan func(context.Context) change
	cancel context.CancelFunc
	done   chan struct{}
}

// newPolled polls a tree, which it closes in the end. What it compares with is
// the tree as it is now, before the first update.
func newPolled(ctx context.Context, tree *disk.Folder, limits listing.Limits, every time.Duration) *polled {
	ctx, cancel := context.WithCancel(ctx)
	s := &polled{
		tree: tree, limits: limits, every: every, taken: make(chan func(context.Context) change), cancel: cancel,
		done: make(chan struct{}),
	}
	began := time.Now()
	first, err := s.fingerprint(ctx)
	took := time.Since(began)
	parallel.Start(func() error {
		s.poll(ctx, first, err == nil, took)
		return nil
	})
	return s
}

// poll compares with the last fingerprint, if that is known, which took a while
// to find.
func (s *polled) poll(ctx context.Context, last uint64, known bool, took time.Duration) {
	defer close(s.done)
	for {
		select {
		case <-time.After(max(s.every, pollShare*took)):
		case <-ctx.Done():
			return
		}
		began := time.Now()
		var now uint64
		err := parallel.Call(func() (err error) { now, err = s.fingerprint(ctx); return err })
		took = time.Since(began)
		if err == nil && (!known || now != last) {
			select {
			case s.taken <- func(context.Context) change { return change{all: true} }:
			case <-ctx.Done():
				return
			}
		}
		if err == nil {
			last, known = now, true
		}
	}
}

// fingerprint is equal for equal listings.
func (s *polled) fingerprint(ctx context.Context) (uint64, error) {
	head, err := s.tree.Head(ctx)
	if err != nil {
		return 0, err
	}
	found, err := listing.List(ctx, s.tree, s.limits)
	if err != nil {
		return 0, err
	}
	h := fnv.New64a()
	add := func(text string, numbers ...int64) {
		_, _ = h.Write([]byte(text))
		_ = binary.Write(h, binary.LittleEndian, append(numbers, int64(len(text))))
	}
	add(head)
	for _, e := range found.Files {
		add(e.Path, e.Size, e.ModTime, e.Changed)
	}
	for _, r := range found.Skipped {
		add(r.Path+string(r.Skipped), r.Size, r.ModTime, r.Changed)
	}
	return h.Sum64(), nil
}

func (s *polled) next() <-chan func(ctx context.Context) change { return s.taken }

func (s *polled) refresh(context.Context) error { return nil }

func (s *polled) busy() bool { return false }

func (s *polled) there() bool { return s.tree.Same() }

func (s *polled) close() {
	s.cancel()
	<-s.done
	_ = s.tree.Close()
}
