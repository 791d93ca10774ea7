// Package machine checks what the program needs of the machine that it runs on.
package machine

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
)

const (
	gitLimit = 5 * time.Second // for `git --version`
	minFree  = 256 << 20       // bytes of disk below which an index run may not fit
)

// Checks looks for git, and for a data directory that can be written and has room.
func Checks(ctx context.Context, dataDir string) []models.Check {
	return []models.Check{checkGit(ctx), checkDataDir(dataDir)}
}

func checkGit(ctx context.Context) models.Check {
	ctx, cancel := context.WithTimeout(ctx, gitLimit)
	defer cancel()
	out, err := exec.CommandContext(ctx, "git", "--version").Output()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return models.Failed("git", "git does not run: %v; install git and put it on the PATH; without it files are "+
			"listed by a plain walk, and URLs can't be cloned", err)
	case err != nil:
		return models.Failed("git", "git does not run: %v; see whether `git --version` does, and what this process may have "+
			"(`ulimit -a`)", err)
	}
	return models.Passed("git", "%s", strings.TrimSpace(string(out)))
}

func checkDataDir(dir string) models.Check {
	const name = "data_directory"
	if err := disk.NoPlace(dir); err != nil {
		return models.Failed(name, "%v", fault.MessageOf(err))
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return checkPlace(name, dir)
	} else if err != nil {
		return models.Failed(name, "%v; choose a folder that you may read with --store embedded:DIR", err)
	}
	if _, err := os.ReadDir(dir); err != nil {
		return models.Failed(name, "%v; %s", err, disk.Advice(dir, err))
	}
	if !writable(dir) {
		return models.Passed(name, "%s can only be read: searches work, index runs need the right to write", dir)
	}
	free, err := freeBytes(dir)
	switch {
	case err != nil:
		return models.Passed(name, "%s is writable; how much room is left is not known", dir)
	case free < minFree:
		return models.Failed(name, "%s has only %d MiB left; make room on the disk, or move the store with "+
			"--store embedded:DIR", dir, free>>20)
	}
	return models.Passed(name, "%s is writable, %d MiB are free", dir, free>>20)
}

// checkPlace tells whether a directory that is not there can be made.
func checkPlace(name, dir string) models.Check {
	above := filepath.Dir(dir)
	for ; above != filepath.Dir(above); above = filepath.Dir(above) {
		if _, err := os.Stat(above); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	free, err := freeBytes(above)
	switch {
	case !writable(above):
		return models.Failed(name, "%s is not there yet, and can't be made: %s can only be read; choose another folder with "+
			"--store embedded:DIR", dir, above)
	case err == nil && free < minFree:
		return models.Failed(name, "%s is not there yet, and %s has only %d MiB left; make room on the disk, or choose "+
			"another folder with --store embedded:DIR", dir, above, free>>20)
	}
	return models.Passed(name, "%s is not there yet; the first index run makes it", dir)
}
