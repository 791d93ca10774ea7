package repos_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/repos"
)

// fileRecords are the records of files by path.
type fileRecords map[string]models.FileRecord

func (f fileRecords) Record(_ context.Context, _, key string, v any) (bool, error) {
	r, ok := f[key]
	if ok {
		*v.(*models.FileRecord) = r
	}
	return ok, nil
}

func (fileRecords) Records(context.Context, string, func(string, json.RawMessage) error) error {
	return nil
}

// A file is as it was indexed while its content is; the folder and its commit
// are known as far as they are here.
func TestCompare(t *testing.T) {
	root := t.TempDir()
	all := fileRecords{}
	record := func(name, text string, racy bool) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256([]byte(text))
		all[name] = models.FileRecord{Path: name, Size: info.Size(), ModTime: info.ModTime().UnixNano(), Hash: hex.EncodeToString(sum[:]), Racy: racy}
	}
	record("same.go", "package same", false)
	record("racy.go", "package one", true)
	record("longer.go", "package one", false)
	record("other.go", "package one", false)
	record("touched.go", "package one", false)
	record("gone.go", "package one", false)
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("longer.go", "package longer")
	write("other.go", "package two")
	write("touched.go", "package one")
	if err := os.Remove(filepath.Join(root, "gone.go")); err != nil {
		t.Fatal(err)
	}
	known := models.Repository{RepoID: "o/a", Root: root, State: models.StateFresh}
	missing := models.Repository{RepoID: "o/b", Root: filepath.Join(root, "nothing"), State: models.StateFresh}
	c := repos.New(all, "", nil).Compare(t.Context(), []models.Repository{known, missing})
	defer c.Close()
	got := c.Files(t.Context(), "o/a", []string{"same.go", "racy.go", "longer.go", "other.go", "touched.go", "gone.go", "never.go"})
	want := map[string]models.FileState{
		"same.go": models.FileSame, "racy.go": models.FileSame, "longer.go": models.FileChanged, "other.go": models.FileChanged,
		"touched.go": models.FileSame, "gone.go": models.FileGone, "never.go": models.FileUnknown,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
	if known, same := c.Knows("o/a"); !known || !same {
		t.Errorf("o/a: known %t, same commit %t", known, same)
	}
	if known, _ := c.Knows("o/b"); known {
		t.Error("a folder that is not there is known")
	}
}

// Repositories behind the first few are looked at when results are of them, and
// a folder that is gone is known to be.
func TestCompareMany(t *testing.T) {
	root := t.TempDir()
	var known []models.Repository
	for i := range 20 {
		id := fmt.Sprintf("o/r%02d", i)
		dir := filepath.Join(root, fmt.Sprint(i))
		if i != 18 {
			if err := os.Mkdir(dir, 0o750); err != nil {
				t.Fatal(err)
			}
		}
		known = append(known, models.Repository{RepoID: models.RepoID(id), Root: dir, State: models.StateFresh})
	}
	c := repos.New(fileRecords{"gone.go": {Path: "gone.go"}}, "", nil).Compare(t.Context(), known)
	defer c.Close()
	c.Look(t.Context(), []models.RepoID{"o/r01", "o/r18", "o/r19"})
	if got := c.Files(t.Context(), "o/r19", []string{"gone.go"}); got["gone.go"] != models.FileGone {
		t.Errorf("states of the last repository's files: %v", got)
	}
	if c.Gone("o/r19") || c.Gone("o/r01") || !c.Gone("o/r18") {
		t.Errorf("gone: %t, %t, %t", c.Gone("o/r19"), c.Gone("o/r01"), c.Gone("o/r18"))
	}
}
