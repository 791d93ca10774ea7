package access_test

import (
	"net"
	"os"
	"testing"

	"github.com/ragnav/ragnav/internal/access"
)

// Who holds the other end of a connection is known while that is open, and not
// of one that was let go: the kernel calls that root's.
func TestPeer(t *testing.T) {
	for _, addr := range []string{"127.0.0.1:0", "[::1]:0", "[::]:0"} {
		ln, err := new(net.ListenConfig).Listen(t.Context(), "tcp", addr)
		if err != nil {
			t.Skip(err) // no IPv6 here
		}
		defer func() { _ = ln.Close() }()
		there := ln.Addr().String()
		if addr == "[::]:0" { // a client by IPv4 of a listener by IPv6
			_, port, _ := net.SplitHostPort(there)
			there = "127.0.0.1:" + port
		}
		client, err := new(net.Dialer).DialContext(t.Context(), "tcp", there)
		if err != nil {
			t.Fatal(err)
		}
		server, err := ln.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = server.Close() }()
		if uid, known := access.PeerUID(server); !known || uid != os.Getuid() {
			t.Errorf("%s: %d, %v, want %d", addr, uid, known, os.Getuid())
		}
		if uid, known := access.PeerInTables(server); !known || uid != os.Getuid() {
			t.Errorf("%s: by the tables %d, %v, want %d", addr, uid, known, os.Getuid())
		}
		_ = client.Close()
		if uid, known := access.PeerUID(server); known {
			t.Errorf("%s: after the end still %d", addr, uid)
		}
	}
}
