package embedded_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/store/embedded"
	"github.com/ragnav/ragnav/internal/store/embedded/backup"
)

// backedUp is a backup of a store that is open, with a batch in it.
func backedUp(t *testing.T) (dir, file string) {
	t.Helper()
	dir, file = t.TempDir(), filepath.Join(t.TempDir(), "b.tar.gz")
	s := open(t, dir)
	must(t, s.Apply(t.Context(), whole("o/a")))
	_, err := backup.Write(t.Context(), dir, file)
	must(t, err)
	return dir, file
}

// restored is a new data directory of a backup.
func restored(t *testing.T, file string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "new", "data")
	_, err := backup.Restore(t.Context(), file, dir)
	must(t, err)
	found, err := backup.Verify(t.Context(), dir, dims)
	if err != nil || len(found.Damages) > 0 {
		t.Fatal(found.Damages, err)
	}
	return dir
}

// A backup that is taken while batches are applied has all of some of them: those
// that were acknowledged before, and none that was begun after.
func TestBackupWhileWriting(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	must(t, s.Apply(t.Context(), batch(1)))
	var acknowledged atomic.Int64
	acknowledged.Store(1)
	var stop atomic.Bool
	writer := parallel.Start(func() error {
		for n := 2; !stop.Load(); n++ {
			if err := s.Apply(t.Context(), batch(n)); err != nil {
				return err
			}
			acknowledged.Store(int64(n))
		}
		return nil
	})
	for i := range 3 {
		file := filepath.Join(t.TempDir(), "b.tar.gz")
		before := int(acknowledged.Load())
		_, err := backup.Write(t.Context(), dir, file)
		after := int(acknowledged.Load())
		must(t, err)
		r := open(t, restored(t, file))
		done := checkBatch(t, r, before, after+1)
		t.Logf("backup %d: %d batches", i, done)
		must(t, r.Apply(t.Context(), batch(done+1)))
		checkBatch(t, r, done+1, done+1)
	}
	stop.Store(true)
	must(t, <-writer)
}

// A backup from the middle of a publication has what is needed to end it.
func TestBackupWhilePublishing(t *testing.T) {
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "b.tar.gz")
	s := open(t, dir)
	first(t, s)
	appendAll(t, s, generation(2))
	var failed error
	must(t, s.PublishDraft(t.Context(), drafted, func(done, total int) {
		if done == 1 && total > 1 {
			_, failed = backup.Write(t.Context(), dir, file)
		}
	}))
	must(t, failed)
	into := restored(t, file)
	if _, err := embedded.Open(t.Context(), into, embedded.Options{Dims: dims, ReadOnly: true}); !errors.Is(err,
		embedded.ErrUnfinished) {
		t.Errorf("opened to be read: %v, want ErrUnfinished: the backup is not of the middle", err)
	}
	if n, err := seen(t.Context(), open(t, into)); n != 2 || err != nil {
		t.Errorf("generation %d, %v; want 2", n, err)
	}
}

// A backup that is cut off or changed is refused, and leaves nothing behind; or
// the change was to bits that say nothing, and all is as it was.
func TestRestoreDamaged(t *testing.T) {
	_, file := backedUp(t)
	data, err := os.ReadFile(file)
	must(t, err)
	want := contents(t, restored(t, file))
	random, refused := rand.New(rand.NewPCG(rand.Uint64(), 1)), 0
	for i := range 60 {
		damaged := bytes.Clone(data)
		if at := random.IntN(len(data)); i%3 == 0 {
			damaged = damaged[:at]
		} else {
			damaged[at] ^= 1 << random.IntN(8)
		}
		into, broken := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "b.tar.gz")
		must(t, os.WriteFile(broken, damaged, 0o600))
		_, err := backup.Restore(t.Context(), broken, into)
		if err == nil {
			if diff := cmp.Diff(want, contents(t, into)); diff != "" {
				t.Errorf("restored something else (-want +got):\n%s", diff)
			}
			continue
		}
		refused++
		wantFault(t, err, fault.InvalidRequest, "not a whole backup")
		if left, _ := os.ReadDir(filepath.Dir(into)); len(left) > 0 {
			t.Errorf("a refused backup left %v", left)
		}
	}
	if refused < 50 {
		t.Errorf("only %d of 60 were refused", refused)
	}
}

