package httpapi_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/httpapi"
	"github.com/ragnav/ragnav/internal/httpapi/apitest"
	"github.com/ragnav/ragnav/internal/index"
)

var eventStream = map[string]string{"Accept": "text/event-stream"}

const jobPath = "/api/index/jobs/j1"

type watch = func(ctx context.Context, req index.JobRequest, progress func(index.Job)) (index.JobsResponse, error)

// watching is an API with one job to stream, as fast as it goes.
func watching(w watch) httpapi.Deps {
	d := deps()
	d.Stream = httpapi.Stream{Interval: time.Nanosecond}
	d.Ops.(*fake).watch = w
	return d
}

func TestStream(t *testing.T) {
	compare(t, do(t, deps(), request{method: "GET", path: jobPath, header: eventStream}))
}

// What has an error before the first event is an ordinary reply.
func TestStreamErrors(t *testing.T) {
	lost := func(_ context.Context, _ index.JobRequest, progress func(index.Job)) (index.JobsResponse, error) {
		progress(jobs().Items[0])
		return index.JobsResponse{}, fault.New(fault.RAGUnavailable, "the store does not answer")
	}
	none := func(context.Context, index.JobRequest, func(index.Job)) (index.JobsResponse, error) {
		return index.JobsResponse{}, fault.New(fault.JobNotFound, "no job")
	}
	broken := func(_ context.Context, _ index.JobRequest, progress func(index.Job)) (index.JobsResponse, error) {
		progress(jobs().Items[0])
		return index.JobsResponse{}, errors.New("secret detail")
	}
	for _, test := range []struct {
		name  string
		watch watch
		path  string
	}{
		{"no_job", none, jobPath},
		{"lost", lost, jobPath},
		{"bug", broken, jobPath},
		{"parameter", none, jobPath + "?x=1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			compare(t, do(t, watching(test.watch), request{method: "GET", path: test.path, header: eventStream}))
		})
	}
}

func TestWhoGetsAStream(t *testing.T) {
	for _, test := range []struct {
		method, accept, want string
	}{
		{"GET", "text/event-stream", "text/event-stream"},
		{"GET", "text/html, text/event-stream;q=0.9, */*;q=0.1", "text/event-stream"},
		{"GET", "text/event-stream, application/json;q=0.5", "text/event-stream"},
		{"GET", "application/json, text/event-stream;q=0.5", "application/json"},
		{"GET", "text/event-stream;q=0, */*", "application/json"},
		{"GET", "*/*", "application/json"},
		{"GET", "", "application/json"},
		{"HEAD", "text/event-stream, */*", "application/json"},
		{"DELETE", "text/event-stream, */*", "application/json"},
	} {
		w := do(t, deps(), request{method: test.method, path: jobPath, header: map[string]string{"Accept": test.accept}})
		if got := w.Header().Get("Content-Type"); got != test.want || w.Code != http.StatusOK {
			t.Errorf("%s, Accept %q: %d %s, want %s", test.method, test.accept, w.Code, got, test.want)
		}
	}
}

// Events are changes, and those of one state are an interval apart.
func TestStreamLeavesOutWhatIsTheSame(t *testing.T) {
	for _, test := range []struct {
		name     string
		interval time.Duration
		want     []int // done of each progress
	}{
		{"as fast as it goes", time.Nanosecond, []int{0, 1, 2, 3}},
		{"one an hour and state", time.Hour, []int{0, 3}},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := watching(func(_ context.Context, _ index.JobRequest, progress func(index.Job)) (index.JobsResponse, error) {
				resp := jobs()
				j := &resp.Items[0]
				for j.Done = 0; j.Done < 3; j.Done++ {
					progress(*j)
					j.Rate++
					progress(*j)
				}
				j.State = index.JobCommitting
				progress(*j)
				j.State = index.JobDone
				progress(*j)
				return resp, nil
			})
			d.Stream.Interval = test.interval
			var got []int
			events := read(t, strings.NewReader(do(t, d,
				request{method: "GET", path: jobPath, header: eventStream}).Body.String()))
			for _, e := range events[:len(events)-1] {
				got = append(got, e.job.Done)
			}
			if diff := cmp.Diff(test.want, got); diff != "" || events[len(events)-1].name != "end" {
				t.Errorf("events %+v: %s", events, diff)
			}
		})
	}
}

func TestStreamHeartbeat(t *testing.T) {
	d := watching(func(_ context.Context, _ index.JobRequest, progress func(index.Job)) (index.JobsResponse, error) {
		progress(jobs().Items[0])
		progress(jobs().Items[0])
		return jobs(), nil
	})
	d.Stream.Heartbeat = time.Nanosecond
	if body := do(t, d, request{method: "GET", path: jobPath, header: eventStream}).Body.String(); strings.Count(body,
		"\n: ") != 1 {
		t.Errorf("no heartbeat in\n%s", body)
	}
}

