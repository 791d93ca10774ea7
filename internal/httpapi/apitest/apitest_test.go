package apitest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// recorder is a testing.TB that only notes failures.
type recorder struct {
	testing.TB

	failures []string
}

func (r *recorder) Helper()           {}
func (r *recorder) Error(args ...any) { r.failures = append(r.failures, fmt.Sprint(args...)) }
func (r *recorder) Fatal(args ...any) { r.Error(args...) }
func (r *recorder) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

const head = `"status":"OK","error_code":null,"message":null,"source":"NONE","freshness_state":"UNKNOWN",` +
	`"index_status":null,"request_id":"r","took_ms":1`

func TestCheck(t *testing.T) {
	failed := strings.NewReplacer(`"OK"`, `"ERROR"`, `"error_code":null,"message":null`,
		`"error_code":"PATH_NOT_FOUND","message":"m"`).Replace(head)
	for _, test := range []struct {
		name, method, path string
		status             int
		body               string
		want               string // part of the failure; "" when there is none
	}{
		{name: "as documented", path: "/healthz", status: 200, body: `{"meta":{` + head + `},"items":[{"status":"ok"}]}`},
		{name: "query", path: "/healthz?x=1", status: 200, body: `{"meta":{` + head + `},"items":[{"status":"ok"}]}`},
		{
			name: "undocumented property", path: "/healthz", status: 200,
			body: `{"meta":{` + head + `},"items":[{"status":"ok","more":1}]}`, want: "more",
		},
		{
			name: "undocumented key of meta", path: "/healthz", status: 200,
			body: `{"meta":{"x":1,` + head + `},"items":[{"status":"ok"}]}`, want: "'x'",
		},
		{name: "items is null", path: "/healthz", status: 200, body: `{"meta":{` + head + `},"items":null}`, want: "/items"},
		{
			name: "key of meta missing", path: "/healthz", status: 200, body: `{"meta":{"status":"OK"},"items":[]}`,
			want: "missing",
		},
		{name: "undocumented status", path: "/healthz", status: 201, body: `{}`, want: "status 201 is not in the document"},
		{name: "not JSON", path: "/healthz", status: 200, body: `404 page not found`, want: "not JSON"},
		{name: "undocumented route, error", path: "/nowhere", status: 404, body: `{"meta":{` + failed + `},"items":[]}`},
		{name: "undocumented route, no error", path: "/nowhere", status: 200, body: `{}`, want: "not in the document"},
		{
			name: "error without message", path: "/nowhere", status: 404,
			body: `{"meta":{` + strings.Replace(failed, `"m"`, `""`, 1) + `},"items":[]}`, want: "message",
		},
		{
			name: "repo_id with slashes", method: http.MethodDelete, path: "/api/rag/repos/a/b/c", status: 404,
			body: `{"meta":{` + failed + `},"items":[]}`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := &recorder{TB: t}
			method := test.method
			if method == "" {
				method = http.MethodGet
			}
			Check(r, method, test.path, test.status, []byte(test.body))
			got := strings.Join(r.failures, "\n")
			if (test.want == "") != (got == "") || !strings.Contains(got, test.want) {
				t.Errorf("failure = %q, want one with %q", got, test.want)
			}
		})
	}
}
