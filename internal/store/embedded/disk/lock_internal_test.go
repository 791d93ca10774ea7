package disk

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"github.com/ragnav/ragnav/internal/fault"
)

// A lock is tried a number of times, however slow the machine is.
func TestTake(t *testing.T) {
	for _, tt := range []struct {
		name    string
		owned   bool
		refused int
		taken   bool
	}{
		{"free", true, 0, true},
		{"refused while somebody looks who has it", true, ownedTries - 1, true},
		{"of an owner", true, ownedTries, false},
		{"of a reader that ends", false, ownedTries, true},
		{"of a reader that stays", false, readingTries, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			dir := t.TempDir()
			if tt.owned {
				if err := os.WriteFile(filepath.Join(dir, ownerName), []byte(`{"pid":1}`), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			tries := 0
			err := take(t.Context(), dir, func() (bool, error) { tries++; return tries > tt.refused, nil })
			if tt.taken != (err == nil) || !tt.taken && fault.CodeOf(err) != fault.Conflict {
				t.Errorf("%s: %v after %d tries", tt.name, err, tries)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := take(ctx, t.TempDir(), func() (bool, error) { return true, nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("of a request that has ended: %v", err)
	}
}
