package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
)

// Restore makes a data directory of a backup. The directory must be missing or
// empty. The backup is read twice: before anything is written all of it is
// compared with its checksums, and then what was written is verified before it
// gets its place.
func Restore(ctx context.Context, file, dir string) (m Manifest, err error) {
	if target, err := filepath.EvalSymlinks(dir); err == nil {
		dir = target
	}
	if err := vacant(dir); err != nil {
		return m, err
	}
	in, err := os.Open(file)
	if err != nil {
		return m, errRestore(ctx, file, dir, err)
	}
	defer func() { _ = in.Close() }()
	if info, err := in.Stat(); err == nil && !info.Mode().IsRegular() { // it is read twice
		return m, fault.New(fault.InvalidRequest, "%s is not a regular file; name one that `ragnav backup` wrote", file)
	}
	if _, err = readArchive(ctx, in, drain); err == nil {
		_, err = in.Seek(0, io.SeekStart)
	}
	if err == nil {
		m, err = unpack(ctx, in, dir)
	}
	if err != nil {
		err = errRestore(ctx, file, dir, err)
	}
	return m, err
}

// vacant is an error where anything is in a directory.
func vacant(dir string) error {
	if _, locked, err := disk.LockInfo(dir); err == nil && locked {
		return disk.ErrLocked(dir)
	}
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0:
		return nil
	case err != nil:
		return fault.Wrap(fault.RAGUnavailable, err, "the data directory %s cannot be read: %v; %s", dir, err,
			disk.Advice(dir, err))
	}
	return fault.New(fault.Conflict,
		"the data directory %s is not empty (it has %s); nothing was changed; move it away, or restore to another one with "+
			"--store embedded:DIR",
		dir, entries[0].Name())
}

func drain(_ string, content io.Reader) error {
	_, err := io.Copy(io.Discard, content)
	return err
}

// unpack writes the files beside dir, verifies them and gives them their place.
func unpack(ctx context.Context, in io.Reader, dir string) (m Manifest, err error) {
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return m, err
	}
	temp, err := os.MkdirTemp(filepath.Dir(dir), filepath.Base(dir)+".restore-*")
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	m, err = readArchive(ctx, in, func(name string, content io.Reader) error {
		return writeNew(filepath.Join(temp, filepath.FromSlash(name)), content)
	})
	if err == nil {
		err = verifyRestored(ctx, temp)
	}
	if err != nil {
		return m, err
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) { // an empty one; others stay
		return m, err
	}
	disk.Hide(temp)
	return m, os.Rename(temp, dir)
}

func writeNew(path string, content io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// verifyRestored makes sure that a directory has a whole commit.
func verifyRestored(ctx context.Context, dir string) error {
	data, err := os.ReadFile(filepath.Join(dir, disk.FormatFile))
	if err != nil {
		return fmt.Errorf("%w: it has no %s", errArchive, disk.FormatFile)
	}
	f, err := disk.ParseFormat(data)
	if err != nil {
		return fmt.Errorf("%w: %w", errArchive, err)
	}
	if _, err := disk.ReadCommitted(dir, &disk.Seals{}); err != nil {
		return fmt.Errorf("%w: %w", errArchive, err)
	}
	found, err := Verify(ctx, dir, f.Dims)
	if err == nil && len(found.Damages) > 0 {
		err = fmt.Errorf("%w: %w", errArchive, found.Damages[0])
	}
	return err
}

// errRestore says why nothing was restored.
func errRestore(ctx context.Context, file, dir string, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errArchive):
		return fault.Wrap(fault.InvalidRequest, err, "%s is %v; nothing was restored; use another backup", file, err)
	}
	if _, e := os.Stat(file); errors.Is(e, fs.ErrNotExist) {
		return fault.Wrap(fault.PathNotFound, err, "there is no file %s; name one that `ragnav backup` wrote", file)
	}
	return fault.Wrap(fault.RAGUnavailable, err, "%s cannot be restored to %s: %v; %s", file, dir, err,
		disk.Advice(dir, err))
}
