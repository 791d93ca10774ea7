//go:build unix

package remote

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"

	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// Cancelling a clone ends the process that transfers, too: the server, which
// never answers, sees its connection closed.
func TestCloneCancelledMidTransfer(t *testing.T) {
	repotest.NeedGit(t)
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Close() }()
	ctx, cancel := context.WithCancel(t.Context())
	closed := make(chan error, 1)
	go func() {
		conn, err := server.Accept()
		cancel() // the transfer is under way
		if err == nil {
			_, err = io.Copy(io.Discard, conn)
		}
		closed <- err
	}()
	_, err = Clone(ctx, "https://"+server.Addr().String()+"/acme/tool", t.TempDir(), "")
	if ctx.Err() == nil {
		t.Skipf("git did not get to the server: %v", err)
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that the context was cancelled", err)
	}
	if err := <-closed; err != nil && !errors.Is(err, net.ErrClosed) {
		t.Logf("the connection ended: %v", err)
	}
}
