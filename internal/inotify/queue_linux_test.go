package inotify

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// TestDrainHasWhatReturned: an event is there as soon as the call that made the
// change has returned, whatever the call.
func TestDrainHasWhatReturned(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dir")
	file, inner := filepath.Join(dir, "file"), filepath.Join(dir, "inner")
	must(t, os.Mkdir(dir, 0o700))
	folder, err := os.Open(dir)
	must(t, err)
	defer func() { _ = folder.Close() }()
	q, err := Open()
	if err != nil || !Local(int(folder.Fd())) {
		t.Skipf("SKIPPED: no notifications here: %v", err)
	}
	defer func() { _ = q.Close() }()
	watch, err := q.Watch(int(folder.Fd()))
	must(t, err)
	if again, err := q.Watch(int(folder.Fd())); err != nil || again != watch {
		t.Errorf("the same folder is watch %d and %d, %v", watch, again, err)
	}
	var open *os.File
	for _, c := range []struct {
		name string
		do   func() error
		want Event
	}{
		{"create", func() (err error) { open, err = os.Create(file); return err }, Event{Name: "file"}},
		{"write", func() error { _, err := open.WriteString("x"); return err }, Event{Name: "file"}},
		{"close", func() error { return open.Close() }, Event{Name: "file"}},
		{"mode", func() error { return os.Chmod(file, 0o600) }, Event{Name: "file"}},
		{"truncate", func() error { return os.Truncate(file, 0) }, Event{Name: "file"}},
		{"delete", func() error { return os.Remove(file) }, Event{Name: "file"}},
		{"folder", func() error { return os.Mkdir(inner, 0o700) }, Event{Name: "inner", Folder: true}},
		{"folder's own mode", func() error { return os.Chmod(dir, 0o755) }, Event{Folder: true}},
		{"moved", func() error { return os.Rename(dir, dir+"2") }, Event{Gone: true}},
	} {
		must(t, c.do())
		c.want.Watch = watch
		found := map[Event]bool{}
		must(t, q.Drain(func(e Event) { found[e] = true }))
		if diff := cmp.Diff(map[Event]bool{c.want: true}, found); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	must(t, q.Close())
	if err := q.Drain(func(Event) {}); !errors.Is(err, os.ErrClosed) {
		t.Errorf("drained after it was closed: %v", err)
	}
	if _, err := q.Watch(int(folder.Fd())); !errors.Is(err, os.ErrClosed) {
		t.Errorf("watched after it was closed: %v", err)
	}
}

func TestParse(t *testing.T) {
	event := func(mask uint32, name string) []byte {
		data := make([]byte, unix.SizeofInotifyEvent+len(name))
		binary.NativeEndian.PutUint32(data, 7)
		binary.NativeEndian.PutUint32(data[4:], mask)
		binary.NativeEndian.PutUint32(data[12:], uint32(len(name))) //nolint:gosec // short
		copy(data[unix.SizeofInotifyEvent:], name)
		return data
	}
	for name, c := range map[string]struct {
		data []byte
		want []Event
		lost bool
	}{
		"two": {
			append(event(unix.IN_MODIFY, "a\x00\x00\x00"), event(unix.IN_CREATE|unix.IN_ISDIR, "bc\x00")...),
			[]Event{{Watch: 7, Name: "a"}, {Watch: 7, Name: "bc", Folder: true}},
			false,
		},
		"unmounted": {event(unix.IN_UNMOUNT, ""), []Event{{Watch: 7, Gone: true}}, false},
		"overflow": {
			append(event(unix.IN_MODIFY, "a\x00"), event(unix.IN_Q_OVERFLOW, "")...),
			[]Event{{Watch: 7, Name: "a"}},
			true,
		},
		"nothing":       {nil, nil, true},
		"cut off":       {event(unix.IN_MODIFY, "abc\x00")[:18], nil, true},
		"torn":          {event(unix.IN_MODIFY, "")[:9], nil, true},
		"watch removed": {event(unix.IN_IGNORED, ""), []Event{{Watch: 7, Gone: true}}, false},
	} {
		var got []Event
		err := parse(c.data, func(e Event) { got = append(got, e) })
		if diff := cmp.Diff(c.want, got); diff != "" || errors.Is(err, ErrLost) != c.lost {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

func TestLocal(t *testing.T) {
	proc, err := os.Open("/proc")
	if err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	defer func() { _ = proc.Close() }()
	if Local(int(proc.Fd())) || LocalPaths([]string{"/proc/self/none/at/all"}) {
		t.Error("/proc tells of all changes")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
