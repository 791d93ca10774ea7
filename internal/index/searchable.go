package index

import (
	"context"
	"fmt"

	"github.com/ragnav/ragnav/internal/fault"
)

// searchable returns when searches see all that this process wrote to a shared
// store. When they don't in time that is a Timeout.
func (s *Service) searchable(ctx context.Context) error {
	if s.board == nil {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, s.config.SettleFor)
	defer cancel()
	err := s.board.Store.Settle(limited)
	switch {
	case err == nil:
		return nil
	case ctx.Err() == nil && limited.Err() != nil:
		return fault.Wrap(fault.Timeout, err,
			"everything is written, but the search index has not caught up within %v; look at /readyz or `ragnav doctor`",
			s.config.SettleFor)
	}
	return fmt.Errorf("wait for the search index: %w", err)
}
