package modelserver_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/modelserver"
)

// replies answers requests one after the other; the last one again and again.
type replies struct {
	list []reply
	at   []time.Duration // when requests came
	from time.Time
}

type reply struct {
	status int // 0 refuses the connection
	body   string
	header http.Header
}

func (r *replies) RoundTrip(req *http.Request) (*http.Response, error) {
	n := min(len(r.at), len(r.list)-1)
	r.at = append(r.at, time.Since(r.from))
	got := r.list[n]
	if got.status == 0 {
		return nil, errors.New("connection refused")
	}
	return &http.Response{
		StatusCode: got.status, Header: got.header, Body: io.NopCloser(strings.NewReader(got.body)),
		Request: req,
	}, nil
}

func post(ctx context.Context, r *replies) (string, error) {
	r.from = time.Now()
	s := modelserver.Server{
		URL: "http://model/v1", Key: "secret-key", HTTP: &http.Client{Transport: r},
		Kind: modelserver.Kind{Name: "language model", Setting: "RAGNAV_LLM", Code: fault.LLMUnavailable},
	}
	resp, err := s.Post(ctx, "/chat/completions", map[string]any{"a": 1})
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	return string(text), err
}

func TestPost(t *testing.T) {
	wait := func(v string) http.Header { return http.Header{"Retry-After": {v}} }
	ok := reply{status: 200, body: "fine"}
	for name, tc := range map[string]struct {
		list    []reply
		limit   time.Duration
		sent    int
		atLeast time.Duration // until the last request
		fails   string        // in the message
	}{
		"at once":          {list: []reply{ok}, sent: 1},
		"busy, then there": {list: []reply{{status: 503}, ok}, sent: 2, atLeast: 500 * time.Millisecond},
		"as late as it asks for": {
			list: []reply{{status: 429, header: wait("7")}, ok}, sent: 2,
			atLeast: 7 * time.Second,
		},
		"a fraction of seconds": {
			list: []reply{{status: 429, header: wait("0.9")}, ok}, sent: 2,
			atLeast: 900 * time.Millisecond,
		},
		"later than there is time": {
			list: []reply{{status: 429, header: wait("7")}, ok}, limit: 5 * time.Second,
			sent: 1, fails: "too much to do",
		},
		"always busy": {
			list: []reply{{status: 500, body: `{"error":{"message":"out of\nmemory"}}`}},
			sent: 3, atLeast: 1500 * time.Millisecond, fails: "HTTP 500): out of memory",
		},
		"nobody there": {
			list: []reply{{}}, sent: 3,
			fails: "no language model answers at http://model/v1; start it, or check RAGNAV_LLM_URL",
		},
		"back again": {list: []reply{{}, {}, ok}, sent: 3},
		"the key":    {list: []reply{{status: 401}}, sent: 1, fails: "RAGNAV_LLM_API_KEY"},
		"the model": {
			list: []reply{{status: 404, body: `{"error":"model 'x' not found"}`}}, sent: 1,
			fails: "RAGNAV_LLM_MODEL and RAGNAV_LLM_URL: model 'x' not found",
		},
		"a mistake is not sent twice": {
			list: []reply{{status: 400, body: `{"message":"bad"}`}}, sent: 1,
			fails: "HTTP 400): bad",
		},
		"elsewhere":                      {list: []reply{{status: 307}}, sent: 1, fails: "not followed"},
		"a page instead of an error":     {list: []reply{{status: 403, body: "<html>"}}, sent: 1, fails: "refuses the key"},
		"garbage in Retry-After is none": {list: []reply{{status: 429, header: wait("soon")}, ok}, sent: 2},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx := t.Context()
				if tc.limit > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, tc.limit)
					defer cancel()
				}
				r := &replies{list: tc.list}
				text, err := post(ctx, r)
				if len(r.at) != tc.sent || r.at[len(r.at)-1] < tc.atLeast {
					t.Errorf("sent at %v, want %d times, the last one at %v", r.at, tc.sent, tc.atLeast)
				}
				switch {
				case tc.fails == "" && (err != nil || text != "fine"):
					t.Errorf("got %q, %v", text, err)
				case tc.fails != "" &&
					(fault.CodeOf(err) != fault.LLMUnavailable || !strings.Contains(fault.MessageOf(err), tc.fails)):
					t.Errorf("error %v, want one with %q", err, tc.fails)
				case tc.fails != "" && strings.Contains(err.Error(), "secret-key"):
					t.Errorf("the error tells the key: %v", err)
				}
			})
		})
	}
}

// A client that leaves is not kept waiting for the next attempt.
func TestPostCanceled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, cancel)
		from := time.Now()
		_, err := post(ctx, &replies{list: []reply{{status: 503}}})
		if !errors.Is(err, context.Canceled) || time.Since(from) != 100*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(from))
		}
	})
}

func TestBase(t *testing.T) {
	got := map[string]string{}
	for _, in := range []string{
		"http://127.0.0.1:11434", "http://a:1/", "https://api.example.com/v1/", "http://a/openai/v1/chat/completions",
		"http://a/v1/embeddings", "http://a:80/rerank", "https://a/v2/rerank/",
		"a:1", "ftp://a", "http://me:pw@a", "",
	} {
		base, err := modelserver.Base(in)
		if err != nil {
			base = "refused"
		}
		got[in] = base
	}
	want := map[string]string{
		"http://127.0.0.1:11434": "http://127.0.0.1:11434/v1", "http://a:1/": "http://a:1/v1",
		"https://api.example.com/v1/":         "https://api.example.com/v1",
		"http://a/openai/v1/chat/completions": "http://a/openai/v1", "http://a/v1/embeddings": "http://a/v1",
		"http://a:80/rerank": "http://a:80/v1", "https://a/v2/rerank/": "https://a/v2",
		"a:1": "refused", "ftp://a": "refused", "http://me:pw@a": "refused", "": "refused",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("bases (-want +got):\n%s", diff)
	}
}
