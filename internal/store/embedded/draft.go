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
	"github.com/ragnav/ragnav/internal/store/embedded/search"
)

// A draft is what is going to change in one repository, in a file of its own:
// batches that nobody sees until PublishDraft shows all of them at once. A draft
// survives a crash, up to the last batch that was appended. It goes when it is
// published or dropped, with the documents of its repository (DeleteRepos), and
// by Open, when its repository is not registered any more.
//
// A draft is published in four steps. It is sealed: from here on it will be
// published, come what may. Its batches are committed one after another, each
// with a draftMark, while searches see the state before the first. Then searches
// see the state after the last. Then the file goes, before anything else is
// written. Open does the same with a sealed draft that it finds: the marks tell
// it how far that had come, and to apply a batch twice changes nothing.

// drafts are those of a store. The folder has a lock of its own; who publishes has
// the turn to write.
type drafts struct {
	files      *files
	readers    *readers
	writer     *writer
	folder     draft.Folder
	publishing *draft.File // sealed, not published to its end
}

// begin takes the turn to write, with a publication that an error cut short at its
// end. The caller ends the turn, unless there is an error.
func (d *drafts) begin(ctx context.Context) error {
	if err := d.files.writing.take(ctx); err != nil {
		return err
	}
	err := d.writer.ready(ctx)
	if err == nil && d.publishing != nil {
		if err = d.finish(context.WithoutCancel(ctx), untold); err != nil {
			err = d.files.unavailable(ctx, "publish a draft", err)
		}
	}
	if err != nil {
		d.files.writing.end()
	}
	return err
}

// settle is begin of who changes no more than a draft.
func (d *drafts) settle(ctx context.Context) error {
	err := d.begin(ctx)
	if err == nil {
		d.files.writing.end()
	}
	return err
}

func (d *drafts) append(id models.RepoID, label string, b store.Batch) error {
	body, err := codec.EncodeBatch(b)
	if err != nil {
		return err
	}
	if len(body) > math.MaxUint32-draft.FrameHead-1 {
		return fault.New(fault.InvalidRequest, "draft of %s: a batch of %d bytes is too large", id, len(body))
	}
	d.folder.Lock()
	defer d.folder.Unlock()
	return d.folder.Append(id, label, body)
}

// find is the draft of a repository, or nil.
func (d *drafts) find(id models.RepoID) (*draft.File, error) {
	d.folder.Lock()
	defer d.folder.Unlock()
	return d.folder.Find(id)
}

// remove removes the drafts of repositories.
func (d *drafts) remove(ids ...models.RepoID) error {
	d.folder.Lock()
	defer d.folder.Unlock()
	for _, id := range ids {
		if err := d.folder.Remove(id); err != nil {
			return fmt.Errorf("remove the draft of %s: %w", id, err)
		}
	}
	return nil
}

// seal is the draft of a repository, sealed, or nil.
func (d *drafts) seal(id models.RepoID) (*draft.File, error) {
	d.folder.Lock()
	defer d.folder.Unlock()
	f, err := d.folder.Find(id)
	if err == nil && f != nil {
		err = f.Seal()
	}
	return f, err
}

// publish carries out a sealed draft.
func (d *drafts) publish(ctx context.Context, f *draft.File, progress func(done, total int)) error {
	d.readers.pin(true)
	d.publishing = f
	return d.finish(ctx, progress)
}

func untold(int, int) {}

// finish takes the draft that is being published to its end. The store is ready to
// be written to, and searches see what is pinned.
func (d *drafts) finish(ctx context.Context, progress func(done, total int)) error {
	if err := d.apply(ctx, d.publishing, progress); err != nil {
		return err
	}
	if err := d.show(); err != nil {
		return err
	}
	if err := d.remove(d.publishing.Repo); err != nil {
		return err
	}
	d.publishing = nil
	return nil
}

