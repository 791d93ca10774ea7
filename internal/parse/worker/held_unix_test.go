//go:build unix

package worker_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/worker"
)

// What a worker started may hold its pipe when it is ended, so that nothing is heard
// of its end: who asked is gone by then, and the next file is parsed.
func TestPipeIsHeld(t *testing.T) {
	dir := t.TempDir()
	first, gate := filepath.Join(dir, "first"), filepath.Join(dir, "gate")
	if err := syscall.Mkfifo(gate, 0o600); err != nil {
		t.Fatal(err)
	}
	held, err := os.OpenFile(gate, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf(`if mkdir %q 2>/dev/null; then (read line < %q) & wait; else exec %q parse-worker; fi`,
		first, gate, os.Args[0])
	p := worker.New(worker.Config{
		Command: []string{"/bin/sh", "-c", script}, Speaks: func(string) bool { return true },
		Guard: func(string) string { return "" }, Size: 2, Deadline: time.Minute,
	})
	t.Cleanup(func() { _ = p.Close() })
	var released atomic.Bool
	late := time.AfterFunc(20*time.Second, func() { released.Store(true); _, _ = held.WriteString("\n") })
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { // who asks gives up once the pipe is held
		for ctx.Err() == nil {
			if _, err := os.Stat(first); err == nil {
				cancel()
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	_, err = p.Outline(ctx, parse.File{Text: "fine"}, parse.WantSymbols)
	if late.Stop(); !errors.Is(err, context.Canceled) || released.Load() {
		t.Errorf("error %v, want that of the context, before the pipe was released", err)
	}
	if _, err := ask(t, p, "fine"); err != nil {
		t.Errorf("the next file: %v", err)
	}
	_, err = held.WriteString("\n")
	if err = errors.Join(err, held.Close()); err != nil {
		t.Error(err)
	}
}
