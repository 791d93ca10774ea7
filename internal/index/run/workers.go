package run

import (
	"context"

	"github.com/ragnav/ragnav/internal/parallel"
)

// lookInto has workers look into files, and add take what they found, one after
// another in any order.
func (l *looker) lookInto(ctx context.Context, tasks []task, add func(change) error) error {
	g, gctx := parallel.NewGroup(ctx)
	changes := make(chan change, l.Config.Workers)
	g.Go(func() error { return l.lookAll(gctx, tasks, changes) })
	g.Go(func() error {
		for ch := range changes {
			if err := add(ch); err != nil {
				return err
			}
		}
		return nil
	})
	return g.Wait()
}

// lookAll has the workers look into files. It closes changes when all of them
// have ended.
func (l *looker) lookAll(ctx context.Context, tasks []task, changes chan<- change) error {
	defer close(changes)
	g, ctx := parallel.NewGroup(ctx)
	next := make(chan task)
	g.Go(func() error {
		defer close(next)
		for _, t := range tasks {
			select {
			case next <- t:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	look, workers := l.look, l.Config.Workers
	if l.following {
		look, workers = l.lookAgain, max(workers, followers)
	}
	for range workers {
		g.Go(func() error {
			for t := range next {
				ch, err := promptly(ctx, func() (change, error) { return look(ctx, t.entry, t.old) })
				if err != nil {
					return err
				}
				select {
				case changes <- ch:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
	}
	return g.Wait()
}

// promptly calls do and returns what that returns, or the context's error as soon
// as the context ends: then do, which can't be interrupted while it parses, reads
// or computes, is left to come to its end alone. It must not use what the caller
// changes afterwards.
func promptly[T any](ctx context.Context, do func() (T, error)) (T, error) {
	value := make(chan T, 1)
	ended := parallel.Start(func() error {
		v, err := do()
		value <- v
		return err
	})
	select {
	case err := <-ended:
		if err != nil {
			var none T
			return none, err
		}
		return <-value, nil
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
