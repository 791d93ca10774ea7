package artifact

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/repo/repotest"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
)

func status(state models.IndexState, commit string) IndexStatus {
	at := "2026-01-02T03:04:05Z"
	return IndexStatus{
		Repo: "o/r", IndexState: state, LastIndexedAt: &at, LastIndexedCommit: models.Opt(commit),
		SchemaVersion: SchemaVersion,
	}
}

func TestStatusIsLoadedAsSaved(t *testing.T) {
	tree := open(t, t.TempDir())
	if got, err := loadStatus(tree); got != nil || err != nil {
		t.Fatalf("without a file: %v, %v", got, err)
	}
	want := status(models.StateError, "abc")
	want.LastError = models.Opt("no \"space\"")
	must(t, SaveStatus(tree, want))
	got, err := loadStatus(tree)
	must(t, err)
	if diff := cmp.Diff(&want, got); diff != "" {
		t.Errorf("status (-want +got):\n%s", diff)
	}
	first := readFile(t, tree.Root(), Dir, StatusFile)
	must(t, SaveStatus(tree, want))
	if diff := cmp.Diff(first, readFile(t, tree.Root(), Dir, StatusFile)); diff != "" {
		t.Errorf("the same status gives other bytes:\n%s", diff)
	}
	if got := readFile(t, tree.Root(), Dir, ".gitignore"); got != "*\n" {
		t.Errorf(".gitignore = %q", got)
	}
}

func readFile(t testing.TB, path ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	must(t, err)
	return string(data)
}

func TestLoadStatus(t *testing.T) {
	full := `{"repo":"o/r","index_state":"fresh","last_indexed_at":null,"last_indexed_commit":"abc","schema_version":1,` +
		`"last_error":null`
	cases := []struct {
		name, content string
		state         models.IndexState
		problem       error
	}{
		{"all fields", full + "}", "fresh", nil},
		{"unknown fields", full + `,"graph_hash":"x","more":{"a":[1]}}`, "fresh", nil},
		{"missing fields", `{"schema_version":1}`, "", nil},
		{"white space around", "\n " + full + "}\n\n", "fresh", nil},
		{"empty", "", "", errCorrupt},
		{"cut off", full, "", errCorrupt},
		{"more after it", full + "}{}", "", errCorrupt},
		{"not an object", `[1]`, "", errCorrupt},
		{"null", `null`, "", errCorrupt},
		{"NULs", "\x00\x00\x00", "", errCorrupt},
		{"wrong type", `{"schema_version":1,"index_state":5}`, "", errCorrupt},
		{"too large", full + `,"x":"` + strings.Repeat("y", maxStatus) + `"}`, "", errCorrupt},
		{"deeply nested", `{"x":` + strings.Repeat("[", 100_000), "", errCorrupt},
		{"later version", `{"schema_version":2,"index_state":{"new":"shape"}}`, "", errSchema},
		{"version in words", `{"schema_version":"1","index_state":"fresh"}`, "", errSchema},
		{"no version", `{"index_state":"fresh"}`, "", errSchema},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			repotest.Write(t, dir, map[string]string{".llmc/rag_index_status.json": c.content})
			got, err := loadStatus(open(t, dir))
			if c.problem != nil {
				if !errors.Is(err, c.problem) || fault.CodeOf(err) != fault.IndexNotReady || got != nil {
					t.Fatalf("got %v, %v, want %v", got, err, c.problem)
				}
				return
			}
			must(t, err)
			if got.IndexState != c.state {
				t.Errorf("state = %q, want %q", got.IndexState, c.state)
			}
		})
	}
}

// What this program may not read is not called damaged: to build it again would not help.
func TestClosedStatus(t *testing.T) {
	got := fault.MessageOf(unusable(errors.Join(errCorrupt, fs.ErrPermission)))
	if !strings.Contains(got, "permissions") || strings.Contains(got, "damaged") {
		t.Errorf("message %q", got)
	}
}

func FuzzParseStatus(f *testing.F) {
	f.Add([]byte(`{"repo":"o/r","index_state":"fresh","last_indexed_commit":"abc","schema_version":1}`))
	f.Add([]byte(`{"schema_version":1e0}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := parseStatus(data)
		if (s == nil) == (err == nil) {
			t.Errorf("%v, %v", s, err)
		}
	})
}
