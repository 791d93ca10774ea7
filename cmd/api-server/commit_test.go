package main

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// Lines of a commit stay what they were when the file changes; a client that
// keeps them learns that they are no longer those of the file.
func TestFileOfCommit(t *testing.T) {
	repotest.NeedGit(t)
	root := filepath.Join(t.TempDir(), "old")
	repotest.Write(t, root, map[string]string{"a.go": "package a\n\nfunc A() {}\n"})
	repotest.Run(t, root, "init", "-q")
	repotest.Run(t, root, "add", "-A")
	repotest.Run(t, root, "commit", "-qm", "one")
	commit := repotest.Run(t, root, "rev-parse", "HEAD")
	p := start(t, filepath.Join(t.TempDir(), "data"), root)
	p.indexed("old")

	path := "/api/rag/file?repo_id=old&file_path=a.go&start_line=3&commit=" + commit[:7]
	tag := ""
	kept := func() int {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("If-None-Match", tag)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = resp.Body.Close() }()
		tag = resp.Header.Get("ETag")
		return resp.StatusCode
	}
	if first, again := kept(), kept(); first != http.StatusOK || again != http.StatusNotModified {
		t.Errorf("status %d, then %d with its tag", first, again)
	}
	repotest.Write(t, root, map[string]string{"a.go": "package a\n\n// New.\nfunc A() {}\n"})
	if status := kept(); status != http.StatusOK {
		t.Errorf("status %d once the file has changed", status)
	}
	_, reply := p.call(http.MethodGet, path, "", "")
	if got := string(reply.Items[0]); reply.Meta.FreshnessState != models.Stale || len(reply.Meta.StaleFiles) != 1 ||
		!strings.Contains(got, `"code":"func A() {}\n"`) || !strings.Contains(got, `"commit":"`+commit+`"`) {
		t.Errorf("%+v, %s", reply.Meta, got)
	}
}
