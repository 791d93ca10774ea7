package fault_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
)

// The table is the public contract; a change here is a change for clients.
func TestTable(t *testing.T) {
	want := map[fault.Code][2]int{
		"INVALID_REQUEST":        {400, 2},
		"INVALID_PATH":           {400, 2},
		"UNAUTHENTICATED":        {401, 4},
		"FORBIDDEN":              {403, 4},
		"REPO_NOT_FOUND":         {404, 3},
		"PATH_NOT_FOUND":         {404, 3},
		"SYMBOL_NOT_FOUND":       {404, 3},
		"JOB_NOT_FOUND":          {404, 3},
		"METHOD_NOT_ALLOWED":     {405, 2},
		"NOT_ACCEPTABLE":         {406, 2},
		"INDEX_NOT_READY":        {409, 5},
		"CONFLICT":               {409, 5},
		"BODY_TOO_LARGE":         {413, 2},
		"UNSUPPORTED_MEDIA_TYPE": {415, 2},
		"LINE_OUT_OF_RANGE":      {416, 2},
		"BINARY_FILE":            {422, 2},
		"RATE_LIMITED":           {429, 6},
		"OVERLOADED":             {503, 6},
		"RAG_UNAVAILABLE":        {503, 6},
		"EMBEDDER_UNAVAILABLE":   {503, 6},
		"LLM_UNAVAILABLE":        {503, 6},
		"TIMEOUT":                {504, 6},
		"INTERNAL":               {500, 1},
		"CANCELED":               {499, 1},
	}
	got := map[fault.Code][2]int{}
	for _, code := range fault.Codes() {
		row := code.Row()
		got[code] = [2]int{row.HTTP, row.Exit}
		if row.Text == "" {
			t.Errorf("%s has no text", code)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("HTTP status and exit code (-want +got):\n%s", diff)
	}
}

func TestUnknownCodeIsInternal(t *testing.T) {
	if got := fault.Code("NO_SUCH").Row().HTTP; got != http.StatusInternalServerError {
		t.Errorf("status = %d, want 500", got)
	}
	if slices.Contains(fault.Codes(), "NO_SUCH") {
		t.Error("looking at a code adds it to the table")
	}
}

func TestCodeAndMessage(t *testing.T) {
	cause := errors.New("dial tcp: refused")
	for _, test := range []struct {
		name    string
		err     error
		code    fault.Code
		message string
	}{
		{"classified", fault.New(fault.RepoNotFound, "no repository %q", "a"), fault.RepoNotFound, `no repository "a"`},
		{
			"cause stays inside", fault.Wrap(fault.RAGUnavailable, cause, "the store is away"), fault.RAGUnavailable,
			"the store is away",
		},
		{"wrapped", fmt.Errorf("search: %w", fault.New(fault.Conflict, "busy")), fault.Conflict, "busy"},
		{
			"the outermost counts", fault.Wrap(fault.IndexNotReady, fault.New(fault.RepoNotFound, "inner"), "outer"),
			fault.IndexNotReady, "outer",
		},
		{"own words missing", &fault.Error{Code: fault.BinaryFile}, fault.BinaryFile, "the file is not text"},
		{"internal never shows words", fault.New(fault.Internal, "table users"), fault.Internal, fault.Internal.Row().Text},
		{"foreign", cause, fault.Internal, fault.Internal.Row().Text},
		{"deadline", fmt.Errorf("read: %w", context.DeadlineExceeded), fault.Timeout, fault.Timeout.Row().Text},
		{"cancelled", context.Canceled, fault.Canceled, fault.Canceled.Row().Text},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := fault.CodeOf(test.err); got != test.code {
				t.Errorf("CodeOf = %s, want %s", got, test.code)
			}
			if got := fault.MessageOf(test.err); got != test.message {
				t.Errorf("MessageOf = %q, want %q", got, test.message)
			}
		})
	}
}

// An error of the system that nobody classified says what to do next, and not its
// own words; an error with a class, a deadline and a panic stay what they are.
func TestErrorsOfTheSystem(t *testing.T) {
	failed := func(errno syscall.Errno) error {
		return fmt.Errorf("build: %w", &fs.PathError{Op: "open", Path: "/srv/data/x", Err: errno})
	}
	for _, test := range []struct {
		name string
		err  error
		code fault.Code
		says string
	}{
		{"too many files of the process", failed(syscall.EMFILE), fault.Overloaded, "ulimit -n"},
		{"too many files of the machine", failed(syscall.ENFILE), fault.Overloaded, "ulimit -n"},
		{"no memory", failed(syscall.ENOMEM), fault.Overloaded, "when it has less to do"},
		{"disk full", failed(syscall.ENOSPC), fault.RAGUnavailable, "no room on the disk for data/x"},
		{"read-only disk", failed(syscall.EROFS), fault.RAGUnavailable, "data/x is on a disk that may only be read"},
		{"not allowed", failed(syscall.EACCES), fault.RAGUnavailable, "change its permissions"},
		{"broken disk", failed(syscall.EIO), fault.RAGUnavailable, "look at the disk"},
		{
			"of a rename", &os.LinkError{Op: "rename", Old: "/a", New: "/b", Err: syscall.ENOSPC}, fault.RAGUnavailable,
			"no room on the disk for b",
		},
		{"without a place", fmt.Errorf("pipe: %w", syscall.EMFILE), fault.Overloaded, "a file can't be opened"},
		{"any other", failed(syscall.ENOTDIR), fault.Internal, "internal error"},
		{"classified", fault.Wrap(fault.InvalidPath, failed(syscall.EACCES), "no"), fault.InvalidPath, "no"},
		{
			"after the deadline", errors.Join(failed(syscall.EMFILE), context.DeadlineExceeded), fault.Timeout,
			"took too long",
		},
		{
			"in a panic", errors.Join(failed(syscall.EMFILE), fault.Panicked("x")), fault.Internal,
			"internal error",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := fault.CodeOf(test.err); got != test.code {
				t.Errorf("code %s, want %s", got, test.code)
			}
			got := fault.MessageOf(test.err)
			if !strings.Contains(got, test.says) || strings.Contains(got, "too many open files") {
				t.Errorf("says %q, want %q in it", got, test.says)
			}
		})
	}
}

func TestErrorKeepsItsCause(t *testing.T) {
	cause := errors.New("disk full")
	err := fault.Wrap(fault.RAGUnavailable, cause, "the store cannot write")
	if got, want := err.Error(), "the store cannot write: disk full"; got != want {
		t.Errorf("Error() = %q, want %q", got, want)
	}
	if !errors.Is(err, cause) {
		t.Error("the cause is lost")
	}
}
