package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/repo/git"
)

// Real is the absolute path of a folder, symlinks resolved.
func Real(root string) (string, error) {
	if root == "" || strings.ContainsRune(root, 0) {
		return "", fault.New(fault.InvalidRequest, "%q is not a folder; give the path of one", root)
	}
	abs, err := filepath.Abs(root)
	if err != nil {
		return "", fault.Wrap(fault.InvalidRequest, err, "%s can't be made an absolute path; give one", root)
	}
	resolved, err := filepath.EvalSymlinks(abs)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fault.Wrap(fault.PathNotFound, err, "there is no folder %s on this machine", abs)
	}
	if err != nil {
		return "", folderFault(abs, err)
	}
	info, err := os.Stat(resolved)
	if err != nil {
		return "", folderFault(abs, err)
	}
	if !info.IsDir() {
		return "", fault.New(fault.InvalidRequest, "%s is a file; give the folder that holds it", abs)
	}
	return resolved, nil
}

// folderFault classifies an error about a folder that is there.
func folderFault(folder string, err error) error {
	if f := momentary("the folder "+folder, err); f != nil {
		return f
	}
	return fault.Wrap(fault.InvalidRequest, err, "the folder %s can't be read; check its permissions", folder)
}

// momentary is the fault of what can't be read for reasons that lie in the
// machine, nil for others: nothing follows from it for what is there.
func momentary(what string, err error) error {
	switch {
	case git.Exhausted(err):
		busy := fault.Wrap(fault.Overloaded, err, "%s can't be read now (%v); %s", what, git.Cause(err), git.Relief(err))
		busy.RetryAfter = time.Second
		return busy
	case errors.Is(err, syscall.EIO):
		return fault.Wrap(fault.RAGUnavailable, err, "%s can't be read (%v); look at its disk", what, git.Cause(err))
	}
	return nil
}
