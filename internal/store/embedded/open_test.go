package embedded_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
)

func TestReopen(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	must(t, s.Apply(t.Context(), batch(1)))
	must(t, s.Apply(t.Context(), batch(2)))
	must(t, s.Apply(t.Context(), store.Batch{Delete: wantIDs(batch(1).Put[:1])}))
	before := everything(t, s)
	must(t, s.Close())
	if diff := cmp.Diff(before, everything(t, open(t, dir))); diff != "" {
		t.Errorf("after reopening (-before +after):\n%s", diff)
	}
}

// What killed processes left of files that they replaced goes with the next Open.
func TestTempsGo(t *testing.T) {
	dir := t.TempDir()
	must(t, open(t, dir).Close())
	for _, name := range []string{"owner.json.123", "seals.json.4", "registrations.json.5"} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte("{"), 0o600))
	}
	kept := filepath.Join(dir, "my.json.backup")
	must(t, os.WriteFile(kept, nil, 0o600))
	must(t, open(t, dir).Close())
	left, err := filepath.Glob(filepath.Join(dir, "*.json.*"))
	if must(t, err); !slices.Equal(left, []string{kept}) {
		t.Errorf("left are %v", left)
	}
}

func TestClose(t *testing.T) {
	s := open(t, t.TempDir())
	must(t, s.Close())
	must(t, s.Close())
	_, err := s.Search(t.Context(), fts.Request{Query: fts.MatchAll{}, Size: 1})
	wantFault(t, err, fault.RAGUnavailable, "closed")
	wantFault(t, s.Apply(t.Context(), batch(1)), fault.RAGUnavailable, "closed")
}

func TestSecondOpen(t *testing.T) {
	dir := t.TempDir()
	if _, held, err := disk.LockInfo(dir); held || err != nil {
		t.Errorf("LockInfo of an unused directory = %v, %v; want false", held, err)
	}
	s := open(t, dir)
	pid := strconv.Itoa(os.Getpid())
	_, err := embedded.Open(t.Context(), dir, embedded.Options{Dims: dims})
	wantFault(t, err, fault.Conflict, pid)

	must(t, s.Announce("127.0.0.1:8080"))
	_, err = embedded.Open(t.Context(), dir, embedded.Options{Dims: dims})
	wantFault(t, err, fault.Conflict, "http://127.0.0.1:8080")
	owner, held, err := disk.LockInfo(dir)
	if err != nil || !held || owner.PID != os.Getpid() || owner.Address != "127.0.0.1:8080" {
		t.Errorf("LockInfo = %+v, %v, %v", owner, held, err)
	}
	must(t, s.Close())
	if _, held, err := disk.LockInfo(dir); held || err != nil {
		t.Errorf("LockInfo after Close = %v, %v; want false", held, err)
	}
	open(t, dir)
}

func TestOpenRefuses(t *testing.T) {
	tests := []struct {
		name, file, content string
		code                fault.Code
		want                string
	}{
		{"a newer format", "format.json", `{"version":99,"dims":8}`, fault.RAGUnavailable, "newer program"},
		{"an older format", "format.json", `{"version":1,"dims":8}`, fault.RAGUnavailable, "doctor --repair"},
		{"other dimensions", "format.json", `{"version":3,"dims":7}`, fault.RAGUnavailable, "7 components"},
		{"a lost commit", "text/root.bolt", "", fault.IndexNotReady, "doctor --repair"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, dir)
			must(t, s.Apply(t.Context(), batch(1)))
			must(t, s.Close())
			must(t, os.WriteFile(filepath.Join(dir, tt.file), []byte(tt.content), 0o600))
			for range 2 { // the lock must be free again
				_, err := embedded.Open(t.Context(), dir, embedded.Options{Dims: dims})
				wantFault(t, err, tt.code, tt.want)
			}
		})
	}
}

