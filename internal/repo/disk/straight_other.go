//go:build !linux

package disk

import (
	"io/fs"
	"os"
)

// A straight opens nothing: other systems don't say in one call that there is no
// symlink in a path.
type straight struct{}

func (*straight) read(*os.Root, string, []byte, int64) ([]byte, Stat, bool) {
	return nil, Stat{}, false
}

func (*straight) lstat(*os.Root, string) (fs.FileInfo, bool, error) { return nil, false, nil }

func (*straight) looks(*os.Root, string) (Look, bool) { return Look{}, false }

func (*straight) folder(*os.Root, string) (*os.File, bool) { return nil, false }

func (*straight) close() {}
