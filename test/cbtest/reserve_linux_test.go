package cbtest_test

import (
	"errors"
	"net"
	"strings"
	"syscall"
	"testing"

	"github.com/ragnav/ragnav/test/cbtest"
)

// Nobody gets the ports of a node that is stopped, and who connects to them is refused.
func TestStoppedNodeKeepsItsPorts(t *testing.T) {
	n, _, _ := start(t, cbtest.Options{})
	addrs := []string{strings.TrimPrefix(n.ConnStr(), "couchbase://"), strings.TrimPrefix(n.WebURL(), "http://")}
	for range 2 {
		n.Stop()
		for _, addr := range addrs {
			conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", addr)
			if err == nil {
				_ = conn.Close()
			}
			if !errors.Is(err, syscall.ECONNREFUSED) {
				t.Errorf("connecting to a stopped node: %v", err)
			}
			to, err := net.ResolveTCPAddr("tcp", addr)
			if err != nil {
				t.Fatal(err)
			}
			conn, err = (&net.Dialer{LocalAddr: to}).DialContext(t.Context(), "tcp", addr)
			if err == nil {
				_ = conn.Close()
			}
			if !errors.Is(err, syscall.EADDRINUSE) {
				t.Errorf("connecting from a port of a stopped node: %v", err)
			}
		}
		if err := n.Start(); err != nil {
			t.Fatal(err)
		}
	}
}
