// Package backup writes a committed state of a data directory to an archive, makes a
// directory of one, and verifies either, without opening the store.
package backup

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
)

// Write writes one committed state of a data directory to a new file, all of it
// or none. It needs no lock, and changes nothing: a process may have the directory
// open and write. Seals are not in it, they are of the files as they are here; nor
// are drafts, save for one of which a part is committed.
func Write(ctx context.Context, dir, file string) (m Manifest, err error) {
	if _, err := os.Lstat(file); err == nil {
		return m, fault.New(fault.Conflict, "%s is there already and stays as it is; name another file", file)
	}
	if _, err := os.Stat(filepath.Dir(file)); errors.Is(err, fs.ErrNotExist) {
		return m, fault.Wrap(fault.PathNotFound, err, "there is no folder %s; make it, or name a file elsewhere",
			filepath.Dir(file))
	}
	f, err := freezeWhole(ctx, dir)
	if err != nil {
		return m, errBackup(ctx, dir, err)
	}
	defer f.close()
	m = Manifest{
		Format: archiveFormat, Commit: f.Commit.Seq, Created: time.Now().UTC().Truncate(time.Second),
		Repositories: []models.RepoID{}, Clones: []models.RepoID{},
	}
	for _, r := range f.registrations.All() {
		m.Repositories = append(m.Repositories, r.RepoID)
		if r.URL != "" {
			m.Clones = append(m.Clones, r.RepoID)
		}
	}
	err = createFile(file, func(w io.Writer) error { return writeArchive(ctx, w, f.files, &m) })
	if err != nil && ctx.Err() == nil {
		err = fault.Wrap(fault.RAGUnavailable, err, "the backup %s cannot be written: %v; %s", file, err,
			disk.Advice(filepath.Dir(file), err))
	}
	return m, err
}

// freezeWhole is freeze of a state that is whole.
func freezeWhole(ctx context.Context, dir string) (*frozen, error) {
	for attempt := 0; ; attempt++ {
		f, err := freeze(ctx, dir)
		if err != nil {
			return nil, err
		}
		if err = f.check(ctx); err == nil {
			return f, nil
		}
		f.close()
		if !errors.Is(err, errChanged) || attempt == disk.Attempts {
			return nil, err
		}
	}
}

// errBackup says why there is no backup.
func errBackup(ctx context.Context, dir string, err error) error {
	_, damaged := errors.AsType[*disk.Damage](err)
	_, said := errors.AsType[*fault.Error](err)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case said:
		return err
	case errors.Is(err, fs.ErrNotExist):
		return fault.Wrap(fault.IndexNotReady, err, "the data directory %s has no index; there is nothing to back up", dir)
	case damaged:
		return fault.Wrap(fault.IndexNotReady, err,
			"the data directory %s is damaged (%v); no backup was written; run `%s` first", dir, disk.ReasonOf(err),
			disk.CommandRepair)
	case errors.Is(err, errChanged):
		return fault.Wrap(fault.Overloaded, err,
			"the index changed again and again while it was read; no backup was written; try again")
	}
	return fault.Wrap(fault.RAGUnavailable, err, "the data directory %s cannot be read: %v; %s", dir, err,
		disk.Advice(dir, err))
}

// createFile makes a new file, durably: all that is written, or none.
func createFile(file string, write func(w io.Writer) error) error {
	temp, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*")
	if err != nil {
		return err
	}
	err = write(temp)
	if err == nil {
		err = temp.Sync()
	}
	err = errors.Join(err, temp.Close())
	if _, there := os.Lstat(file); err == nil && there == nil {
		err = fs.ErrExist
	}
	if err == nil {
		err = os.Rename(temp.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return nil
}
