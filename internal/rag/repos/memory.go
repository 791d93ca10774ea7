package repos

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
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

// decoded are the records of a list with their bytes: every search reads all of them,
// and few change.
type decoded []decodedRecord

type decodedRecord struct {
	value      json.RawMessage
	repository models.Repository
}

// record decodes the one at a place of a list, unless it was the same before.
func (d *decoded) record(at int, value json.RawMessage) (r decodedRecord, err error) {
	if d != nil && at < len(*d) && bytes.Equal((*d)[at].value, value) {
		return (*d)[at], nil
	}
	r.value = slices.Clone(value)
	return r, json.Unmarshal(value, &r.repository)
}

// togetherKey is under what a context has what Together shares.
type togetherKey struct{ service *Service }

// A shared list is read once, and a shared folder opened once.
type shared struct {
	mu      sync.Mutex
	read    bool
	all     []models.Repository
	folders map[models.RepoID]*disk.Folder
}

// Together returns a context under which the list of repositories is read once at
// most, and each folder opened once, until release: one request asks for the list, for
// records in it, and for folders several times.
func (s *Service) Together(ctx context.Context) (over context.Context, release func()) {
	list := &shared{folders: map[models.RepoID]*disk.Folder{}}
	return context.WithValue(ctx, togetherKey{s}, list), list.close
}

// Share has the folder of a repository, as Open would open it, opened no more under a
// context of Together. It stays the caller's to close.
func (s *Service) Share(ctx context.Context, id models.RepoID, tree *disk.Folder) {
	if list, ok := ctx.Value(togetherKey{s}).(*shared); ok {
		list.keep(id, tree)
	}
}

// folder is that of a repository, if it is open; close it.
func (l *shared) folder(id models.RepoID) (*disk.Folder, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	tree, ok := l.folders[id]
	if ok {
		tree.Retain()
	}
	return tree, ok
}

// keep has a folder shared from now on.
func (l *shared) keep(id models.RepoID, tree *disk.Folder) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.folders != nil && l.folders[id] == nil {
		l.folders[id] = tree.Retain()
	}
}

func (l *shared) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, tree := range l.folders {
		_ = tree.Close() // was read only
	}
	l.folders = nil
}

// all is the list of all repositories, in order of the ids.
func (s *Service) all(ctx context.Context) ([]models.Repository, error) {
	list, _ := ctx.Value(togetherKey{s}).(*shared)
	if list == nil {
		return s.readAll(ctx)
	}
	list.mu.Lock()
	defer list.mu.Unlock()
	if !list.read {
		all, err := s.readAll(ctx)
		if err != nil {
			return nil, err
		}
		list.all, list.read = all, true
	}
	return slices.Clone(list.all), nil
}

// one is a repository of the list, if that was read.
func (s *Service) one(ctx context.Context, id models.RepoID) (r models.Repository, ok bool) {
	list, _ := ctx.Value(togetherKey{s}).(*shared)
	if list == nil {
		return r, false
	}
	list.mu.Lock()
	defer list.mu.Unlock()
	i := slices.IndexFunc(list.all, func(r models.Repository) bool { return r.RepoID == id })
	if i < 0 {
		return r, false
	}
	return list.all[i], true
}
