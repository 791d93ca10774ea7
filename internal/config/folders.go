package config

import (
	"errors"
	"path/filepath"
	"runtime"
	"strings"
)

// setFolders fills in the folders that were left to the default and makes all
// of them absolute.
func setFolders(c *Config, getenv func(string) string) error {
	dir := strings.TrimPrefix(c.Store, embeddedScheme)
	if c.Couchbase.ConnStr != "" || dir == "" {
		dir = userDataDir(runtime.GOOS, getenv)
	}
	if dir == "" {
		return errors.New("--store (RAGNAV_STORE): the user's data directory is not known, because HOME is not set; set " +
			"it, or name one as embedded:DIR")
	}
	dir, err := absolute(dir, getenv)
	if err != nil {
		return err
	}
	c.DataDir = dir
	if c.Couchbase.ConnStr == "" {
		c.Store = embeddedScheme + dir
	}
	if c.ReposDir == "" {
		c.ReposDir = filepath.Join(dir, "repos")
	}
	c.ReposDir, err = absolute(c.ReposDir, getenv)
	return err
}

// userDataDir is where programs of that operating system keep a user's data;
// "" when the environment doesn't tell.
func userDataDir(goos string, getenv func(string) string) string {
	under := func(base string, more ...string) string {
		if base == "" {
			return ""
		}
		return filepath.Join(append(append([]string{base}, more...), "ragnav")...)
	}
	switch goos {
	case "windows":
		return under(getenv("LocalAppData"))
	case "darwin":
		return under(getenv("HOME"), "Library", "Application Support")
	}
	if data := getenv("XDG_DATA_HOME"); filepath.IsAbs(data) {
		return under(data)
	}
	return under(getenv("HOME"), ".local", "share")
}

// absolute expands a leading "~/", which a shell leaves alone in the middle of
// a word such as "embedded:~/index".
func absolute(dir string, getenv func(string) string) (string, error) {
	if rest, ok := strings.CutPrefix(dir, "~/"); ok && getenv("HOME") != "" {
		dir = filepath.Join(getenv("HOME"), rest)
	}
	return filepath.Abs(dir)
}
