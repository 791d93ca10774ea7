//go:build !linux && !darwin

package fresh

import (
	"errors"
	"os"

	"github.com/ragnav/ragnav/internal/repo/disk"
)

func openTree(tree *disk.Folder) (place, error) { return openRootPlace(tree) }

func notAFolder(err error) bool { return errors.Is(err, errNotAFolder) }

// descriptor is that of the open folder of a place.
func descriptor(place) (int, bool) { return 0, false }

// lookAt looks at an absolute path; nothing there is the zero stat.
func lookAt(path string) stat {
	info, err := os.Stat(path)
	if err != nil {
		return stat{}
	}
	return statOf(info)
}

// straight opens nothing: this system does not say in one call that there is no
// symlink in a path.
func straight(place, string) (place, bool) { return nil, false }
