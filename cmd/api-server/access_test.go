package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/access"
	"github.com/ragnav/ragnav/internal/fault"
)

const apiToken = "correct-horse-battery"

// Over the network a server wants its token, and indexes what its operator
// allows; who can read its data directory may do all.
func TestAccess(t *testing.T) {
	allowed, other := t.TempDir(), t.TempDir()
	write := func(dir, name string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(path, "a.go"), []byte("package a\n\nfunc Frame() {}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	inside, outside := write(allowed, "inside"), write(other, "outside")
	if err := os.Symlink(outside, filepath.Join(allowed, "link")); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(config, []byte("RAGNAV_API_TOKEN="+apiToken+"\nRAGNAV_INDEX_ROOTS="+allowed+"\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	p := start(t, filepath.Join(t.TempDir(), "data"), "--addr", "0.0.0.0:0", "--config", config)
	own := access.ReadToken(p.store)
	if info, err := os.Stat(filepath.Join(p.store, "api-token")); err != nil || info.Mode().Perm() != 0o600 || own == "" {
		t.Fatalf("the own token %q, %v, %v", own, info, err)
	}
	index := func(target string) string { return fmt.Sprintf(`{"targets":[%q],"dry_run":true}`, target) }
	for _, c := range []struct {
		name, path, body, auth, host string
		want                         int
	}{
		{"health without", "/healthz", "", "", "", 200},
		{"repos without", "/api/rag/repos", "", "", "", 401},
		{"page without", "/", "", "", "", 401},
		{"agents without", "/mcp", `{}`, "", "", 401},
		{"a wrong one", "/api/rag/repos", "", "Bearer correct-horse-battery!", "", 401},
		{"none in words", "/api/rag/repos", "", "Bearer", "", 401},
		{"the token", "/api/rag/repos", "", "Bearer " + apiToken, "", 200},
		{"of a browser", "/", "", "Basic OmNvcnJlY3QtaG9yc2UtYmF0dGVyeQ==", "", 200},
		{"another host", "/api/rag/repos", "", "Bearer " + apiToken, "evil.example", 403},
		{"a folder of the machine", "/api/index", index("/etc"), "Bearer " + apiToken, "", 403},
		{"a folder that is none", "/api/index", index("/no/such"), "Bearer " + apiToken, "", 403},
		{"a file URL", "/api/index", index("file://" + outside), "Bearer " + apiToken, "", 403},
		{"a link out of the roots", "/api/index", index(filepath.Join(allowed, "link")), "Bearer " + apiToken, "", 403},
		{
			"dots out of the roots", "/api/index", index(allowed + "/../" + filepath.Base(other) + "/outside"),
			"Bearer " + apiToken, "", 403,
		},
		{"a folder below the roots", "/api/index", index(inside), "Bearer " + apiToken, "", 200},
		{"any folder of the owner's", "/api/index", index(outside), "Bearer " + own, "", 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			method := http.MethodGet
			if c.body != "" {
				method = http.MethodPost
			}
			req, err := http.NewRequestWithContext(t.Context(), method, p.url+c.path, strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Authorization", c.auth)
			if c.body != "" {
				req.Header.Set("Content-Type", "application/json")
			} else {
				req.Body = nil
			}
			req.Host = c.host
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = resp.Body.Close() }()
			text, _ := io.ReadAll(resp.Body)
			if resp.StatusCode != c.want {
				t.Errorf("status %d, want %d: %s", resp.StatusCode, c.want, text)
			}
			if (resp.StatusCode == 401) != (len(resp.Header.Values("Www-Authenticate")) == 2) {
				t.Errorf("WWW-Authenticate: %q", resp.Header.Values("Www-Authenticate"))
			}
			if strings.Contains(string(text), apiToken) {
				t.Errorf("the reply has the token: %s", text)
			}
		})
	}
}

// A server that others reach does not start without a word about who may ask.
func TestNetworkWantsAWord(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0", "some.host:0"} {
		err := run(t.Context(), []string{"--addr", addr, "--store", "embedded:" + t.TempDir()}, noEnv, io.Discard, io.Discard)
		if fault.CodeOf(err) != fault.InvalidRequest || !strings.Contains(told(err), "RAGNAV_API_TOKEN") ||
			!strings.Contains(told(err), "--insecure") {
			t.Errorf("%s: %v", addr, err)
		}
	}
	p := start(t, filepath.Join(t.TempDir(), "data"), "--addr", "0.0.0.0:0", "--insecure")
	if status, _ := p.call(http.MethodGet, "/api/rag/repos", "", ""); status != http.StatusOK {
		t.Errorf("insecure: status %d", status)
	}
	if status, _ := p.post("/api/index", `{"targets":["/etc"]}`); status != http.StatusForbidden {
		t.Errorf("insecure, a folder: status %d", status)
	}
}
