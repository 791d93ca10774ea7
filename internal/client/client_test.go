package client_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/client"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/rag/search"
)

const okReply = `{"meta":{"status":"OK"},"items":[],"query":"<x>"}` + "\n"

// Each operation is sent where the contract says, in the form it says.
func TestRequests(t *testing.T) {
	for _, test := range []struct {
		name string
		send func(c *client.Client) error
		want string // method, URI and body
	}{
		{
			name: "post with a body",
			send: func(c *client.Client) error {
				_, err := op.Search.By(t.Context(), c, search.Request{Query: "a b", Limit: new(0)})
				return err
			},
			want: `POST /api/rag/search {"query":"a b","limit":0}`,
		},
		{
			name: "get without parameters",
			send: func(c *client.Client) error { _, err := op.Repos.By(t.Context(), c, repos.Request{}); return err },
			want: "GET /api/rag/repos ",
		},
		{
			name: "get with parameters",
			send: func(c *client.Client) error {
				_, err := op.Coverage.By(t.Context(), c, index.CoverageRequest{RepoID: "o/n", Path: "a&b.go", Limit: new(1000000)})
				return err
			},
			want: "GET /api/index/coverage?limit=1000000&path=a%26b.go&repo_id=o%2Fn ",
		},
		{
			name: "repository id in the path",
			send: func(c *client.Client) error {
				_, err := op.Remove.By(t.Context(), c, index.RemoveRequest{RepoID: "o/n?x"})
				return err
			},
			want: "DELETE /api/rag/repos/o/n%3Fx ",
		},
		{
			name: "job id in the path",
			send: func(c *client.Client) error {
				_, err := op.CancelJob.By(t.Context(), c, index.JobRequest{ID: "../x"})
				return err
			},
			want: "DELETE /api/index/jobs/..%2Fx ",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got string
			c := serve(t, client.Options{}, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				got = r.Method + " " + r.RequestURI + " " + string(body)
				_, _ = io.WriteString(w, okReply)
			})
			if err := test.send(c); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
		})
	}
}

// Every way in which a call can fail is a classified error that says what to do.
func TestErrors(t *testing.T) {
	for _, test := range []struct {
		name    string
		status  int
		body    string
		code    fault.Code
		message string
		fields  map[string]string
	}{
		{
			name: "enveloped", status: 404,
			body: `{"meta":{"status":"ERROR","error_code":"PATH_NOT_FOUND","message":"no x.go"},"items":[]}`,
			code: fault.PathNotFound, message: "no x.go",
		},
		{
			name: "fields", status: 400,
			body: `{"meta":{"status":"ERROR","error_code":"INVALID_REQUEST","message":"limit is bad","fields":{"limit":"is ` +
				`bad"}},"items":[]}`,
			code: fault.InvalidRequest, message: "limit is bad", fields: map[string]string{"limit": "is bad"},
		},
		{
			name: "a code of a newer server", status: 418,
			body: `{"meta":{"status":"ERROR","error_code":"TEAPOT","message":"short and stout"},"items":[]}`,
			code: "TEAPOT", message: "short and stout",
		},
		{
			name: "html", status: 200, body: "<html>", code: fault.RAGUnavailable,
			message: "answered 200 OK, which is not a reply of ragnav",
		},
		{
			name: "json of something else", status: 502, body: `{"error":"x"}`, code: fault.RAGUnavailable,
			message: "answered 502 Bad Gateway",
		},
		{
			name: "items of another type", status: 200, body: `{"meta":{"status":"OK"},"items":[3]}`, code: fault.RAGUnavailable,
			message: "does not understand",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := serve(t, client.Options{}, func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(test.status)
				_, _ = io.WriteString(w, test.body)
			})
			_, err := op.File.By(t.Context(), c, filefetch.Request{})
			got, ok := errors.AsType[*fault.Error](err)
			if !ok {
				t.Fatalf("error %v is not classified", err)
			}
			if got.Code != test.code || !strings.Contains(got.Message, test.message) {
				t.Errorf("got %s %q, want %s %q", got.Code, got.Message, test.code, test.message)
			}
			if diff := cmp.Diff(test.fields, got.Fields); diff != "" {
				t.Errorf("fields (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNoServer(t *testing.T) {
	c, err := client.New(freeAddr(t), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = op.Repos.By(t.Context(), c, repos.Request{})
	if got := fault.CodeOf(err); got != fault.RAGUnavailable {
		t.Errorf("code = %s, want %s", got, fault.RAGUnavailable)
	}
	if want := "no server answers at http://127.0.0.1:"; !strings.HasPrefix(fault.MessageOf(err), want) {
		t.Errorf("message = %q, want %q…", fault.MessageOf(err), want)
	}
}

// A server that is not ready still tells its checks.
func TestReady(t *testing.T) {
	const body = `{"meta":{"status":"ERROR","error_code":"RAG_UNAVAILABLE","message":"not ` +
		`ready"},"items":[{"name":"store","ok":false,"message":"gone"}]}`
	c := serve(t, client.Options{}, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = io.WriteString(w, body)
	})
	got, err := c.Ready(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []models.Check{{Name: "store", Message: "gone"}}
	if diff := cmp.Diff(want, got.Items); diff != "" {
		t.Errorf("checks (-want +got):\n%s", diff)
	}
}

// What OnReply sees is the server's reply to the byte.
func TestOnReply(t *testing.T) {
	var raw string
	c := serve(t, client.Options{OnReply: func(b []byte) { raw = string(b) }},
		func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, okReply)
		})
	resp, err := op.Search.By(t.Context(), c, search.Request{Query: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if raw != okReply || resp.Query != "<x>" {
		t.Errorf("raw = %q, query = %q", raw, resp.Query)
	}
}

func TestDiscover(t *testing.T) {
	ragnav := httptest.NewServer(
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, okReply) }))
	defer ragnav.Close()
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	for _, test := range []struct{ name, addr, want string }{
		{name: "running", addr: strings.TrimPrefix(ragnav.URL, "http://"), want: ragnav.URL},
		{name: "not announced", addr: ""},
		{name: "gone", addr: freeAddr(t)},
		{name: "something else", addr: strings.TrimPrefix(other.URL, "http://")},
		{name: "not an address", addr: "a b"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			if c := client.Discover(t.Context(), test.addr, client.Options{}); c != nil {
				got = c.URL()
			}
			if got != test.want {
				t.Errorf("Discover = %q, want %q", got, test.want)
			}
		})
	}
}

func TestNewRefuses(t *testing.T) {
	for _, base := range []string{"", "http://", "ftp://x", "http://a b"} {
		if _, err := client.New(base, client.Options{}); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("New(%q) = %v, want %s", base, err, fault.InvalidRequest)
		}
	}
}

func serve(t *testing.T, o client.Options, h http.HandlerFunc) *client.Client {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	c, err := client.New(srv.URL, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// freeAddr is an address on which nobody listens.
func freeAddr(t *testing.T) string {
	t.Helper()
	ln, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := ln.Close(); err != nil {
		t.Fatal(err)
	}
	return ln.Addr().String()
}
