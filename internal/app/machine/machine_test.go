package machine_test

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/app/machine"
)

// A directory that is not there is fine where the first run can make it, and only there.
func TestPlaceOfADataDirectory(t *testing.T) {
	for dir, want := range map[string]bool{
		filepath.Join(t.TempDir(), "deep", "data"): true,
		"/proc/nobody/makes/this":                  false,
	} {
		if !want && runtime.GOOS != "linux" {
			continue
		}
		for _, c := range machine.Checks(t.Context(), dir) {
			if c.Name == "data_directory" && (c.OK != want || !strings.Contains(c.Message, "is not there yet")) {
				t.Errorf("%s: %+v", dir, c)
			}
		}
	}
}
