package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/pprof"
	"strings"

	"github.com/ragnav/ragnav/bench/usage"
	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
)

// profile indexes a tree once more, in this process and with its CPU profile,
// and tells what each stage costs.
func profile(ctx context.Context, b *bench, name, dir, data string) (stages, error) {
	into := b.profiles
	if into == "" {
		into = b.work
	}
	if err := os.MkdirAll(into, 0o755); err != nil {
		return stages{}, err
	}
	path := filepath.Join(into, strings.ReplaceAll(name, "/", "-")+".cpu")
	file, err := os.Create(path)
	if err != nil {
		return stages{}, err
	}
	before := usage.Children()
	if err := pprof.StartCPUProfile(file); err != nil {
		return stages{}, errors.Join(err, file.Close())
	}
	err = indexHere(ctx, dir, data)
	pprof.StopCPUProfile()
	if err := errors.Join(err, file.Close()); err != nil {
		return stages{}, err
	}
	return stagesOf(ctx, path, usage.Children()-before)
}

// collector is that of `ragnav index`.
const collector = 200

// indexHere does what `ragnav index` does, in this process.
func indexHere(ctx context.Context, dir, data string) (err error) {
	defer debug.SetGCPercent(debug.SetGCPercent(collector))
	c, err := config.Resolve(map[string]string{"store": "embedded:" + data}, func(string) string { return "" })
	if err != nil {
		return err
	}
	a, err := app.Open(ctx, c, app.Tool)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	started, err := op.StartIndex.By(ctx, a, index.StartRequest{Targets: []string{dir}, RepoID: repoID})
	if err != nil {
		return err
	}
	done, err := a.WatchJob(ctx, index.JobRequest{ID: started.Items[0].ID}, func(index.Job) {})
	if err != nil {
		return err
	}
	if j := done.Items[0]; j.State != index.JobDone {
		return fmt.Errorf("the run is %s: %+v", j.State, j.Error)
	}
	return nil
}
