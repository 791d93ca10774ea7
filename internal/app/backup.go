package app

import (
	"context"

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
