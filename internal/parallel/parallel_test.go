package parallel_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/parallel"
)

func burst() error { panic(io.ErrUnexpectedEOF) }

// A panic comes to the caller as an error that says where it was, whatever it is
// wrapped in on the way, and ends what is beside it.
func TestPanicIsAnError(t *testing.T) {
	grouped := func(do func() error) error {
		g, ctx := parallel.NewGroup(t.Context())
		g.Go(do)
		g.Go(func() error { <-ctx.Done(); return nil })
		return g.Wait()
	}
	here := func(do func() error) error {
		g, ctx := parallel.NewGroup(t.Context())
		g.Go(func() error { <-ctx.Done(); return nil })
		g.Here(do)
		return g.Wait()
	}
	for name, err := range map[string]error{
		"called":           parallel.Call(burst),
		"started":          <-parallel.Start(burst),
		"in a group":       grouped(burst),
		"here, in a group": here(burst),
		"in groups":        grouped(func() error { return grouped(burst) }),
		"panicked again":   grouped(func() error { panic(parallel.Call(burst)) }),
		"called by others": fault.Wrap(fault.Conflict, fmt.Errorf("search: %w", parallel.Call(burst)), "try again"),
	} {
		p, ok := errors.AsType[*fault.Panic](err)
		switch {
		case !ok:
			t.Errorf("%s: %v is no panic", name, err)
		case !strings.Contains(p.Stack, "parallel_test.burst("):
			t.Errorf("%s: the stack does not say where it was:\n%s", name, p.Stack)
		case fault.CodeOf(err) != fault.Internal || !errors.Is(err, io.ErrUnexpectedEOF):
			t.Errorf("%s: %s, %v", name, fault.CodeOf(err), err)
		}
	}
}

func TestErrorsStayAsTheyAre(t *testing.T) {
	g, _ := parallel.NewGroup(t.Context())
	g.Go(func() error { return context.Canceled })
	if err := g.Wait(); err != context.Canceled { //nolint:errorlint // the very same
		t.Errorf("got %v", err)
	}
	if err := parallel.Call(func() error { return nil }); err != nil {
		t.Errorf("got %v", err)
	}
}

// Each value has its turn, but for those behind one that fails.
func TestEach(t *testing.T) {
	for _, n := range []int{0, 1, 3, 100} {
		var seen [100]atomic.Int32
		values := make([]int, n)
		for i := range values {
			values[i] = i
		}
		if err := parallel.Each(t.Context(), 4, values, func(_ context.Context, i int) error {
			seen[i].Add(1)
			return nil
		}); err != nil {
			t.Error(err)
		}
		for i := range seen {
			if times := int(seen[i].Load()); times > 1 || (times == 1) != (i < n) {
				t.Errorf("%d of %d had %d turns", i, n, times)
			}
		}
	}
	var done atomic.Int32
	err := parallel.Each(t.Context(), 1, make([]int, 9), func(context.Context, int) error {
		if done.Add(1) == 3 {
			panic(io.ErrUnexpectedEOF)
		}
		return nil
	})
	if !errors.Is(err, io.ErrUnexpectedEOF) || done.Load() != 3 {
		t.Errorf("%v after %d", err, done.Load())
	}
}
