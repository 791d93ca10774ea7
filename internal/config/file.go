package config

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// A file is a configuration file that was read.
type file struct {
	path    string
	entries map[string]entry
}

type entry struct {
	value string
	line  int
}

// readFile reads the file that --config or RAGNAV_CONFIG names, if any. It has
// one RAGNAV_NAME=VALUE a line; empty lines and lines that start with "#" don't
// count; a value may stand in single or double quotes.
func readFile(flags map[string]string, getenv func(string) string) (file, error) {
	path := flags["config"]
	if path == "" {
		path = getenv("RAGNAV_CONFIG")
	}
	if path == "" {
		return file{}, nil
	}
	path, err := absolute(path, getenv)
	if err != nil {
		return file{}, fmt.Errorf("--config (RAGNAV_CONFIG): %w", err)
	}
	b, err := readAll(path)
	if err != nil {
		return file{}, fmt.Errorf("--config (RAGNAV_CONFIG): %w; name a file that can be read, or none", err)
	}
	if len(b) > maxSettings {
		return file{}, fmt.Errorf("--config (RAGNAV_CONFIG): %s has more than %d bytes; it is no list of settings", path,
			maxSettings)
	}
	return parseFile(path, string(b))
}

// maxSettings is how many bytes a configuration has at most.
const maxSettings = 1 << 20

// readAll reads a file, or a pipe, to its end or a byte further than a configuration has.
func readAll(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // was read only
	return io.ReadAll(io.LimitReader(f, maxSettings+1))
}

func parseFile(path, text string) (file, error) {
	known := map[string]bool{}
	for _, s := range Settings() {
		known[s.Env] = s.set != nil
	}
	f := file{path: path, entries: map[string]entry{}}
	var errs []error
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		key = strings.TrimSpace(key)
		_, twice := f.entries[key]
		switch {
		case !ok:
			errs = append(errs, fmt.Errorf("%s:%d: not a RAGNAV_NAME=VALUE line", path, n))
		case !known[key]:
			errs = append(errs, fmt.Errorf("%s:%d: %s is not a setting", path, n, key))
		case twice:
			errs = append(errs, fmt.Errorf("%s:%d: %s stands here a second time", path, n, key))
		default:
			f.entries[key] = entry{unquote(strings.TrimSpace(value)), n}
		}
	}
	return f, errors.Join(errs...)
}

func unquote(v string) string {
	if len(v) >= 2 && (v[0] == '"' || v[0] == '\'') && v[len(v)-1] == v[0] {
		return v[1 : len(v)-1]
	}
	return v
}
