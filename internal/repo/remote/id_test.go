package remote

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

func TestIDOfRemote(t *testing.T) {
	for url, want := range map[string]models.RepoID{
		"https://github.com/owner/name":                 "owner/name",
		"https://github.com/owner/name.git":             "owner/name",
		"https://github.com/owner/name.git/":            "owner/name",
		"https://user:token@host:8443/owner/name.git":   "owner/name",
		"https://host/owner/name.git?x=1#y":             "owner/name",
		"https://gitlab.com/group/sub/subsub/name.git":  "group/sub/subsub/name",
		"https://gitlab.com/a/b/c/d/e.git":              "b/c/d/e",
		"https://host/my%20team/name":                   "my-team/name",
		"https://host/-team/--name-":                    "team/name-",
		"git@github.com:owner/name.git":                 "owner/name",
		"github.com:owner/name":                         "owner/name",
		"git@host:~user/name.git":                       "user/name",
		"git@host:/srv/git/name.git":                    "srv/git/name",
		"ssh://git@host:22/owner/name.git":              "owner/name",
		"git://host/name.git":                           "name",
		"file:///srv/git/team/name.git":                 "name",
		"/srv/git/team/name.git":                        "name",
		"../name":                                       "name",
		`C:\git\name.git`:                               "name",
		"C:/git/name":                                   "name",
		"https://host/日本/漢字":                            "repo-eebc6d66/repo-5ad1b7a8",
		"https://host/" + strings.Repeat("x/", 9) + "y": "x/x/x/y",
	} {
		got := idOf(remoteSegments(url)...)
		if strings.HasPrefix(string(want), "repo-") {
			if !got.Valid() || !strings.HasPrefix(string(got), "repo-") {
				t.Errorf("%q: id %q, want one with hashes", url, got)
			}
			continue
		}
		if got != want || !got.Valid() {
			t.Errorf("%q: id %q, want %q", url, got, want)
		}
	}
}

func TestInferID(t *testing.T) {
	repotest.NeedGit(t)
	base := t.TempDir()
	dir := filepath.Join(base, "My Project")
	repotest.Write(t, dir, map[string]string{"sub/a": ""})
	check := func(root string, want models.RepoID) {
		t.Helper()
		if got := inferID(t, root); got != want {
			t.Errorf("InferID(%q) = %q, want %q", root, got, want)
		}
	}
	check(dir, "My-Project")
	repotest.Run(t, dir, "init", "-q")
	check(dir, "My-Project")
	repotest.Run(t, dir, "remote", "add", "origin", "git@example.com:team/tool.git")
	check(dir, "team/tool")
	check(filepath.Join(dir, "sub"), "sub")
	check(filepath.Join(base, "missing"), "missing")
	repotest.Symlink(t, dir, base, "link")
	check(filepath.Join(base, "link"), "team/tool")
	check(filepath.Join(base, "-rf ünï"), "rf-n-")
	repotest.Run(t, dir, "remote", "set-url", "origin", "/srv/mirrors/team+tool/repo")
	check(dir, "My-Project")
}

func FuzzIDs(f *testing.F) {
	for _, s := range []string{
		"https://h/a/b.git", "git@h:a", "..", "/", "", "-x", "a:b:c", "~",
		strings.Repeat("é/", 300),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if segs := remoteSegments(s); len(segs) > 0 {
			if id := idOf(segs...); !id.Valid() {
				t.Errorf("%q: id %q is not valid", s, id)
			}
		}
		if id := idOf(s); !id.Valid() {
			t.Errorf("folder %q: id %q is not valid", s, id)
		}
	})
}

func TestIsURL(t *testing.T) {
	for target, want := range map[string]bool{
		"https://github.com/a/b": true, "http://x/y": true, "ssh://h/x": true, "git@h:a/b": true, "host:path": true,
		"file:///x": true, "/srv/x.git": true, "x.git/": true, "ext::sh -c x": true,
		".": false, "": false, "dir": false, "/abs/dir": false, "../x": false, `C:\x`: false, "a/b:c": false,
		"/x/.git": false, ".git": false,
	} {
		if got := IsURL(target); got != want {
			t.Errorf("IsURL(%q) = %v, want %v", target, got, want)
		}
	}
}

func TestRedactURL(t *testing.T) {
	for url, want := range map[string]string{
		"https://user:pw@host/x":      "https://host/x",
		"https://token@host/x":        "https://host/x",
		"https://u:p@ss@host/x":       "https://host/x",
		"https://host/x@y":            "https://host/x@y",
		"ssh://git@host/x":            "ssh://git@host/x",
		"ssh://git:pw@host/x":         "ssh://git@host/x",
		"git@host:x":                  "git@host:x",
		"/local/path@x.git":           "/local/path@x.git",
		"https://host/x":              "https://host/x",
		"https://x-token:abc@host/a@": "https://host/a@",
	} {
		if got := RedactURL(url); got != want {
			t.Errorf("RedactURL(%q) = %q, want %q", url, got, want)
		}
	}
}

// inferID is InferID without an error.
func inferID(t testing.TB, root string) models.RepoID {
	t.Helper()
	id, err := InferID(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	return id
}
