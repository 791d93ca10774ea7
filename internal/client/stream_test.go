package client_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/client"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
)

const (
	head = `{"meta":{"status":"OK","error_code":null,"message":null,"source":"RAG_GRAPH",` +
		`"freshness_state":"UNKNOWN","index_status":null,"request_id":"r","took_ms":0},"items":[`
	progress = "event: progress\ndata: " + head + `{"id":"j","state":"parsing","total":4,"done":2}]}` + "\n\n"
	end      = head + `{"id":"j","state":"done","total":4,"done":4}]}` + "\n"
	failed   = `{"meta":{"status":"ERROR","error_code":"JOB_NOT_FOUND","message":"no ` +
		`job","source":"NONE","freshness_state":"UNKNOWN","index_status":null,"request_id":"r","took_ms":0},"items":[]}`
)

func TestWatchJob(t *testing.T) {
	for _, test := range []struct {
		name, media, body string
		code              fault.Code // "" for an answer
		seen              int
	}{
		{
			"to its end", "text/event-stream", progress + ": still here\n\n" + progress + "event: end\ndata: " + end + "\n", "",
			2,
		},
		{"already over", "text/event-stream; charset=utf-8", "event: end\ndata: " + end + "\n", "", 0},
		{"no such job", "application/json", failed, fault.JobNotFound, 0},
		{"lost on the way", "text/event-stream", progress + "event: error\ndata: " + failed + "\n\n", fault.JobNotFound, 1},
		{"the server stops", "text/event-stream", progress + ": the server is shutting down\n\n", fault.RAGUnavailable, 1},
		{"an old server", "application/json", end, fault.RAGUnavailable, 0},
		{"nonsense", "text/event-stream", "event: progress\ndata: {\n\n", fault.RAGUnavailable, 0},
		{"no job in it", "text/event-stream", "event: end\ndata: " + head + "]}\n\n", fault.RAGUnavailable, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Accept") != "text/event-stream" || r.URL.Path != "/api/index/jobs/j 1" {
					t.Errorf("asked for %s of %s", r.Header.Get("Accept"), r.URL.Path)
				}
				w.Header().Set("Content-Type", test.media)
				_, _ = io.WriteString(w, test.body)
			}))
			defer srv.Close()
			last := ""
			c, err := client.New(srv.URL, client.Options{OnReply: func(b []byte) { last = string(b) }})
			if err != nil {
				t.Fatal(err)
			}
			seen := 0
			resp, err := c.WatchJob(t.Context(), index.JobRequest{ID: "j 1"}, func(index.Job) { seen++ })
			if seen != test.seen {
				t.Errorf("%d events, want %d", seen, test.seen)
			}
			if test.code != "" {
				if fault.CodeOf(err) != test.code {
					t.Errorf("got %v, want %s", err, test.code)
				}
				return
			}
			if err != nil || resp.Items[0].State != index.JobDone {
				t.Errorf("got %+v, %v", resp, err)
			}
			if diff := cmp.Diff(end, last); diff != "" {
				t.Errorf("OnReply (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWatchJobUntilNobodyCares(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, progress)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	defer srv.Close()
	c, err := client.New(srv.URL, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := c.WatchJob(ctx, index.JobRequest{ID: "j"}, func(index.Job) { cancel() }); !errors.Is(err,
		context.Canceled) {
		t.Errorf("got %v", err)
	}
}
