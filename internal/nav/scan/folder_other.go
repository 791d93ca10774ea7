//go:build !unix

package scan

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/ragnav/ragnav/internal/fault"
)

// A folderReader reads through os.Root.
type folderReader struct{ root *os.Root }

// Reader implements Opener.
func (f *Folder) Reader() (Reader, error) {
	root, err := os.OpenRoot(f.root)
	if err != nil {
		return nil, fault.Wrap(fault.PathNotFound, err,
			"the folder %s is gone or can't be read; remove the repository, or index it from where it is now", f.root)
	}
	return &folderReader{root: root}, nil
}

// Close implements Reader.
func (r *folderReader) Close() error { return r.root.Close() }

// Read implements Reader.
func (r *folderReader) Read(ctx context.Context, path string, buffer []byte, limit int64) ([]byte, error) {
	if outside(path) {
		return nil, errUnreadable
	}
	info, err := r.root.Lstat(path)
	switch {
	case err == nil && info.IsDir():
		return nil, errSubmodule
	case err != nil || !info.Mode().IsRegular():
		return nil, reasonFor(err)
	}
	f, err := r.root.Open(path)
	if err != nil {
		return nil, reasonFor(err)
	}
	defer func() { _ = f.Close() }()
	data := buffer[:0]
	for {
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case int64(len(data)) > limit:
			return nil, errTooLarge
		case errors.Is(err, io.EOF):
			return data, nil
		case err != nil:
			return nil, reasonFor(err)
		case ctx.Err() != nil:
			return nil, ctx.Err()
		}
	}
}

// reasonFor classifies an error about one file; none is a file that is not regular.
func reasonFor(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return errGone
	}
	return errUnreadable
}
