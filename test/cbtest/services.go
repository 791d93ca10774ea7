package cbtest

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// services are the listeners of a running node and what hangs on them.
type services struct {
	node   *Node
	ctx    context.Context // ends when the node stops
	cancel context.CancelFunc
	wg     sync.WaitGroup // every goroutine
	kv     net.Listener
	web    *http.Server

	mu    sync.Mutex
	conns map[net.Conn]struct{} // of the key-value service
}

func serve(n *Node, kv, web net.Listener) *services {
	s := &services{node: n, kv: kv, conns: map[net.Conn]struct{}{}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.web = &http.Server{
		Handler:           newWeb(n),
		ReadHeaderTimeout: time.Minute,
		BaseContext:       func(net.Listener) context.Context { return s.ctx },
		ConnState:         s.count,
	}
	s.wg.Go(s.accept)
	s.wg.Go(func() { _ = s.web.Serve(web) }) // always ErrServerClosed
	return s
}

// stop ends everything and waits for it.
func (s *services) stop() {
	s.cancel()
	_ = s.kv.Close()
	_ = s.web.Close()
	s.mu.Lock()
	for c := range s.conns {
		_ = c.Close()
	}
	s.mu.Unlock()
	s.wg.Wait()
}

// count makes the connections of the HTTP server, whose goroutines it starts
// itself, part of what stop waits for.
func (s *services) count(c net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.wg.Add(1)
		if s.ctx.Err() != nil {
			_ = c.Close() // accepted too late for web.Close to know it
		}
	case http.StateClosed, http.StateHijacked:
		s.wg.Done()
	}
}

// accept serves key-value connections until the listener is closed.
func (s *services) accept() {
	for {
		c, err := s.kv.Accept()
		if err != nil {
			return
		}
		if !s.keep(c) {
			_ = c.Close()
			return
		}
		s.wg.Go(func() {
			defer s.forget(c)
			newSession(s, c).run()
		})
	}
}

// keep registers c, unless the node is stopping and would miss it.
func (s *services) keep(c net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		return false
	}
	s.conns[c] = struct{}{}
	return true
}

func (s *services) forget(c net.Conn) {
	_ = c.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
}