// A stream outlives the limits of a request, of the connection and of the operation.
func TestStreamHasNoTimeLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit = 200 * time.Millisecond
		d := watching(func(ctx context.Context, _ index.JobRequest, progress func(index.Job)) (index.JobsResponse, error) {
			resp := jobs()
			for ; resp.Items[0].Done < 8; resp.Items[0].Done++ {
				progress(resp.Items[0])
				select {
				case <-ctx.Done():
					return resp, ctx.Err()
				case <-time.After(limit / 4):
				}
			}
			return resp, nil
		})
		d.Timeout = limit
		client := serveInMemory(t, &http.Server{Handler: httpapi.New(d), ReadTimeout: limit, WriteTimeout: limit})
		events := read(t, stream(t, t.Context(), client, inMemory))
		if len(events) != 7 || events[6].name != "end" {
			t.Errorf("events %+v, want six of progress and the end", events)
		}
		if status := get(t, client, inMemory+jobPath); status != http.StatusOK {
			t.Errorf("after it %d", status)
		}
	})
}

// endless is a job that goes on until nobody watches it; it tells of that.
func endless(states ...index.JobState) (w watch, left <-chan struct{}) {
	done := make(chan struct{})
	return func(ctx context.Context, _ index.JobRequest, progress func(index.Job)) (index.JobsResponse, error) {
		defer close(done)
		j := jobs().Items[0]
		for ctx.Err() == nil {
			j.Done++
			j.State = states[j.Done%len(states)]
			progress(j)
		}
		return index.JobsResponse{}, ctx.Err()
	}, done
}

func TestStreamEndsWithItsClient(t *testing.T) {
	w, left := endless(index.JobParsing)
	srv := httptest.NewServer(httpapi.New(watching(w)))
	t.Cleanup(srv.Close)
	ctx, leave := context.WithCancel(t.Context())
	body := stream(t, ctx, http.DefaultClient, srv.URL)
	if _, err := bufio.NewReader(body).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	leave()
	wait(t, left, "the client has left, the stream goes on")
}

// A client that takes nothing holds nobody up: the stream ends.
func TestStreamGivesUpSlowClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, left := endless(index.JobParsing, index.JobListing)
		d := watching(w)
		d.Stream.Write = 50 * time.Millisecond
		client := serveInMemory(t, &http.Server{Handler: httpapi.New(d)})
		_ = stream(t, t.Context(), client, inMemory) // never read
		wait(t, left, "the client reads nothing, the stream goes on")
	})
}

// A server that shuts down ends its streams and does not wait for the jobs.
func TestStreamEndsWithItsServer(t *testing.T) {
	w, left := endless(index.JobParsing)
	var lc net.ListenConfig
	ln, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	served := make(chan error, 1)
	go func() {
		served <- httpapi.Serve(ctx, ln, httpapi.New(watching(w)), zap.NewNop(),
			httpapi.Limits{Request: time.Minute, Shutdown: time.Minute})
	}()
	body := bufio.NewReader(stream(t, t.Context(), http.DefaultClient, "http://"+ln.Addr().String()))
	if _, err := body.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	stop()
	rest, err := io.ReadAll(body)
	if err != nil || !strings.HasSuffix(string(rest), ": the server is shutting down\n\n") ||
		strings.Contains(string(rest), "event: end") {
		t.Errorf("the stream ended %q, %v", rest[max(0, len(rest)-80):], err)
	}
	wait(t, left, "the server stops, the stream goes on")
	if err := <-served; err != nil {
		t.Errorf("Serve: %v", err)
	}
}

// An event is one of a stream.
type event struct {
	name string
	job  index.Job
}

// read reads a whole stream and compares its data with the API document.
func read(t *testing.T, r io.Reader) []event {
	t.Helper()
	var events []event
	name := ""
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		if n, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			name = n
		}
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			apitest.Check(t, http.MethodGet, jobPath, http.StatusOK, []byte(data))
			var resp index.JobsResponse
			if err := json.Unmarshal([]byte(data), &resp); err != nil || len(resp.Items) != 1 {
				t.Fatalf("data %s: %v", data, err)
			}
			events = append(events, event{name, resp.Items[0]})
		}
	}
	if err := lines.Err(); err != nil {
		t.Error(err)
	}
	return events
}

//nolint:revive // the context is that of the request, not of the test
func stream(t *testing.T, ctx context.Context, client *http.Client, url string) io.Reader {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+jobPath, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp.Body
}

func get(t *testing.T, client *http.Client, url string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}

func wait(t *testing.T, done <-chan struct{}, otherwise string) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal(otherwise)
	}
}
