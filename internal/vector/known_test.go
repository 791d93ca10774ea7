package vector

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// knownLog is a log of which it was saved what is known.
func knownLog(t *testing.T) (dir string, at Mark) {
	t.Helper()
	dir = t.TempDir()
	l := open(t, dir, 2, Mark{})
	var rows []Row
	for i := range knownFrom {
		r := Row{ID: fmt.Sprint("id", i), Meta: []byte{byte(i), 1}}
		if i%3 > 0 {
			r.Vector = []float32{1, float32(i)}
		}
		rows = append(rows, r)
	}
	write(t, l, rows...)
	at = write(t, l, Row{ID: "id7", Meta: []byte("again"), Vector: []float32{0, 1}}, Row{ID: "id8", Deleted: true})
	if _, err := l.SaveKnown(func() ([]byte, error) { return []byte("of the owner"), nil }); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, at
}

func openWhole(t *testing.T, dir string, at Mark) *Log {
	t.Helper()
	l, err := Open(dir, 2, at, Options{Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// same compares all that two logs say of their rows.
func same(t *testing.T, got, want *Log) {
	t.Helper()
	if diff := cmp.Diff(logContents(want), logContents(got)); diff != "" {
		t.Errorf("(-want +got):\n%.2000s", diff)
	}
	a, b := got.Snapshot(), want.Snapshot()
	defer a.Release()
	defer b.Release()
	if diff := cmp.Diff(b.coded, a.coded); diff != "" || a.Len() != b.Len() {
		t.Errorf("rows with vectors (-want +got):\n%.2000s", diff)
	}
	for i := range knownFrom + 10 {
		id := fmt.Sprint("id", i)
		gotRow, gotOK := a.Lookup(id)
		wantRow, wantOK := b.Lookup(id)
		if gotOK != wantOK || gotOK && gotRow != wantRow {
			t.Fatalf("%s is in row %d, %t, not %d, %t", id, gotRow, gotOK, wantRow, wantOK)
		}
	}
}

// A log of which something is known is the same as one that is read, and goes on
// alike.
func TestKnown(t *testing.T) {
	dir, at := knownLog(t)
	copied := t.TempDir()
	if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(copied, KnownName)); err != nil {
		t.Fatal(err)
	}
	known, read := openWhole(t, dir, at), openWhole(t, copied, at)
	if mark, own := known.Owned(); mark != at || string(own) != "of the owner" {
		t.Fatalf("%v, %q", mark, own)
	}
	if _, own := read.Owned(); own != nil {
		t.Fatalf("%q", own)
	}
	same(t, known, read)
	for _, l := range []*Log{known, read} {
		var more []Row
		for i := range knownFrom { // the table has to grow
			more = append(more, Row{ID: fmt.Sprint("more", i), Meta: []byte{1}})
		}
		at = write(t, l, append(more, Row{ID: "id8", Meta: []byte("new")}, Row{ID: "id7", Meta: []byte("third")},
			Row{ID: "id9", Deleted: true})...)
	}
	same(t, known, read)
	if err := known.Close(); err != nil { // not saved again
		t.Fatal(err)
	}
	known = openWhole(t, dir, at)
	if mark, _ := known.Owned(); mark.Offset == 0 || mark == at {
		t.Fatalf("known up to %v of %v", mark, at)
	}
	same(t, known, read)
}

// What is damaged, or of other rows, is not used.
func TestKnownOfOthers(t *testing.T) {
	dir, at := knownLog(t)
	file := filepath.Join(dir, KnownName)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	unused := func(t *testing.T, at Mark) {
		t.Helper()
		if _, own := openWhole(t, dir, at).Owned(); own != nil {
			t.Error("it is used")
		}
	}
	for name, data := range map[string][]byte{
		"empty": {}, "cut": whole[:len(whole)-1], "header only": whole[:headerSize],
		"flipped": append([]byte(nil), whole[:len(whole)/2]...),
	} {
		t.Run(name, func(t *testing.T) {
			if name == "flipped" {
				data = append(data, whole[len(whole)/2:]...)
				data[len(data)/2] ^= 1
			}
			if err := os.WriteFile(file, data, 0o600); err != nil {
				t.Fatal(err)
			}
			unused(t, at)
		})
	}
	if err := os.WriteFile(file, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Run("beyond the commit", func(t *testing.T) {
		other := t.TempDir()
		if err := os.CopyFS(other, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		dir = other
		unused(t, Mark{Offset: headerSize})
	})
	t.Run("other rows", func(t *testing.T) {
		other := t.TempDir()
		l := open(t, other, 2, Mark{})
		at := write(t, l, Row{ID: "x", Meta: []byte("y")})
		for at.Offset < 1<<20 {
			at = write(t, l, Row{ID: fmt.Sprint(at.Offset), Meta: make([]byte, 1<<18)})
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(other, KnownName), whole, 0o600); err != nil {
			t.Fatal(err)
		}
		dir = other
		unused(t, at)
	})
}
