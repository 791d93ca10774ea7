package current

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// A laid is what lies over the index of one repository.
type laid struct {
	models.Overlay

	unread []string // files that are there, and may not be read
}

// A content is that of a file which looked like that.
type content struct {
	version fresh.Version
	hash    string
	unread  bool
}

// Lay looks at the folders of repositories and returns a context under which
// searches see the few files that differ as they are now. Call release when the
// request is done. Under a context of Lay it does nothing more: what is made of
// several searches is made of one state.
func (s *Service) Lay(ctx context.Context, repos []models.Repository) (over context.Context, all Standings,
	release func(), err error,
) {
	if all, ok := standings(ctx); ok {
		return ctx, all, func() {}, nil
	}
	release = func() {}
	if all, err = glance(ctx, s, repos); err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return ctx, nil, release, err
	}
	if o := all.overlay(); o.Key != "" {
		if ctx, release, err = s.Overlay.Overlay(ctx, o); err != nil {
			return ctx, all, func() {}, err
		}
		for i := range all {
			if l := all[i].laid; l != nil {
				all[i].Laid, all[i].Unread = true, l.unread
			}
		}
	}
	return context.WithValue(ctx, standingsKey{}, all), all, release, nil
}

// Verify compares files that a reply quotes with what was indexed of them, where
// their folder was not looked at. The standings that it returns know how these files
// are, and nothing of others.
func (s *Service) Verify(ctx context.Context, all Standings, quoted map[models.RepoID][]string) (Standings, error) {
	verified := slices.Clone(all)
	for i := range verified {
		st := &verified[i]
		if paths := quoted[st.Repo.RepoID]; st.unlooked && len(paths) > 0 {
			if err := verify(ctx, s, st, paths); err != nil {
				return nil, fmt.Errorf("compare the files of %s: %w", st.Repo.RepoID, err)
			}
		}
	}
	return verified, nil
}

// overlay is what lies over the index of all repositories, as far as it is not
// too much.
func (all Standings) overlay() models.Overlay {
	var o models.Overlay
	files := 0
	for i := range all {
		st := &all[i]
		if st.laid == nil {
			continue
		}
		if files += st.Count(); files > fresh.DefaultMaxChanged {
			st.laid = nil
			continue
		}
		o.Key += st.laid.Key + "\n"
		o.Documents = append(o.Documents, st.laid.Documents...)
		o.Hidden = append(o.Hidden, st.laid.Hidden...)
	}
	return o
}

// lay makes what lies over the index of a repository, or takes what it was the
// last time, if the files are still the same.
func (s *Service) lay(ctx context.Context, f *folder, tree *disk.Folder, r models.Repository, d fresh.Delta) (*laid,
	error,
) {
	ctx, cancel := context.WithTimeout(ctx, composeBudget)
	defer cancel()
	live := slices.Concat(d.Changed, d.Added)
	hashes, unread, err := f.hashes(ctx, tree, live, d.Versions, s.Limits)
	if err != nil {
		return nil, err
	}
	unread = append(unread, forbidden(ctx, tree, d.Deleted)...)
	key := keyOf(r, live, hashes, d.Deleted)
	f.mu.Lock()
	last := f.laid
	f.mu.Unlock()
	if last != nil && last.Key == key {
		return &laid{last.Overlay, unread}, nil
	}
	next := &laid{models.Overlay{Key: key}, unread}
	if next.Documents, err = s.documents(ctx, tree, r, live, hashes); err != nil {
		return nil, err
	}
	if err = s.reading(ctx, r, func(ctx context.Context) error {
		next.Hidden, err = s.hidden(ctx, r.RepoID, slices.Concat(d.Changed, d.Deleted))
		return err
	}); err != nil {
		return nil, err
	}
	f.mu.Lock()
	f.laid = next
	f.mu.Unlock()
	return next, nil
}

// keyOf stands for what lies over the index: its files with their content.
func keyOf(r models.Repository, live []string, hashes map[string]string, deleted []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\x00%d\x00%d", r.RepoID, r.Runs, r.LastIndexedAt.UnixNano())
	for _, p := range live {
		fmt.Fprintf(&b, "\x00%s\x01%s", p, hashes[p])
	}
	for _, p := range deleted {
		fmt.Fprintf(&b, "\x00%s\x02", p)
	}
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:])
}

// hashes are those of the content of files, which are read unless they look as
// when they were read last. A file that is gone by now has "", and so have those
// that may not be read.
func (f *folder) hashes(ctx context.Context, tree *disk.Folder, paths []string, versions map[string]fresh.Version,
	limits listing.Limits,
) (hashes map[string]string, unread []string, err error) {
	f.mu.Lock()
	seen := f.seen
	f.mu.Unlock()
	now := make(map[string]content, len(paths))
	hashes = make(map[string]string, len(paths))
	for _, p := range paths {
		v := versions[p]
		c, known := seen[p]
		if !known || !c.version.Equal(v) || !v.Settled() {
			data, _, err := tree.Read(ctx, p, max(limits.MaxFileSize, listing.DefaultMaxFileSize))
			if ctx.Err() != nil {
				return nil, nil, errSlow
			}
			c = content{version: v, unread: errors.Is(err, fs.ErrPermission)}
			if err == nil {
				sum := sha256.Sum256(data)
				c.hash = hex.EncodeToString(sum[:])
			} else if code := fault.CodeOf(err); code != fault.PathNotFound && code != fault.InvalidPath {
				return nil, nil, err
			}
		}
		if now[p], hashes[p] = c, c.hash; c.unread {
			unread = append(unread, p)
		}
	}
	f.mu.Lock()
	f.seen = now
	f.mu.Unlock()
	return hashes, unread, nil
}

// forbidden are those of the files that are not listed any more which may be
// there: the folder that they are in may not be looked into.
func forbidden(ctx context.Context, tree *disk.Folder, paths []string) (unread []string) {
	for _, p := range paths {
		if _, err := tree.Stat(ctx, p); errors.Is(err, fs.ErrPermission) {
			unread = append(unread, p)
		}
	}
	return unread
}

var errSlow = fault.New(fault.Timeout, "they could not be read and parsed in time")

// documents are those of files as they are now.
func (s *Service) documents(ctx context.Context, tree *disk.Folder, r models.Repository, paths []string,
	hashes map[string]string,
) ([]models.Document, error) {
	var missing []string
	made := make(map[string][]models.Document, len(paths))
	for _, p := range paths {
		if docs, ok := s.made.recall(madeKey{r.RepoID, p, hashes[p]}); ok {
			made[p] = docs
		} else {
			missing = append(missing, p)
		}
	}
	if len(missing) > 0 {
		found, err := s.Indexer.Compose(ctx, tree, r, missing)
		for _, m := range found {
			made[m.Record.Path] = m.Documents
			s.made.remember(madeKey{r.RepoID, m.Record.Path, m.Record.Hash}, m.Documents)
		}
		if ctx.Err() != nil {
			return nil, errSlow
		}
		if err != nil {
			return nil, err
		}
	}
	var all []models.Document
	for _, p := range paths {
		all = append(all, made[p]...)
	}
	return all, nil
}

// hidden are the documents that the index has of files.
func (s *Service) hidden(ctx context.Context, id models.RepoID, paths []string) ([]models.DocumentID, error) {
	var all []models.DocumentID
	for _, p := range paths {
		var rec models.FileRecord
		if _, err := s.Store.Record(ctx, models.FilesCollection(id), p, &rec); err != nil {
			return nil, fmt.Errorf("read the record of %s: %w", p, err)
		}
		all = append(all, rec.Documents...)
	}
	return all, nil
}
