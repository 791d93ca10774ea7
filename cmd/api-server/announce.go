package main

import (
	"fmt"
	"net"

	"go.uber.org/zap"
)

// announce tells where the server listens: the log, the data directory, where
// the command line looks, and a line for the person who started it.
func (s server) announce(listening net.Addr) error {
	addr := reachable(listening)
	if err := s.app.Announce(addr); err != nil {
		return err
	}
	s.log.Info("serving", zap.Stringer("addr", listening), zap.String("store", s.cfg.Store))
	_, _ = fmt.Fprintf(s.out, "ragnav is at http://%s (Ctrl-C stops it)\n", addr)
	return nil
}

// reachable is an address at which this machine reaches the listener: one that
// listens everywhere is called by the loopback address.
func reachable(listening net.Addr) string {
	tcp, ok := listening.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return listening.String()
	}
	local := "127.0.0.1"
	if tcp.IP.To4() == nil {
		local = "::1"
	}
	return net.JoinHostPort(local, fmt.Sprint(tcp.Port))
}
