package disk

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/ragnav/ragnav/internal/vector"
)

// What a data directory has beside the files that are named elsewhere.
const (
	TextDir    = "text"
	RowsDir    = "rows"
	DraftsDir  = "drafts"
	FormatFile = "format.json" // the version of the layout
)

// SegmentName is what a segment's file is called in seals and messages.
func SegmentName(file string) string { return TextDir + "/" + file }

// RowsName is what the log's file is called in seals and messages.
func RowsName(generation uint32) string { return RowsDir + "/" + vector.FileName(generation) }

// KnownName is what the file with what is known of the rows is called there.
const KnownName = RowsDir + "/" + vector.KnownName

// IsMissing reports that a file is damaged by not being there.
func IsMissing(err error) bool {
	d, ok := errors.AsType[*Damage](err)
	return ok && d.Reason == Missing
}

// ignoreFile makes git, and what lists files as git does, ignore a folder.
const ignoreFile = ".gitignore"

// HideNew makes git ignore a data directory that has nothing in it yet. In a repository
// that is indexed into it, its files would be indexed too, and each run would change what
// the next one has to index. A folder that has anything may be more than a data
// directory, and stays as it is; so it does where it can't be written.
func HideNew(dir string) {
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		return
	}
	Hide(dir)
}

// everything is the rule that ignores all there is.
const everything = "*\n"

// Hidden reports whether git ignores all that is in a data directory.
func Hidden(dir string) bool {
	rules, err := os.ReadFile(filepath.Join(dir, ignoreFile))
	return err == nil && string(rules) == everything
}

// Hide makes git ignore a data directory.
func Hide(dir string) {
	name := filepath.Join(dir, ignoreFile)
	if err := os.WriteFile(name, []byte(everything), 0o600); err != nil {
		_ = os.Remove(name) // half of it, on a full disk
	}
}

// SyncDir makes the creation and removal of files in dir durable, where the
// system has that.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, os.ErrPermission) {
		err = nil
	}
	return errors.Join(err, d.Close())
}
