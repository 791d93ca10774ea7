package httpapi_test

import (
	"testing"
)

func TestHosts(t *testing.T) {
	for _, test := range []struct {
		host    string
		allowed []string
		status  int
	}{
		{host: "localhost:8080", status: 200},
		{host: "LOCALHOST", status: 200},
		{host: "ragnav.localhost:1", status: 200},
		{host: "127.0.0.1:8080", status: 200},
		{host: "[::1]:8080", status: 200},
		{host: "[::1]", status: 200},
		{host: "192.0.2.7", status: 200},
		{host: "evil.example:8080", status: 403},
		{host: "localhost.evil.example", status: 403},
		{host: "127.0.0.1.evil.example", status: 403},
		{host: "code.example:8080", allowed: []string{"code.example"}, status: 200},
		{host: "Code.Example.", allowed: []string{"code.example"}, status: 200},
		{host: "other.example", allowed: []string{"code.example"}, status: 403},
		{host: "any.example", allowed: []string{"*"}, status: 200},
	} {
		d := deps()
		d.Hosts = test.allowed
		if w := do(t, d, request{method: "GET", path: "/healthz", host: test.host}); w.Code != test.status {
			t.Errorf("Host %s with %q allowed: status %d, want %d", test.host, test.allowed, w.Code, test.status)
		}
	}
}

func TestOrigins(t *testing.T) {
	search := request{method: "POST", path: "/api/rag/search", body: `{"query":"x"}`}
	remove := request{method: "DELETE", path: "/api/rag/repos/a"}
	read := request{method: "GET", path: "/api/rag/repos"}
	for _, test := range []struct {
		name   string
		req    request
		header map[string]string
		status int
	}{
		{"a program", search, nil, 200},
		{"own page", search, map[string]string{"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost:8080"}, 200},
		{"own page, old browser", search, map[string]string{"Origin": "http://localhost:8080"}, 200},
		{"other site", search, map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}, 403},
		{"other site, old browser", search, map[string]string{"Origin": "https://evil.example"}, 403},
		{"other port", search, map[string]string{"Origin": "http://localhost:3000"}, 403},
		{"deletion", remove, map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		{
			"reading changes nothing, and the browser keeps the reply", read,
			map[string]string{"Sec-Fetch-Site": "cross-site"},
			200,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.req.header = test.header
			if w := do(t, deps(), test.req); w.Code != test.status {
				t.Errorf("status = %d, want %d\n%s", w.Code, test.status, w.Body)
			}
		})
	}
}
