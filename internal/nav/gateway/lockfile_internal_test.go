package gateway

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ragnav/ragnav/internal/fresh"
)

// What a lock file says is kept if it was read, or is known not to be there.
func TestLockFilesThatFailed(t *testing.T) {
	root, text := t.TempDir(), "x"
	there := filepath.Join(root, "there.lock")
	if err := os.WriteFile(there, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		file lockFile
		want bool
	}{
		"not there":           {lockFile{read: true, version: fresh.VersionAt(filepath.Join(root, "no.lock"))}, false},
		"read":                {lockFile{read: true, text: &text, version: fresh.VersionAt(there)}, false},
		"not asked for":       {lockFile{lasts: true}, false},
		"there, not read":     {lockFile{read: true, version: fresh.VersionAt(there)}, true},
		"as before, not read": {lockFile{read: true, lasts: true}, true},
	} {
		if got := test.file.failed(); got != test.want {
			t.Errorf("%s: %t, want %t", name, got, test.want)
		}
	}
}