// Nothing is taken from an archive that Backup can't have written.
func TestRestoreForeign(t *testing.T) {
	for name, h := range map[string]tar.Header{
		"outside":   {Typeflag: tar.TypeReg, Name: "text/../../x.zap"},
		"absolute":  {Typeflag: tar.TypeReg, Name: "/text/1.zap"},
		"backslash": {Typeflag: tar.TypeReg, Name: `text/..\..\1.zap`},
		"unknown":   {Typeflag: tar.TypeReg, Name: "token"},
		"link":      {Typeflag: tar.TypeSymlink, Name: "format.json", Linkname: "/etc/passwd"},
	} {
		var b bytes.Buffer
		zipped := gzip.NewWriter(&b)
		out := tar.NewWriter(zipped)
		must(t, out.WriteHeader(&h))
		must(t, errors.Join(out.Close(), zipped.Close()))
		dir := t.TempDir()
		file := filepath.Join(dir, "b.tar.gz")
		must(t, os.WriteFile(file, b.Bytes(), 0o600))
		_, err := backup.Restore(t.Context(), file, filepath.Join(dir, "data"))
		t.Log(name)
		wantFault(t, err, fault.InvalidRequest, "which no backup has")
		if left, _ := os.ReadDir(dir); len(left) != 1 {
			t.Errorf("%s left %v", name, left)
		}
	}
}

// What is there stays as it is.
func TestBackupRefuses(t *testing.T) {
	dir, file := backedUp(t)
	into := filepath.Join(t.TempDir(), "new.tar.gz")
	_, err := backup.Write(t.Context(), dir, file)
	wantFault(t, err, fault.Conflict, "is there already")
	_, err = backup.Write(t.Context(), t.TempDir(), into)
	wantFault(t, err, fault.IndexNotReady, "nothing to back up")
	_, err = backup.Restore(t.Context(), file, dir)
	wantFault(t, err, fault.Conflict, "is open in process")
	other := restored(t, file)
	_, err = backup.Restore(t.Context(), file, other)
	wantFault(t, err, fault.Conflict, "is not empty")
	_, err = backup.Restore(t.Context(), into, filepath.Join(t.TempDir(), "data"))
	wantFault(t, err, fault.PathNotFound, "there is no file")
	for _, part := range []string{"format.json", "registrations.json", "text/root.bolt", "text/*.zap", "rows/*.log"} {
		damaged := restored(t, file)
		files, err := filepath.Glob(filepath.Join(damaged, part))
		must(t, err)
		must(t, os.Truncate(files[0], 12))
		_, err = backup.Write(t.Context(), damaged, into)
		wantFault(t, err, fault.IndexNotReady, "ragnav doctor --repair")
	}
	if runtime.GOOS != "windows" { // where TMPDIR means nothing
		t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
		_, err = backup.Write(t.Context(), other, into)
		wantFault(t, err, fault.RAGUnavailable, "by TMPDIR")
	}
	if left, _ := os.ReadDir(filepath.Dir(into)); len(left) > 0 {
		t.Errorf("refused backups left %v", left)
	}
}

// What of a directory of another format belongs to its index, only its own program
// knows.
func TestBackupOfAnotherFormat(t *testing.T) {
	dir := t.TempDir()
	must(t, open(t, dir).Close())
	must(t, os.WriteFile(filepath.Join(dir, "format.json"), []byte(`{"version":99,"dims":8}`), 0o600))
	file := filepath.Join(t.TempDir(), "b.tar.gz")
	_, err := backup.Write(t.Context(), dir, file)
	wantFault(t, err, fault.RAGUnavailable, "has format 99")
	if _, err := os.Stat(file); err == nil {
		t.Error("there is a backup")
	}
}
