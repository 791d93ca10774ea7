package app

import (
	"context"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"

	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/store/embedded/backup"
)

// A Backup is a copy of a data directory that was made or restored.
type Backup struct {
	File    string `json:"file"`
	DataDir string `json:"data_dir"`
	Bytes   int64  `json:"bytes"` // of the files in it, before they were compressed
	backup.Manifest
}

// HasIndex reports whether a folder is the data directory of an index.
func HasIndex(dir string) bool { return disk.DimsOf(dir) > 0 }

// BackUp writes a committed state of the data directory to a new file, whoever
// has the directory open.
func BackUp(ctx context.Context, c config.Config, file string) (Backup, error) {
	return backUp(c, file, func() (backup.Manifest, error) { return backup.Write(ctx, c.DataDir, file) })
}

// Restore makes the data directory of a backup. There may be none yet.
func Restore(ctx context.Context, c config.Config, file string) (Backup, error) {
	return backUp(c, file, func() (backup.Manifest, error) { return backup.Restore(ctx, file, c.DataDir) })
}

func backUp(c config.Config, file string, run func() (backup.Manifest, error)) (Backup, error) {
	if !c.Embedded() {
		return Backup{}, fault.New(fault.InvalidRequest,
			"the index is on a Couchbase cluster: back it up and restore it with the cluster's own tools (cbbackupmgr, or "+
				"backups of Capella)")
	}
	m, err := run()
	return Backup{File: file, DataDir: c.DataDir, Bytes: m.Bytes(), Manifest: m}, err
}

// Verify reads all that is kept in the data directory, whoever has it open. Each
// damage is a check that failed.
func Verify(ctx context.Context, c config.Config) []models.Check {
	const name = "data_directory_read"
	configured, err := newEmbedder(c)
	if err != nil {
		return []models.Check{models.Failed(name, "%s", reason(err))}
	}
	dims, err := dimsOf(ctx, c, Reader, configured)
	if err != nil {
		return []models.Check{models.Failed(name, "%s", reason(err))}
	}
	found, err := backup.Verify(ctx, c.DataDir, dims)
	if err != nil {
		return []models.Check{models.Failed(name, "%v; nothing is known to be damaged", err)}
	}
	if len(found.Damages) == 0 {
		return []models.Check{models.Passed(name, "%d files, %d bytes, are as they were written", found.Files, found.Bytes)}
	}
	var checks []models.Check
	for _, d := range found.Damages {
		checks = append(checks,
			models.Failed(name, "%v; run `ragnav doctor --repair`, after a server that has it open was stopped", d))
	}
	return checks
}

// OwnerOf is the process that has the data directory dir open, and the address of its
// server; 0 and "" when no other has, or when it is not known which.
func OwnerOf(dir string) (pid int, address string) {
	owner, held, err := disk.LockInfo(dir)
	if err != nil || !held {
		return 0, ""
	}
	return owner.PID, owner.Address
}
