package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/fault"
)

// besideProject is the folder in which `make run` keeps a project's index.
const besideProject = ".ragnav"

// elsewhere is, for what is not in the index, the one that is kept beside the project
// around the working folder, if that is another: after `make run` nothing but its flag
// finds it.
func elsewhere(err error, c config.Config, server string) string {
	if code := fault.CodeOf(err); server != "" || code != fault.IndexNotReady && code != fault.RepoNotFound {
		return ""
	}
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for parent := filepath.Dir(dir); ; dir, parent = parent, filepath.Dir(parent) {
		data := filepath.Join(dir, besideProject)
		if app.HasIndex(data) {
			if data == c.DataDir {
				return ""
			}
			return fmt.Sprintf("; there is another index: --store embedded:%s", data)
		}
		if parent == dir {
			return ""
		}
	}
}
