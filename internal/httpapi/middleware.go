package httpapi

import (
	"context"
	"errors"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"go.uber.org/zap"

	"github.com/ragnav/ragnav/internal/fault"
)

// accessLog writes one line a request. It tells the route's pattern, never the
// path, the query or a body.
func accessLog(log *zap.Logger) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ww := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
			defer func() {
				c := callOf(r)
				fields := []zap.Field{
					zap.String("method", r.Method), zap.String("route", routeOf(r)), zap.Int("status", ww.Status()),
					zap.Int("bytes", ww.BytesWritten()), zap.Duration("took", time.Since(c.start)), requestID(r),
				}
				if c.errorCode != "" {
					fields = append(fields, zap.String("error_code", c.errorCode))
				}
				log.Info("request", fields...)
			}()
			next.ServeHTTP(ww, r)
		})
	}
}

// routeOf is the route that a request went to, once it has been served.
func routeOf(r *http.Request) string {
	if p := chi.RouteContext(r.Context()).RoutePattern(); p != "" {
		return p
	}
	return "none"
}

// recoverPanic turns a panic into a logged INTERNAL reply, and so a read of
// mapped memory behind which there is no file any more. When the reply has
// begun, it cuts the connection instead, so that half a reply is not taken for
// a whole one.
func recoverPanic(log *zap.Logger) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ww := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
			defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
			defer func() {
				p := recover()
				if p == nil {
					return
				}
				if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
					panic(p)
				}
				err := fault.Panicked(p)
				if ww.Status() != 0 {
					logFailure(log, r, fault.Internal, err)
					panic(http.ErrAbortHandler)
				}
				writeError(ww, r, log, err)
			}()
			next.ServeHTTP(ww, r)
		})
	}
}

// deadline bounds the work of a request. Operations see it through the context.
func deadline(limit time.Duration) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx, cancel := context.WithTimeout(r.Context(), limit)
			defer cancel()
			next.ServeHTTP(w, r.WithContext(ctx))
		})
	}
}
