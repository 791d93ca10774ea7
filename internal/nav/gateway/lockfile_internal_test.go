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
	absent := lockVersion{version: fresh.VersionAt(filepath.Join(root, "no.lock"))}
	present := lockVersion{version: fresh.VersionAt(there)}
	for name, test := range map[string]struct {
		file lockFile
		want bool
	}{
		"not there":           {lockFile{lockVersion: absent, read: true}, false},
		"read":                {lockFile{lockVersion: present, read: true, text: &text}, false},
		"not asked for":       {lockFile{lockVersion: lockVersion{lasts: true}}, false},
		"there, not read":     {lockFile{lockVersion: present, read: true}, true},
		"as before, not read": {lockFile{lockVersion: lockVersion{lasts: true}, read: true}, true},
	} {
		if got := test.file.failed(); got != test.want {
			t.Errorf("%s: %t, want %t", name, got, test.want)
		}
	}
}
