package disk

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

func TestRead(t *testing.T) {
	tree := open(t, repotest.Fortress(t))
	for name, tc := range map[string]struct {
		path  string
		limit int64
		want  string
	}{
		"a file":                   {"a.txt", 100, "inside"},
		"in a folder":              {"./d/b.txt", 100, "deep"},
		"exactly the limit":        {"a.txt", 6, "inside"},
		"one byte over the limit":  {"a.txt", 5, "inside"},
		"cut":                      {"a.txt", 2, "ins"},
		"symlink inside":           {"in", 100, "inside"},
		"through a folder symlink": {"in-folder/b.txt", 100, "deep"},
		"symlink upwards":          {"d/up", 100, "inside"},
		"symlink around":           {"d/around", 100, "deep"},
	} {
		t.Run(name, func(t *testing.T) {
			data, stat, err := tree.Read(t.Context(), tc.path, tc.limit)
			if string(data) != tc.want || err != nil {
				t.Fatalf("Read = %q, %v; want %q", data, err, tc.want)
			}
			if stat.ModTime == 0 || stat.Size < int64(len(tc.want)) {
				t.Errorf("stat %+v", stat)
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	tree := open(t, repotest.Fortress(t))
	for p, want := range map[string]fault.Code{
		"":                   fault.InvalidPath,
		".":                  fault.InvalidPath,
		"d":                  fault.InvalidPath,
		"in-folder":          fault.InvalidPath,
		"out":                fault.InvalidPath,
		"out-folder/secret":  fault.InvalidPath,
		"out-abs":            fault.InvalidPath,
		"in-abs":             fault.InvalidPath,
		"hop":                fault.InvalidPath,
		"etc/passwd":         fault.InvalidPath,
		"top/outside/secret": fault.InvalidPath,
		"back":               fault.InvalidPath,
		"to-git":             fault.InvalidPath,
		"git-folder/config":  fault.InvalidPath,
		"d/git":              fault.InvalidPath,
		"loop":               fault.InvalidPath,
		"dangling":           fault.PathNotFound,
		"none":               fault.PathNotFound,
		"a.txt/x":            fault.PathNotFound,
		"none/x":             fault.PathNotFound,
	} {
		data, _, err := tree.Read(t.Context(), p, 100)
		if fault.CodeOf(err) != want || data != nil {
			t.Errorf("Read(%q) = %q, %v; want %s", p, data, err, want)
		}
	}
	for p := range repotest.Escapes {
		if data, _, err := tree.Read(t.Context(), p, 100); fault.CodeOf(err) != fault.InvalidPath {
			t.Errorf("Read(%.40q) = %q, %v; want InvalidPath", p, data, err)
		}
		if _, err := tree.ReadDir(t.Context(), p); fault.CodeOf(err) != fault.InvalidPath {
			t.Errorf("ReadDir(%.40q) = %v; want InvalidPath", p, err)
		}
	}
}

func TestReadCancelled(t *testing.T) {
	tree := open(t, repotest.Fortress(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := tree.Read(ctx, "a.txt", 10); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

func TestReadGrowingFile(t *testing.T) {
	for _, memory := range [][]byte{nil, make([]byte, 7), make([]byte, 5000)} {
		data, err := readUpTo(strings.NewReader(strings.Repeat("x", 1000)), memory, 10, 100)
		if len(data) != 101 || err != nil {
			t.Errorf("%d bytes, %v; want 101", len(data), err)
		}
	}
}

func TestReadDir(t *testing.T) {
	tree := open(t, repotest.Fortress(t))
	for p, want := range map[string][]string{
		"":          {"a.txt", "d/", "in", "in-folder/"},
		"d":         {"around", "b.txt", "up"},
		"in-folder": {"around", "b.txt", "up"},
	} {
		entries, err := tree.ReadDir(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range entries {
			name := e.Name
			if e.IsDir {
				name += "/"
			}
			got = append(got, name)
			if e.Path != strings.TrimPrefix(p+"/"+e.Name, "/") {
				t.Errorf("path %q of %q in %q", e.Path, e.Name, p)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("ReadDir(%q) (-want +got):\n%s", p, diff)
		}
	}
	for p, want := range map[string]fault.Code{
		"a.txt": fault.InvalidPath, "out-folder": fault.InvalidPath, "none": fault.PathNotFound,
		"git-folder": fault.InvalidPath,
	} {
		if _, err := tree.ReadDir(t.Context(), p); fault.CodeOf(err) != want {
			t.Errorf("ReadDir(%q) = %v; want %s", p, err, want)
		}
	}
}

// FuzzRead: no path reads anything but the two files of the repository.
func FuzzRead(f *testing.F) {
	for p := range repotest.Escapes {
		f.Add(p)
	}
	for _, p := range []string{"a.txt", "in", "hop", "top/outside/secret", "in-folder/../a.txt", "d/git", "back"} {
		f.Add(p)
	}
	tree := open(f, repotest.Fortress(f))
	f.Fuzz(func(t *testing.T, p string) {
		data, _, err := tree.Read(t.Context(), p, 100)
		if err == nil && string(data) != "inside" && string(data) != "deep" {
			t.Errorf("Read(%q) = %q", p, data)
		}
		if err != nil && fault.CodeOf(err) != fault.InvalidPath && fault.CodeOf(err) != fault.PathNotFound {
			t.Errorf("Read(%q): %v", p, err)
		}
		entries, err := tree.ReadDir(t.Context(), p)
		for _, e := range entries {
			if err == nil && (e.Name == "secret" || e.Name == "config" || e.Name == ".git") {
				t.Errorf("ReadDir(%q) has %q", p, e.Name)
			}
		}
	})
}

func TestGitFileOfAWorktreeIsNotServed(t *testing.T) {
	dir := t.TempDir()
	repotest.Write(t, dir, map[string]string{".git": "gitdir: elsewhere", "a": ""})
	if _, _, err := open(t, dir).Read(t.Context(), ".git", 100); fault.CodeOf(err) != fault.InvalidPath {
		t.Errorf("error %v, want InvalidPath", err)
	}
}
