package embedded

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded/codec"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
	"github.com/ragnav/ragnav/internal/store/embedded/draft"
)

// A draft is what is going to change in one repository, in a file of its own:
// batches that nobody sees until PublishDraft shows all of them at once. A draft
// survives a crash, up to the last batch that was appended. It goes when it is
// published or dropped, with the documents of its repository (DeleteRepos), and
// by Open, when its repository is not registered any more.

// AppendDraft adds a batch to the draft of a repository, durably, and begins one
// where there is none. The label is its author's and stays with the draft; to
// append under another one is a fault.Conflict. It waits for nobody, and takes the
// memory of the batch in its encoded form.
func (s *Store) AppendDraft(ctx context.Context, id models.RepoID, label string, b store.Batch) error {
	if err := checkBatch(b, s.components()); err != nil {
		return err
	}
	body, err := codec.EncodeBatch(b)
	if err != nil {
		return s.unavailable(ctx, "encode a batch of a draft", err)
	}
	if len(body) > math.MaxUint32-draft.FrameHead-1 {
		return fault.New(fault.InvalidRequest, "draft of %s: a batch of %d bytes is too large", id, len(body))
	}
	if err := s.usable(ctx); err != nil {
		return err
	}
	s.drafts.Lock()
	defer s.drafts.Unlock()
	if err := s.drafts.Append(id, label, body); err != nil {
		return s.unavailable(ctx, "write a draft", err)
	}
	return nil
}

// ReadDraft calls yield with the label and each batch of the draft of a
// repository, in order; not at all when there is none. The values of records are
// json.RawMessage. A draft whose publication was begun is published first.
func (s *Store) ReadDraft(ctx context.Context, id models.RepoID, yield func(label string, b store.Batch) error) error {
	if err := s.finishPublishing(ctx); err != nil {
		return err
	}
	s.drafts.Lock()
	f, err := s.drafts.Find(id)
	s.drafts.Unlock()
	if err != nil {
		return s.unavailable(ctx, "read a draft", err)
	}
	if f == nil {
		return nil
	}
	err = f.Read(func(body []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		b, err := codec.DecodeBatch(body)
		if err != nil {
			return err
		}
		return yield(f.Label, b)
	})
	if errors.Is(err, codec.ErrDraftDamaged) || errors.Is(err, codec.ErrDamaged) || errors.Is(err, os.ErrNotExist) {
		return s.unavailable(ctx, "read a draft", err)
	}
	return err
}

// DropDraft removes the draft of a repository, if there is one.
func (s *Store) DropDraft(ctx context.Context, id models.RepoID) error {
	if err := s.finishPublishing(ctx); err != nil {
		return err
	}
	s.drafts.Lock()
	defer s.drafts.Unlock()
	if err := s.drafts.Remove(id); err != nil {
		return s.unavailable(ctx, "remove a draft", err)
	}
	return nil
}

// dropDrafts removes the drafts of repositories whose documents go.
func (s *Store) dropDrafts(ids []models.RepoID) error {
	s.drafts.Lock()
	defer s.drafts.Unlock()
	for _, id := range ids {
		if err := s.drafts.Remove(id); err != nil {
			return fmt.Errorf("remove the draft of %s: %w", id, err)
		}
	}
	return nil
}

// usable is an error when the store is closed or the context done.
func (s *Store) usable(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return errClosed()
	}
	return nil
}

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
	s.drafts.Lock()
	d, err := s.drafts.Find(id)
	if err == nil && d != nil {
		err = d.Seal()
	}
	s.drafts.Unlock()
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
	s.drafts.Lock()
	defer s.drafts.Unlock()
	if err := s.drafts.Remove(d.Repo); err != nil {
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
	defer st.Release()
	if err := s.engine.Warm(st); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pinned != nil {
		s.pinned.Release()
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
	files, err := filepath.Glob(filepath.Join(s.drafts.Dir, "*"+draft.Suffix))
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
	half := s.commit.Draft.Applied < s.commit.Draft.Of && draft.Path(s.drafts.Dir, s.commit.Draft.Repo) == file
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
	if draft.Path(s.drafts.Dir, d.Repo) != file {
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
	name := disk.DraftsDir + "/" + filepath.Base(draft.Path(s.drafts.Dir, id))
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