// What format.json says is also in the files: without one that can be read, an index is
// opened as it is, and only with the number of components that it has.
func TestOpenWithoutFormat(t *testing.T) {
	for name, content := range map[string]string{
		"empty": "", "cut off": `{"vers`, "zeros": "\x00\x00\x00", "other dimensions": `{"version":5,"dims":9,"sum":"5/8"}`,
		"no version": `{}`, "missing": "",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, dir)
			must(t, s.Apply(t.Context(), whole("a/one")))
			want := answers(t, s, "a/one")
			must(t, s.Close())
			file := filepath.Join(dir, "format.json")
			newest := read(t, file)
			must(t, os.WriteFile(file, []byte(content), 0o600))
			if name == "missing" {
				must(t, os.Remove(file))
			}

			_, err := embedded.Open(t.Context(), dir, embedded.Options{Dims: dims + 1, ReadOnly: true})
			wantFault(t, err, fault.RAGUnavailable, "have 8 components, not 9")
			for _, readOnly := range []bool{true, false} {
				s, err = embedded.Open(t.Context(), dir, embedded.Options{Dims: dims, ReadOnly: readOnly})
				must(t, err)
				equal(t, "what it holds", want, answers(t, s, "a/one"))
				must(t, s.Close())
			}
			if got := read(t, file); string(got) != string(newest) {
				t.Errorf("format.json is %q, want %q", got, newest)
			}
		})
	}
}

// An index of a format before is read, and is of the newest once it is written to.
func TestOpenTheFormatBefore(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	must(t, s.Apply(t.Context(), whole("a/one")))
	want := answers(t, s, "a/one")
	must(t, s.Close())
	file := filepath.Join(dir, "format.json")
	newest := string(read(t, file))
	for i := range 4 {
		older, readOnly := `{"version":4,"dims":8,"sum":"4/8"}`, i%2 == 0
		if i > 1 {
			older = `{"version":3,"dims":8}`
		}
		must(t, os.WriteFile(file, []byte(older), 0o600))
		s, err := embedded.Open(t.Context(), dir, embedded.Options{Dims: dims, ReadOnly: readOnly})
		must(t, err)
		equal(t, "what it holds", want, answers(t, s, "a/one"))
		must(t, s.Close())
		if got := string(read(t, file)); (got == newest) == readOnly {
			t.Errorf("%s opened, read only %v: %s is %s", older, readOnly, file, got)
		}
	}
}

// What an older program wrote is put aside, and its repositories are known.
func TestRepairOfAnOlderFormat(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	must(t, s.Apply(t.Context(), whole("a/one")))
	want := answers(t, s, "a/one")
	must(t, s.Close())
	must(t, os.WriteFile(filepath.Join(dir, "format.json"), []byte(`{"version":1,"dims":8}`), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "rows", "vectors-0.log"), []byte("of a layout that nobody knows"), 0o600))

	s, err := embedded.Open(t.Context(), dir, embedded.Options{Dims: dims, Repair: true})
	must(t, err)
	if lost := s.Lost(); len(lost) != 1 || lost[0].Root != "/src/a/one" {
		t.Errorf("to be indexed again are %+v", lost)
	}
	must(t, again(t, s, "a/one"))
	must(t, s.Close())
	s = open(t, dir)
	equal(t, "indexed again", want, answers(t, s, "a/one"))
	if aside, _ := filepath.Glob(filepath.Join(dir, "quarantine", "*")); len(aside) < 2 {
		t.Errorf("in quarantine are %q, want text and rows", aside)
	}
}

func TestTornRowLog(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	must(t, s.Apply(t.Context(), batch(1)))
	before := everything(t, s)
	must(t, s.Close())
	log, err := os.OpenFile(filepath.Join(dir, "rows", "vectors-0.log"), os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	_, err = log.WriteString(strings.Repeat("RVB1 half a block", 100))
	must(t, err)
	must(t, log.Close())

	s = open(t, dir)
	if diff := cmp.Diff(before, everything(t, s)); diff != "" {
		t.Errorf("after reopening (-before +after):\n%s", diff)
	}
	must(t, s.Apply(t.Context(), batch(2)))
	checkBatch(t, s, 1, 2)
}

func wantFault(t *testing.T, err error, code fault.Code, message string) {
	t.Helper()
	if fault.CodeOf(err) != code || !strings.Contains(fault.MessageOf(err), message) {
		t.Errorf("error %v (%s), want %s with %q", err, fault.CodeOf(err), code, message)
	}
}

func wantIDs(docs []models.Document) []models.DocumentID {
	var ids []models.DocumentID
	for _, d := range docs {
		ids = append(ids, d.ID)
	}
	return ids
}
