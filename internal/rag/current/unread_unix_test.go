//go:build unix

package current_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/rag/current"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
	"github.com/ragnav/ragnav/internal/repo/listing"
	"github.com/ragnav/ragnav/internal/repo/relpath"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// forbidden is an index of two files, which lays whatever differs over itself.
type forbidden struct{ store }

func (forbidden) FileRecords(_ context.Context, _ models.RepoID, yield func(models.FileRecord)) error {
	sum := sha256.Sum256([]byte("text"))
	for _, path := range []string{"a/one.txt", "two.txt"} {
		yield(models.FileRecord{Path: path, Size: 4, Hash: hex.EncodeToString(sum[:])})
	}
	for path, detail := range map[string]string{
		"shut": listing.UnreadableFolder, "deep": listing.DeepFolder,
		`bad\xff`: relpath.NotUTF8,
	} {
		yield(models.FileRecord{Path: path, Skipped: models.SkipUnreadable, Detail: detail})
	}
	return nil
}

func (forbidden) Overlay(ctx context.Context, _ models.Overlay) (context.Context, func(), error) {
	return ctx, func() {}, nil
}

// A file that may not be read any more, or is in such a folder, is named: there
// is nothing of it among the hits.
func TestUnread(t *testing.T) {
	if repotest.AsNobody(t) {
		return
	}
	root := t.TempDir()
	for _, path := range []string{"a/one.txt", "two.txt"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, path)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, path), []byte("text"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(root, "shut"), 0); err != nil {
		t.Fatal(err)
	}
	r := models.Repository{RepoID: "o/a", Root: root, State: models.StateFresh, LastIndexedAt: time.Now()}
	s := current.New(current.Config{
		Store: store{r}, Indexer: forbidden{}, Overlay: forbidden{},
		Open: func(ctx context.Context, _ models.Repository) (repo.Files, error) { return repo.Open(ctx, root) },
	})
	unread := func(closed ...string) []string {
		t.Helper()
		for _, path := range closed {
			path = filepath.Join(root, path)
			if err := os.Chmod(path, 0); err != nil {
				t.Fatal(err)
			}
			defer func() { _ = os.Chmod(path, 0o700) }() //nolint:gosec // a folder has to be entered
		}
		_, all, release, err := s.Lay(t.Context(), []models.Repository{r})
		if err != nil {
			t.Fatal(err)
		}
		defer release()
		if fresh := all[0].Freshness == models.Fresh; fresh != (len(closed) == 0) {
			t.Errorf("closed %q: %s, %s", closed, all[0].Freshness, all[0].Reason)
		}
		return all[0].Unread
	}
	for _, closed := range [][]string{nil, {"two.txt"}, {"a"}, nil} {
		want := map[string]string{"a": "a/one.txt", "two.txt": "two.txt"}
		var wanted []string
		for _, path := range closed {
			wanted = append(wanted, want[path])
		}
		if diff := cmp.Diff(wanted, unread(closed...)); diff != "" {
			t.Errorf("closed %q (-want +got):\n%s", closed, diff)
		}
	}
	s.Close()
}
