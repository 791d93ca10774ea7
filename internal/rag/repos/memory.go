package repos

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// A memory keeps the list of repositories for a moment. Where the store is on
// other machines, reading the list takes longer than the search that needs it.
type memory struct {
	keep time.Duration // 0: nothing is kept

	mu   sync.Mutex
	all  []models.Repository
	read time.Time
}

// Remember has Match reuse the list of repositories for that long. Only a list
// in which all that a filter means can answer is reused, so "not ready" and "no
// such repository" are always said of the store as it is.
func (s *Service) Remember(keep time.Duration) { s.memory.keep = keep }

// recall is the list as it was read a moment ago, or nil.
func (m *memory) recall() []models.Repository {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.keep <= 0 || time.Since(m.read) > m.keep {
		return nil
	}
	return m.all
}

func (m *memory) learn(all []models.Repository) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.keep > 0 {
		m.all, m.read = all, time.Now()
	}
}

// recalled is what a filter means by the remembered list; nil when the store
// must be asked.
func (s *Service) recalled(filter string) []models.Repository {
	matched, err := match(s.memory.recall(), filter)
	if err != nil || slices.ContainsFunc(matched, func(r models.Repository) bool { return r.State != models.StateFresh }) {
		return nil
	}
	return matched
}

// listed reads the list and remembers it.
func (s *Service) listed(ctx context.Context) ([]models.Repository, error) {
	all, err := s.all(ctx)
	if err == nil {
		s.memory.learn(all)
	}
	return all, err
}
