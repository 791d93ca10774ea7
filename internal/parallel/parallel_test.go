package parallel_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
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
	for name, err := range map[string]error{
		"called":           parallel.Call(burst),
		"started":          <-parallel.Start(burst),
		"in a group":       grouped(burst),
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
