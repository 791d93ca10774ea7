package fresh

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

func TestManifestIsLoadedAsStored(t *testing.T) {
	dir := repotest.Tree(t, map[string]string{".gitignore": "*.o\n", "a/b/c.go": "1", "a/kept.o": "", "d": ""})
	repotest.Run(t, dir, "add", "-f", "a/kept.o")
	tree := open(t, dir)
	m := take(t, tree)
	repotest.Write(t, dir, map[string]string{"new/n": "n", "d": "other"})
	must(t, os.Remove(filepath.Join(dir, "a/b/c.go")))
	want := checked(t, m, tree)
	stored := m.Encode()
	loaded, err := Decode(stored)
	must(t, err)
	if loaded.Commit() != m.Commit() || !loaded.TakenAt().Equal(m.TakenAt()) || loaded.Len() != m.Len() {
		t.Errorf("loaded: %s, %v, %d files", loaded.Commit(), loaded.TakenAt(), loaded.Len())
	}
	if diff := cmp.Diff(maps.Collect(m.Files()), maps.Collect(loaded.Files())); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(stored, loaded.Encode()); diff != "" {
		t.Errorf("stored again (-want +got):\n%s", diff)
	}
	got := checked(t, loaded, tree)
	want.Work = Work{}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("delta (-want +got):\n%s", diff)
	}
}

func TestDamagedManifests(t *testing.T) {
	tree := open(t, repotest.Tree(t, map[string]string{"a/b.go": "1", "c": "2"}))
	good := take(t, tree).Encode()
	for n := range good {
		if _, err := Decode(good[:n]); !errors.Is(err, ErrManifest) || fault.CodeOf(err) != fault.IndexNotReady {
			t.Fatalf("cut at %d: %v", n, err)
		}
		bad := append([]byte{}, good...)
		bad[n] ^= 0x40
		if _, err := Decode(bad); err == nil {
			t.Fatalf("byte %d changed: no error", n)
		}
	}
}

// sealed is a body with the checksum of a good manifest.
func sealed(body []byte) []byte {
	return binary.LittleEndian.AppendUint32(body, crc32.Checksum(body, castagnoli))
}

// TestHostileNames: a manifest comes with the repository, and must not lead out of it.
func TestHostileNames(t *testing.T) {
	for _, name := range []string{"..", ".", "", "a/b", "../x", "/etc", "a\x00b"} {
		for _, as := range []string{"file", "folder", "rule"} {
			s := &state{dirs: []dir{{parent: -1}}}
			switch as {
			case "file":
				s.dirs[0].end, s.files = 1, []file{{name: name}}
			case "folder":
				s.dirs = append(s.dirs, dir{path: name})
			case "rule":
				s.dirs[0].rules = []rule{{name: name}}
			}
			m := &Manifest{}
			m.known.Store(&knowledge{state: s})
			if _, err := Decode(m.Encode()); err == nil {
				t.Errorf("the %s %q was accepted", as, name)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	m := &Manifest{}
	m.known.Store(&knowledge{state: newState(nil, []listedFile{{"a/b", file{inBase: true}}, {"c", file{}}})})
	good := m.Encode()
	f.Add(good[:len(good)-crc32.Size])
	f.Add([]byte(magic + "\x01"))
	f.Fuzz(func(t *testing.T, body []byte) {
		m, err := Decode(sealed(body))
		if err != nil {
			return
		}
		again, err := Decode(m.Encode())
		if err != nil {
			t.Fatalf("stored again: %v", err)
		}
		if !cmp.Equal(again.Encode(), m.Encode()) {
			t.Error("stored twice gives other bytes")
		}
	})
}

// TestPlacesAgree compares the quick looks of this system with those that every
// system has.
func TestPlacesAgree(t *testing.T) {
	dir := repotest.Dir(t)
	repotest.Write(t, dir, map[string]string{"f": "12", "d/e/g": "1"})
	must(t, os.Symlink("d", filepath.Join(dir, "link")))
	tree := open(t, dir)
	var got [2][]string
	for i, open := range []func(*disk.Folder) (place, error){openTree, openRootPlace} {
		root, err := open(tree)
		must(t, err)
		defer root.close()
		note := func(what string, s stat, err error) {
			s.ctime, s.inode = 0, 0
			if s.kind == folder {
				s.size = 0
			}
			got[i] = append(got[i], fmt.Sprintf("%s %+v %v", what, s, err))
		}
		s, err := root.stat()
		note(".", s, err)
		for _, name := range []string{"f", "d", "link", "none"} {
			s, err := root.look(name)
			note(name, s, err)
			inner, err := root.inner(name)
			if err != nil {
				if !absent(err) {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			s, err = inner.stat()
			note(name+"/", s, err)
			found, err := inner.names()
			note(strings.Join(found, " "), stat{}, err)
			inner.close()
		}
	}
	if diff := cmp.Diff(got[0], got[1]); diff != "" {
		t.Errorf("quick, for all systems (-want +got):\n%s", diff)
	}
}
