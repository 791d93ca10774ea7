package backup

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
	"github.com/ragnav/ragnav/internal/store/embedded/draft"
	"github.com/ragnav/ragnav/internal/vector"
)

// A frozen is one committed state of a data directory, whatever is written there
// from now on: segments never change, the rows up to the commit's mark stay, and
// what is open can be read when it was removed.
type frozen struct {
	*disk.Committed

	dir           string
	format        disk.Format
	seals         *disk.Seals
	registrations *disk.Registrations
	files         []frozenFile
}

// A frozenFile is the part of a file that belongs to the commit.
type frozenFile struct {
	name string // relative to the data directory, with slashes
	size int64
	io.ReaderAt
}

// How often one tries to get hold of a commit, and how long one waits for another
// to be over.
const (
	freezes    = 200
	freezeWait = 20 * time.Millisecond
)

// freeze opens the files of the last commit. It takes no lock: when the state
// moved on meanwhile it is begun again.
func freeze(ctx context.Context, dir string) (*frozen, error) {
	for attempt := 0; ; attempt++ {
		f, err := freezeOnce(dir)
		if err == nil || !errors.Is(err, errChanged) || attempt == freezes {
			return f, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(freezeWait):
		}
	}
}

// freezeOnce is errChanged, whatever else went wrong, when root.bolt is another
// one at its end: it may have been read while it was written.
func freezeOnce(dir string) (*frozen, error) {
	rootFile := filepath.Join(dir, disk.TextDir, disk.RootFile)
	seals, err := disk.OpenSeals(dir) // before the commit, which they may not be ahead of
	if err != nil {
		return nil, err
	}
	root, err := os.ReadFile(rootFile)
	if err != nil {
		_, err = disk.ReadCommit(dir, seals) // says what that means
		return nil, err
	}
	f := &frozen{dir: dir, seals: seals}
	err = f.open(root)
	now, errNow := os.ReadFile(rootFile)
	if errNow == nil && !bytes.Equal(now, root) {
		err = errChanged
	}
	if err != nil {
		f.close()
		return nil, err
	}
	return f, nil
}

// open opens all that belongs to the commit that root.bolt has.
func (f *frozen) open(root []byte) (err error) {
	if f.Committed, err = disk.CommitOf(f.dir, root, f.seals); err != nil {
		return err
	}
	if err := f.openSmall(); err != nil {
		return err
	}
	f.hold(disk.SegmentName(disk.RootFile), root)
	for _, file := range f.Files() {
		if err := f.openFile(disk.SegmentName(file), -1); err != nil {
			return err
		}
	}
	if mark := f.Commit.Rows; mark != (vector.Mark{}) {
		if err := f.openFile(disk.RowsName(mark.Generation), mark.Offset); err != nil {
			return err
		}
	}
	if f.Commit.Draft.Applied < f.Commit.Draft.Of {
		return f.openFile(f.draft(), -1)
	}
	return nil
}

// draft is the file of the draft of which a part is committed.
func (f *frozen) draft() string {
	return disk.DraftsDir + "/" + filepath.Base(draft.Path("", f.Commit.Draft.Repo))
}

// openSmall reads the files that are replaced as a whole.
func (f *frozen) openSmall() error {
	data, err := os.ReadFile(filepath.Join(f.dir, disk.FormatFile))
	if err == nil {
		f.format, err = disk.ParseFormat(data)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = &disk.Damage{File: disk.FormatFile, Reason: disk.Missing}
	}
	if err != nil {
		return err
	}
	if f.format.Version < disk.OldestFormat || f.format.Version > disk.FormatVersion {
		return fault.New(fault.RAGUnavailable,
			"the data directory %s has format %d, this program knows %d; back it up with the program that wrote it",
			f.dir, f.format.Version, disk.FormatVersion)
	}
	f.hold(disk.FormatFile, data)
	var found bool
	if f.registrations, found, err = disk.OpenRegistrations(f.dir); err != nil {
		return err
	}
	data, err = os.ReadFile(filepath.Join(f.dir, disk.RegistrationsFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && !found:
		return &disk.Damage{File: disk.RegistrationsFile, Reason: "is not what was written"}
	}
	f.hold(disk.RegistrationsFile, data)
	return err
}

// hold adds a file that was read.
func (f *frozen) hold(name string, data []byte) {
	f.files = append(f.files, frozenFile{name, int64(len(data)), bytes.NewReader(data)})
}

// openFile adds so many bytes of a file, or with -1 all of it.
func (f *frozen) openFile(name string, size int64) error {
	file, info, err := disk.OpenFile(filepath.Join(f.dir, filepath.FromSlash(name)), name)
	if err != nil {
		return err
	}
	if info.Size() < size {
		return errors.Join(&disk.Damage{File: name, Reason: "is cut short"}, file.Close())
	}
	if size < 0 {
		size = info.Size()
	}
	f.files = append(f.files, frozenFile{name, size, file})
	return nil
}

func (f *frozen) close() {
	for _, file := range f.files {
		if open, ok := file.ReaderAt.(io.Closer); ok {
			_ = open.Close() // was read only
		}
	}
}

// check compares all of it with its checksums.
func (f *frozen) check(ctx context.Context) error {
	for _, file := range f.files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if open, ok := file.ReaderAt.(*os.File); ok && filepath.Ext(file.name) == ".zap" {
			seal, _ := f.seals.Of(file.name)
			if _, err := disk.CheckSegment(open, file.name, seal.Sum); err != nil {
				return err
			}
		}
	}
	return f.checkRows()
}

// checkRows reads the log by its name, which no other file ever gets. Where it
// was compacted meanwhile the error is errChanged.
func (f *frozen) checkRows() error {
	mark := f.Commit.Rows
	rows, err := vector.Open(filepath.Join(f.dir, disk.RowsDir), f.format.Dims, mark, vector.Options{ReadOnly: true})
	if err == nil {
		return rows.Close()
	}
	if !errors.Is(err, vector.ErrCorrupt) {
		return err
	}
	if errors.Is(err, fs.ErrNotExist) {
		return errChanged
	}
	return &disk.Damage{File: disk.RowsName(mark.Generation), Reason: "is not what was written: " + err.Error()}
}
