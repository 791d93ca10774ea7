package disk

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// RegistrationsFile says which repositories there are.
const RegistrationsFile = "registrations.json"

// A Registration is what has to be known of a repository to index it again.
type Registration struct {
	RepoID models.RepoID `json:"repo_id"`
	Root   string        `json:"root"`
	URL    string        `json:"url,omitempty"`
	Stored bool          `json:"stored,omitempty"`
	// Damaged is why the repository has to be indexed again: a part of its index
	// is lost. It stays until that has been done.
	Damaged string `json:"damaged,omitempty"`
	Demoted bool   `json:"demoted,omitempty"` // what was left of it is removed
}

// RegistrationOf is what is kept of the record of a repository.
func RegistrationOf(r models.Repository) Registration {
	return Registration{RepoID: r.RepoID, Root: r.Root, URL: r.URL, Stored: r.Stored}
}

// Record is the record of a repository that cannot answer.
func (r Registration) Record() models.Repository {
	return models.Repository{
		RepoID: r.RepoID, Root: r.Root, URL: r.URL, Stored: r.Stored, Languages: []string{},
		State: models.StateError, LastError: r.Damaged, SchemaVersion: models.SchemaVersion,
	}
}

// Registrations are the repositories of a data directory, kept apart from the
// index so that damage to the index doesn't take them along.
type Registrations struct {
	file string

	mu   sync.Mutex
	byID map[models.RepoID]Registration
}

// OpenRegistrations reads them. Where there is no such file, or a damaged one,
// found is false.
func OpenRegistrations(dir string) (r *Registrations, found bool, err error) {
	r = &Registrations{file: filepath.Join(dir, RegistrationsFile), byID: map[models.RepoID]Registration{}}
	var list []Registration
	err = ReadJSON(r.file, &list)
	if _, broken := errors.AsType[*Damage](err); broken || errors.Is(err, fs.ErrNotExist) {
		return r, false, nil
	}
	for _, known := range list {
		r.byID[known.RepoID] = known
	}
	return r, err == nil, err
}

// Get is one registration.
func (r *Registrations) Get(id models.RepoID) (Registration, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	known, ok := r.byID[id]
	return known, ok
}

// All are the registrations, by id.
func (r *Registrations) All() []Registration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.list(r.byID)
}

func (r *Registrations) list(byID map[models.RepoID]Registration) []Registration {
	list := make([]Registration, 0, len(byID))
	for _, known := range byID {
		list = append(list, known)
	}
	slices.SortFunc(list, func(a, b Registration) int { return cmp.Compare(a.RepoID, b.RepoID) })
	return list
}

// Change replaces the registrations that it is given and removes others,
// durably and as a whole. Nothing is written where nothing changes.
func (r *Registrations) Change(put []Registration, remove []models.RepoID) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	next, changed := maps.Clone(r.byID), false
	for _, known := range put {
		changed = changed || next[known.RepoID] != known
		next[known.RepoID] = known
	}
	for _, id := range remove {
		_, there := next[id]
		changed = changed || there
		delete(next, id)
	}
	if !changed {
		return nil
	}
	if err := writeJSON(r.file, r.list(next), true); err != nil {
		return err
	}
	r.byID = next
	return nil
}

// Pretend is Change without writing it.
func (r *Registrations) Pretend(put []Registration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, known := range put {
		r.byID[known.RepoID] = known
	}
}

// Damaged reports whether any repository has to be indexed again.
func (r *Registrations) Damaged() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, known := range r.byID {
		if known.Damaged != "" {
			return true
		}
	}
	return false
}

// Lost are the repositories that have to be indexed again.
func (r *Registrations) Lost() (lost []models.Repository) {
	for _, known := range r.All() {
		if known.Damaged != "" {
			lost = append(lost, known.Record())
		}
	}
	return lost
}

// Shown is the record of a repository as readers see it: one that lost a part of
// its index can't answer, whatever its record says, unless it is being indexed.
// Value is nil where there is no record.
func (r *Registrations) Shown(id models.RepoID, value json.RawMessage) (json.RawMessage, error) {
	known, ok := r.Get(id)
	if !ok || known.Damaged == "" {
		return value, nil
	}
	shown := known.Record()
	if value != nil && json.Unmarshal(value, &shown) == nil {
		if shown.State == models.StateIndexing {
			return value, nil
		}
	}
	shown.State, shown.LastError = models.StateError, known.Damaged
	return json.Marshal(shown)
}
