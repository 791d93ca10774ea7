package httpapi

import (
	"bytes"
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// writeError is the only place where an error becomes a reply. An error that is
// not the client's is logged here, once, with what the client doesn't see.
func writeError(w http.ResponseWriter, r *http.Request, log *zap.Logger, err error) {
	code, message := classify(r.Context(), err)
	status := code.Row().HTTP
	if status >= http.StatusInternalServerError {
		logFailure(log, r, code, err)
	}
	reply := models.ErrorResult(string(code), message)
	if e, ok := fault.As(err); ok && e.Code == code {
		reply.Meta.Fields = e.Fields
		setRetryAfter(w, e)
	}
	if strings.HasPrefix(r.URL.Path, chatPaths) {
		callOf(r).errorCode = string(code)
		writePlain(w, status, chatError(code, op.REST.Say(message), reply.Meta.Fields))
		return
	}
	write(w, r, log, status, &reply)
}

// logFailure logs an error that is not the client's, a panic with its stack.
func logFailure(log *zap.Logger, r *http.Request, code fault.Code, err error) {
	fields := []zap.Field{zap.String("error_code", string(code)), zap.Error(err), requestID(r)}
	if p, ok := errors.AsType[*fault.Panic](err); ok {
		fields = append(fields, zap.String("stack", p.Stack))
	}
	level := zap.WarnLevel
	if code == fault.Internal {
		level = zap.ErrorLevel
	}
	log.Log(level, "request failed", fields...)
}

// classify gives the code and message for a client. What fails after the
// request's time is up failed because of that, whatever it says.
func classify(ctx context.Context, err error) (fault.Code, string) {
	code := fault.CodeOf(err)
	_, panicked := errors.AsType[*fault.Panic](err)
	switch {
	case panicked:
	case (code == fault.Internal || code == fault.Canceled) && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fault.Timeout, fault.Timeout.Row().Text
	case code == fault.Canceled && ctx.Err() == nil: // the client is still there
		return fault.Internal, fault.Internal.Row().Text
	}
	return code, fault.MessageOf(err)
}

func setRetryAfter(w http.ResponseWriter, e *fault.Error) {
	wait := e.RetryAfter
	if e.Code == fault.RateLimited || e.Code == fault.Overloaded {
		wait = max(wait, time.Second)
	}
	if wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	}
}

// write completes the envelope's head and encodes it before it sends anything,
// so that a failure can still be told.
func write(w http.ResponseWriter, r *http.Request, log *zap.Logger, status int, reply models.Envelope) {
	c := callOf(r)
	head := reply.Head()
	head.RequestID, head.TookMS = c.id, c.took()
	op.REST.SayHead(head)
	c.errorCode = models.Or(head.ErrorCode, c.errorCode)
	var buf bytes.Buffer
	if err := models.Encode(&buf, reply); err != nil {
		writeError(w, r, log, err) // an ErrorResult always encodes, so this happens once
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	if h.Get("Etag") == "" {
		h.Set("Cache-Control", "no-store")
	}
	h.Set("Content-Length", strconv.Itoa(buf.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(buf.Bytes()) // it fails when the client has gone
}
