package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/embedded/codec"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
	"github.com/ragnav/ragnav/internal/store/embedded/draft"
)

// A draft is published in four steps. It is sealed: from here on it will be
// published, come what may. Its batches are committed one after another, each
// with a draftMark, while searches see the state before the first. Then searches
// see the state after the last. Then the file goes, before anything else is
// written. Open does the same with a sealed draft that it finds: the marks tell
// it how far that had come, and to apply a batch twice changes nothing.

// PublishDraft carries out the draft of a repository, if there is one, and
// removes it: readers see all of it or nothing, also after a crash, and don't
// wait. Batches of others do. The context is not looked at any more once the
// draft is sealed. After an error before that nothing has happened. After a later
// one readers see the index as it was, and whoever writes next, reads a draft or
// opens the store goes on. Progress is told how many batches are committed,
// from 0; it may be nil.
func (s *Store) PublishDraft(ctx context.Context, id models.RepoID, progress func(done, total int)) error {
	select {
	case s.writing <- struct{}{}:
		defer func() { <-s.writing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := s.writable(ctx); err != nil {
		return err
	}
	s.drafts.mu.Lock()
	d, err := s.drafts.find(id)
	if err == nil && d != nil {
		err = d.Seal()
	}
	s.drafts.mu.Unlock()
	if err != nil {
		return s.unavailable(ctx, "seal a draft", err)
	}
	if d == nil {
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	s.pin()
	s.publishing = d
	if progress == nil {
		progress = untold
	}
	if err := s.publishSealed(ctx, progress); err != nil {
		return s.unavailable(ctx, "publish a draft", err)
	}
	if err := s.compactRows(compactAbove, compactDead); err != nil {
		return s.unavailable(ctx, "compact the rows; everything is saved", err)
	}
	return nil
}

func untold(int, int) {}

// publishSealed takes the draft that is being published to its end. The store
// is ready to be written to, and searches see what is pinned.
func (s *Store) publishSealed(ctx context.Context, progress func(done, total int)) error {
	d := s.publishing
	if err := s.applyDraft(ctx, d, progress); err != nil {
		return err
	}
	if err := s.unpin(); err != nil {
		return err
	}
	s.drafts.mu.Lock()
	defer s.drafts.mu.Unlock()
	if err := s.drafts.remove(d.Repo); err != nil {
		return err
	}
	s.publishing = nil
	return nil
}

// applyDraft commits the batches of a sealed draft that the index doesn't have.
func (s *Store) applyDraft(ctx context.Context, d *draft.File, progress func(done, total int)) error {
	done, n := 0, 0
	if s.commit.Draft.ID == d.ID {
		done = s.commit.Draft.Applied
	}
	progress(0, d.Batches-done)
	return d.Read(func(body []byte) error {
		if n++; n <= done {
			return nil
		}
		b, err := codec.DecodeBatch(body)
		if err != nil {
			return err
		}
		if err := checkBatch(b, s.components()); err != nil {
			return err
		}
		c, err := s.prepare(ctx, b)
		if err != nil {
			return err
		}
		c.draft = disk.DraftMark{ID: d.ID, Applied: n, Of: d.Batches, Repo: d.Repo}
		if err := s.writeRegistering(b, c); err != nil {
			return err
		}
		progress(n-done, d.Batches-done)
		return nil
	})
}

// unpin makes searches see the last commit, of which it reads beforehand what
// the first of them would have to read.
func (s *Store) unpin() error {
	st := s.newest()
	defer st.release()
	if err := s.warm(st); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pinned != nil {
		s.pinned.release()
		s.pinned = nil
	}
	return nil
}

// finishPublishing goes on with a publication that an error cut short.
func (s *Store) finishPublishing(ctx context.Context) error {
	select {
	case s.writing <- struct{}{}:
		defer func() { <-s.writing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	return s.writable(ctx)
}

// resumeDrafts publishes the drafts that were sealed when the process died, and
// removes those of repositories that are gone. Nobody searches yet. A draft that is
// half in the index and can't be read any more is a part of the index that is lost.
func (s *Store) resumeDrafts(ctx context.Context) error {
	files, err := filepath.Glob(filepath.Join(s.drafts.dir, "*"+draft.Suffix))
	if err != nil {
		return err
	}
	for _, file := range files {
		err := s.resumeDraft(ctx, file)
		if errors.Is(err, codec.ErrDraftDamaged) || errors.Is(err, codec.ErrDamaged) {
			err = s.giveUpPublishing()
		}
		if err != nil {
			return fmt.Errorf("draft %s: %w", filepath.Base(file), err)
		}
	}
	if d := s.commit.Draft; d.Applied < d.Of {
		return s.loseDraft(d.Repo)
	}
	return nil
}

func (s *Store) resumeDraft(ctx context.Context, file string) error {
	half := s.commit.Draft.Applied < s.commit.Draft.Of && draft.Path(s.drafts.dir, s.commit.Draft.Repo) == file
	d, err := draft.Open(file)
	if half && (err != nil || !d.Sealed) {
		return nil //nolint:nilerr // resumeDrafts says it
	}
	if errors.Is(err, os.ErrNotExist) {
		return os.Remove(file)
	}
	if err != nil {
		return err
	}
	if draft.Path(s.drafts.dir, d.Repo) != file {
		return os.Remove(file)
	}
	if d.Sealed {
		s.pin()
		s.publishing = d
		return s.publishSealed(ctx, untold)
	}
	known, err := s.Record(ctx, models.CollectionRepos, string(d.Repo), nil)
	if err != nil || known {
		return err
	}
	return s.dropDrafts([]models.RepoID{d.Repo})
}

// giveUpPublishing is the end of a publication whose draft is damaged. What of it
// is in the index stays.
func (s *Store) giveUpPublishing() error {
	d := s.publishing
	s.publishing = nil
	if err := s.unpin(); err != nil || d == nil {
		return err
	}
	return s.quarantine(disk.DraftsDir + "/" + filepath.Base(d.Path))
}

// loseDraft says that one repository is half replaced for good.
func (s *Store) loseDraft(id models.RepoID) error {
	name := disk.DraftsDir + "/" + filepath.Base(draft.Path(s.drafts.dir, id))
	d := &disk.Damage{File: name, Reason: "is missing or not what was written, and half of it is in the index"}
	reg, ok := s.registrations.Get(id)
	if !ok {
		reg.RepoID = id
	}
	reg.Damaged, reg.Demoted = lostReason(d, reg), false
	if err := s.registrations.Change([]disk.Registration{reg}, nil); err != nil {
		return err
	}
	return s.quarantine(name)
}
