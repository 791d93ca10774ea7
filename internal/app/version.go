package app

import (
	"runtime"
	"runtime/debug"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Version is what this program is; it opens no store. release is what the
// linker was told, or "" to take the module's version from the binary.
func Version(release string) (models.Version, error) {
	e, err := embed.Builtin()
	if err != nil {
		return models.Version{}, err
	}
	return version(release, e.Manifest()), nil
}

// Release is the version alone, at no cost.
func Release(release string) string {
	if info, ok := debug.ReadBuildInfo(); ok && release == "" {
		return info.Main.Version
	}
	return release
}

func version(release string, e embed.Manifest) models.Version {
	v := models.Version{
		Version: Release(release), GoVersion: runtime.Version(),
		Embedder: e.Provider + "/" + e.Model, SchemaVersion: models.SchemaVersion,
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			v.Commit = s.Value
		}
	}
	return v
}
