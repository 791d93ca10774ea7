package filefetch_test

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
)

// The line that was asked for is what is past the end, not one before it.
func TestPastTheEndWithContext(t *testing.T) {
	f := setUp(t, map[string]string{"a.txt": "one\n"})
	_, err := filefetch.New(f).File(t.Context(),
		filefetch.Request{RepoID: repoID, FilePath: "a.txt", StartLine: new(900), Context: 7})
	if got := fault.MessageOf(err); !strings.Contains(got, "start_line 900 ") {
		t.Errorf("message %q does not name line 900", got)
	}
}

// Whoever pages through a long file reads it a few times, not once a page; and pages are of the file as it is.
func TestPagesOfALongFileShareIt(t *testing.T) {
	const size = 12 << 20
	f := setUp(t, map[string]string{"long.js": strings.Repeat("a,", size/2)})
	name := filepath.Join(string(f), "long.js")
	time.Sleep(2200 * time.Millisecond) // the file is settled then
	s := filefetch.New(f)
	req := filefetch.Request{RepoID: repoID, FilePath: "long.js"}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	pages, read := 0, 0
	for more := true; more; pages++ {
		res, err := s.File(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		read += len(res.Items[0].Code)
		if req.Cursor = res.Meta.NextCursor; req.Cursor == "" {
			break
		}
	}
	runtime.ReadMemStats(&after)
	if pages < 40 || read != size {
		t.Fatalf("%d bytes in %d pages", read, pages)
	}
	// Each page is a string of its own: the file once more.
	if n := (after.TotalAlloc - before.TotalAlloc) / size; runtime.GOOS == "linux" && n > 15 {
		t.Errorf("%d pages took %d times the memory of the file", pages, n)
	}

	req.Cursor = ""
	res, err := s.File(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(strings.Repeat("b,", size/2)), 0o600); err != nil {
		t.Fatal(err)
	}
	req.Cursor = res.Meta.NextCursor
	if _, err := s.File(t.Context(), req); fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("the second page of a file that changed: %v", err)
	}
	req.Cursor = ""
	if res, err = s.File(t.Context(), req); err != nil || !strings.HasPrefix(res.Items[0].Code, "b,") {
		t.Errorf("the first page of a file that changed: %v", err)
	}
}

// However large a number is, lines around it are lines of the file.
func TestContextOfTheLargestLine(t *testing.T) {
	f := setUp(t, map[string]string{"a.txt": "one\ntwo\n"})
	res, err := filefetch.New(f).File(t.Context(),
		filefetch.Request{RepoID: repoID, FilePath: "a.txt", EndLine: new(math.MaxInt), Context: 200})
	if err != nil || res.Items[0].Code != "one\ntwo\n" {
		t.Errorf("%+v, %v", res.Items, err)
	}
}
