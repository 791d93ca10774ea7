package backup

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ragnav/ragnav/internal/store/embedded/disk"
	"github.com/ragnav/ragnav/internal/store/embedded/draft"
	"github.com/ragnav/ragnav/internal/vector"
)

// A Verification is what reading all of a data directory found.
type Verification struct {
	Files   int
	Bytes   int64
	Damages []*disk.Damage
}

// Verify compares all that is kept in a data directory with its checksums. It
// changes nothing and needs no lock: a server may have the directory open.
func Verify(ctx context.Context, dir string, dims int) (Verification, error) {
	v := &verification{dir: dir}
	var err error
	if v.Damages, err = disk.Misplaced(dir); err != nil || len(v.Damages) > 0 {
		return v.Verification, err // what is in them can't be read
	}
	seals, err := disk.OpenSeals(dir)
	if err != nil {
		return v.Verification, err
	}
	if err := v.sealed(ctx); err != nil {
		return v.Verification, err
	}
	for attempt := 0; ; attempt++ {
		at := *v
		err := at.commit(ctx, seals, dims)
		if !errors.Is(err, errChanged) || attempt == disk.Attempts {
			return at.Verification, err
		}
	}
}

// errChanged is a commit that was replaced while it was read.
var errChanged = errors.New("the index changed while it was read; try again")

type verification struct {
	Verification

	dir string
}

// took counts a file, and notes what is wrong with it.
func (v *verification) took(name string, err error) error {
	if info, err := os.Stat(filepath.Join(v.dir, filepath.FromSlash(name))); err == nil {
		v.Files++
		v.Bytes += info.Size()
	}
	if d, ok := errors.AsType[*disk.Damage](err); ok {
		v.Damages = append(v.Damages, &disk.Damage{File: name, Reason: d.Reason})
		return nil
	}
	return err
}

// sealed reads the small files.
func (v *verification) sealed(ctx context.Context) error {
	for _, name := range []string{disk.SealsFile, disk.RegistrationsFile} {
		var any any
		err := disk.ReadJSON(filepath.Join(v.dir, name), &any)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := v.took(name, err); err != nil {
			return err
		}
	}
	drafts, err := filepath.Glob(filepath.Join(v.dir, disk.DraftsDir, "*"+draft.Suffix))
	for _, file := range drafts {
		// What a crash cut short ends a draft, and is no damage.
		_, err := draft.ReadFrames(file, 1<<62, func(byte, []byte) error { return ctx.Err() })
		if errors.Is(err, fs.ErrNotExist) {
			continue // published meanwhile
		}
		if err := v.took(disk.DraftsDir+"/"+filepath.Base(file), err); err != nil {
			return err
		}
	}
	return err
}

// commit reads the last commit.
func (v *verification) commit(ctx context.Context, seals *disk.Seals, dims int) error {
	found, err := disk.ReadCommitted(v.dir, seals)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := v.took(disk.SegmentName(disk.RootFile), err); err != nil || found == nil {
		return err
	}
	for _, file := range found.Files() {
		if err := ctx.Err(); err != nil {
			return err
		}
		seal, _ := seals.Of(disk.SegmentName(file))
		_, _, err := disk.CheckSegmentAt(v.dir, disk.SegmentName(file), seal.Sum)
		if disk.IsMissing(err) && v.changed(found) {
			return errChanged
		}
		if err := v.took(disk.SegmentName(file), err); err != nil {
			return err
		}
	}
	name := disk.RowsName(found.Commit.Rows.Generation)
	err = vector.Check(filepath.Join(v.dir, disk.RowsDir), dims, found.Commit.Rows)
	if errors.Is(err, vector.ErrCorrupt) {
		if v.changed(found) {
			return errChanged
		}
		err = &disk.Damage{Reason: "is not what was written: " + err.Error()}
	}
	return v.took(name, err)
}

// changed reports whether the commit is another one by now.
func (v *verification) changed(before *disk.Committed) bool {
	now, err := disk.ReadCommitted(v.dir, &disk.Seals{})
	return err == nil && now.Seal != before.Seal
}
