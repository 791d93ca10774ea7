package listing

import (
	"testing"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// list is a listing in short: paths, and "path: reason (detail)".
func list(t testing.TB, root string) (files, skipped []string) {
	t.Helper()
	l, err := List(t.Context(), open(t, root), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return short(l)
}

func short(l Listing) (files, skipped []string) {
	for _, f := range l.Files {
		files = append(files, f.Path)
	}
	for _, r := range l.Skipped {
		skipped = append(skipped, describe(r))
	}
	return files, skipped
}

func describe(r models.FileRecord) string {
	return r.Path + ": " + string(r.Skipped) + " (" + r.Detail + ")"
}