// apply commits the batches of a sealed draft that the index doesn't have.
func (d *drafts) apply(ctx context.Context, f *draft.File, progress func(done, total int)) error {
	done, n := 0, 0
	if mark := d.files.commit.Draft; mark.ID == f.ID {
		done = mark.Applied
	}
	progress(0, f.Batches-done)
	return f.Read(func(body []byte) error {
		if n++; n <= done {
			return nil
		}
		b, err := codec.DecodeBatch(body)
		if err != nil {
			return err
		}
		if err := checkBatch(b, d.files.components()); err != nil {
			return err
		}
		c, err := d.writer.prepare(ctx, b)
		if err != nil {
			return err
		}
		c.draft = disk.DraftMark{ID: f.ID, Applied: n, Of: f.Batches, Repo: f.Repo}
		if err := d.writer.writeRegistering(b, c); err != nil {
			return err
		}
		progress(n-done, f.Batches-done)
		return nil
	})
}

// show makes searches see the last commit, once that is warm.
func (d *drafts) show() error {
	if err := d.warm(); err != nil {
		return err
	}
	d.readers.unpin()
	return nil
}

// warm reads what the first search of the last commit would have to read.
func (d *drafts) warm() error {
	st := d.files.newest()
	defer st.Release()
	return d.files.engine.Warm(st)
}

// resume publishes the drafts that were sealed when the process died, and removes
// those of repositories that are gone. Nobody searches yet. A draft that is half in
// the index and can't be read any more is a part of the index that is lost.
func (d *drafts) resume(ctx context.Context) error {
	found, err := filepath.Glob(filepath.Join(d.folder.Dir, "*"+draft.Suffix))
	if err != nil {
		return err
	}
	for _, file := range found {
		err := d.resumeOne(ctx, file)
		if errors.Is(err, codec.ErrDraftDamaged) || errors.Is(err, codec.ErrDamaged) {
			err = d.giveUp()
		}
		if err != nil {
			return fmt.Errorf("draft %s: %w", filepath.Base(file), err)
		}
	}
	if mark := d.files.commit.Draft; mark.Applied < mark.Of {
		return d.lose(mark.Repo)
	}
	return nil
}

func (d *drafts) resumeOne(ctx context.Context, file string) error {
	mark := d.files.commit.Draft
	half := mark.Applied < mark.Of && draft.Path(d.folder.Dir, mark.Repo) == file
	f, err := draft.Open(file)
	if half && (err != nil || !f.Sealed) {
		return nil //nolint:nilerr // resume says it
	}
	if errors.Is(err, os.ErrNotExist) {
		return os.Remove(file)
	}
	if err != nil {
		return err
	}
	if draft.Path(d.folder.Dir, f.Repo) != file {
		return os.Remove(file)
	}
	if f.Sealed {
		return d.publish(ctx, f, untold)
	}
	known, err := d.registered(ctx, f.Repo)
	if err != nil || known {
		return err
	}
	return d.remove(f.Repo)
}

// registered reports whether a repository has a record, or had one that was lost.
func (d *drafts) registered(ctx context.Context, id models.RepoID) (known bool, err error) {
	st := d.files.newest()
	defer st.Release()
	err = d.files.reading(ctx, "read a record", st, func(st *search.State) error {
		value, err := st.Record(models.CollectionRepos, string(id))
		if err == nil {
			value, err = d.files.registrations.Load().Shown(id, value)
		}
		known = value != nil
		return err
	})
	return known, err
}

// giveUp is the end of a publication whose draft is damaged. What of it is in the
// index stays.
func (d *drafts) giveUp() error {
	f := d.publishing
	d.publishing = nil
	if err := d.show(); err != nil || f == nil {
		return err
	}
	return d.files.quarantine(disk.DraftsDir + "/" + filepath.Base(f.Path))
}

// lose says that one repository is half replaced for good.
func (d *drafts) lose(id models.RepoID) error {
	name := disk.DraftsDir + "/" + filepath.Base(draft.Path(d.folder.Dir, id))
	damage := &disk.Damage{File: name, Reason: "is missing or not what was written, and half of it is in the index"}
	reg, ok := d.files.registrations.Load().Get(id)
	if !ok {
		reg.RepoID = id
	}
	reg.Damaged, reg.Demoted = lostReason(damage, reg), false
	if err := d.files.registrations.Load().Change([]disk.Registration{reg}, nil); err != nil {
		return err
	}
	return d.files.quarantine(name)
}
