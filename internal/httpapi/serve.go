package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"go.uber.org/zap"

	"github.com/ragnav/ragnav/internal/parallel"
)

const (
	headerTimeout = 5 * time.Second
	readTimeout   = 30 * time.Second // headers and body
	writeSlack    = 5 * time.Second  // to send a reply once it is there
	idleTimeout   = 2 * time.Minute
	maxHeader     = 64 << 10
)

// Limits bound a server. Both fields must be positive.
type Limits struct {
	Request  time.Duration // one request; what New got as Timeout
	Shutdown time.Duration // draining at the end
}

// Serve answers requests on ln until ctx is done. Then it accepts no more, lets
// those under way end within limits.Shutdown, and returns nil; those that take
// longer are cut off and reported as an error. Streams end at once. It closes ln.
func Serve(ctx context.Context, ln net.Listener, h http.Handler, log *zap.Logger, limits Limits) error {
	srv := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      readTimeout + limits.Request + writeSlack,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		BaseContext:       func(net.Listener) context.Context { return telling(ctx) },
		ConnContext:       withPeer,
		ErrorLog:          zap.NewStdLog(log),
	}
	failed := parallel.Start(func() error { return srv.Serve(refusing{ln}) })
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), limits.Shutdown)
	defer cancel()
	if err := srv.Shutdown(drain); err != nil {
		return fmt.Errorf("requests were still running after %v and are cut off: %w", limits.Shutdown,
			errors.Join(err, srv.Close()))
	}
	return nil
}
