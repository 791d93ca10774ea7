package httpapi

import (
	"context"
	"errors"
	"net/http"
	"time"

	"go.uber.org/zap"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/valid"
)

// Stream says how a job or an answer is streamed. Zero fields mean the defaults.
type Stream struct {
	Interval  time.Duration // least time between two events of one state; default 250 ms
	Heartbeat time.Duration // a comment is sent when nothing was for so long; default 10 s
	Write     time.Duration // how long a client may take to accept an event; default 10 s
}

func (s Stream) withDefaults() Stream {
	if s.Interval <= 0 {
		s.Interval = 250 * time.Millisecond
	}
	if s.Heartbeat <= 0 {
		s.Heartbeat = 10 * time.Second
	}
	if s.Write <= 0 {
		s.Write = 10 * time.Second
	}
	return s
}

// jobEvents streams a job to clients that ask for text/event-stream, however
// long it takes, and leaves the others to plain. An event is the reply that
// plain would give at that moment: "progress" while the job is under way, then
// one "end", or "error" when the job can't be followed any further. A server
// that shuts down ends the stream without either.
func jobEvents(d Deps, plain http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || !prefersEvents(r.Header.Values("Accept")) {
			plain.ServeHTTP(w, r)
			return
		}
		var req index.JobRequest
		err := pathParam("id", "id")(w, r, &req)
		if err == nil {
			err = valid.Check(req)
		}
		if err != nil {
			writeError(w, r, d.Log, err)
			return
		}
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		stops := stopping(ctx)
		defer context.AfterFunc(stops, cancel)()
		e := events{Stream: d.Stream.withDefaults(), w: w, r: r, conn: http.NewResponseController(w)}
		resp, err := d.Ops.WatchJob(ctx, req, func(j index.Job) {
			if e.progress(j) != nil {
				cancel()
			}
		})
		e.conclude(d.Log, resp, err, stops.Err() != nil) //nolint:contextcheck // it asks the request for its context
	}
}

// events is one stream. Its methods return the error of the connection.
type events struct {
	Stream

	w    http.ResponseWriter
	r    *http.Request
	conn *http.ResponseController

	begun bool
	lost  bool      // the client takes no more
	last  time.Time // of anything that was sent
	event time.Time // of the last progress
	seen  index.Job // in it
}

// progress sends a job that is under way, unless it is as it was or the last
// event was a moment ago.
func (e *events) progress(j index.Job) error {
	now := time.Now()
	same := unchanging(j) == unchanging(e.seen)
	soon := j.State == e.seen.State && now.Sub(e.event) < e.Interval
	switch {
	case j.State.Final():
		return nil
	case e.begun && (same || soon):
		if now.Sub(e.last) < e.Heartbeat {
			return nil
		}
		return e.send(": still here\n\n")
	}
	e.seen, e.event = j, now
	return e.reply("progress", &index.JobsResponse{Result: models.OKResult([]index.Job{j})})
}

// unchanging is a job without what changes all the time, to be compared.
func unchanging(j index.Job) index.Job {
	return index.Job{
		State: j.State, Total: j.Total, Done: j.Done, Changed: j.Changed, Removed: j.Removed, Skipped: j.Skipped,
		Embedded: j.Embedded, Reused: j.Reused, Documents: j.Documents, Server: j.Server, Renewed: j.Renewed,
		Pending: j.Pending,
	}
}

// conclude sends the last event: the job as it ended, or why it can't be followed.
func (e *events) conclude(log *zap.Logger, resp index.JobsResponse, err error, stopping bool) {
	if err != nil {
		e.fail(log, err, stopping)
		return
	}
	_ = e.reply("end", &resp) // it fails when the client has gone
}

// fail tells why there is no reply: as a reply of its own, if nothing was sent yet.
func (e *events) fail(log *zap.Logger, err error, stopping bool) {
	code, message := classify(e.r.Context(), err)
	switch {
	case e.lost, errors.Is(e.r.Context().Err(), context.Canceled):
		callOf(e.r).errorCode = string(fault.Canceled) // for the access log; nobody is there to be told
	case stopping && e.begun:
		_ = e.send(": the server is shutting down\n\n")
	case stopping:
		writeError(e.w, e.r, log, stopped(err))
	case !e.begun:
		writeError(e.w, e.r, log, err)
	default:
		if code == fault.Internal {
			logFailure(log, e.r, code, err)
		}
		reply := models.ErrorResult(string(code), message)
		_ = e.reply("error", &reply)
	}
}

// reply sends an event with a reply as its data, on one line.
func (e *events) reply(name string, reply models.Envelope) error {
	c := callOf(e.r)
	head := reply.Head()
	head.RequestID, head.TookMS = c.id, c.took()
	op.REST.SayHead(head)
	c.errorCode = models.Or(head.ErrorCode, c.errorCode)
	return e.object(name, reply)
}

// send sends text to a client that takes it in time, and the headers before the
// first one.
func (e *events) send(text string) error {
	if !e.begun {
		e.begun = true
		h := e.w.Header()
		h.Set("Content-Type", "text/event-stream")
		h.Set("Cache-Control", "no-store")
		h.Set("X-Accel-Buffering", "no") // proxies must not gather events
		// The server's own limits are those of a request. Where there is no
		// connection, there are none.
		_ = e.conn.SetReadDeadline(time.Time{})
		e.w.WriteHeader(http.StatusOK)
	}
	e.last = time.Now()
	_ = e.conn.SetWriteDeadline(e.last.Add(e.Write))
	_, err := e.w.Write([]byte(text))
	if err == nil {
		err = e.conn.Flush()
	}
	e.lost = e.lost || err != nil
	return err
}

// prefersEvents reports whether Accept headers name text/event-stream and don't
// prefer JSON.
func prefersEvents(headers []string) bool { return prefers(headers, "text/event-stream") }

type stoppingKey struct{}

// stopping is a context that ends when the server begins to shut down. Outside
// of Serve it never does.
func stopping(ctx context.Context) context.Context {
	if c, ok := ctx.Value(stoppingKey{}).(context.Context); ok {
		return c
	}
	return context.Background()
}

// telling is the context of a server's requests: they learn from it that the
// server shuts down, and are not cut off by that.
func telling(server context.Context) context.Context {
	return context.WithValue(context.WithoutCancel(server), stoppingKey{}, server)
}
