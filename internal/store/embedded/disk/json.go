package disk

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A sealed file is JSON with a checksum of what it says.
type sealed struct {
	Sum  string          `json:"crc32c"`
	Body json.RawMessage `json:"body"`
}

func sumOf(body []byte) string { return fmt.Sprintf("%08x", crc32.Checksum(body, castagnoli)) }

// ReadJSON reads what writeJSON wrote. A file that is not there is
// fs.ErrNotExist, one that says something else a Damage.
func ReadJSON(file string, v any) error {
	data, err := ReadFile(file)
	if err != nil {
		return err
	}
	var s sealed
	if err := json.Unmarshal(data, &s); err != nil || s.Sum != sumOf(s.Body) {
		return &Damage{filepath.Base(file), "is not what was written"}
	}
	return json.Unmarshal(s.Body, v)
}

// ReadFile is os.ReadFile, where anything but a file is Damage.
func ReadFile(file string) ([]byte, error) {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return nil, &Damage{filepath.Base(file), noFile}
	}
	return os.ReadFile(file)
}

// writeJSON replaces a file as a whole. Unless it is durable, a crash of the
// machine may leave a damaged one.
func writeJSON(file string, v any, durable bool) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	data, err := json.Marshal(sealed{sumOf(body), body})
	if err != nil {
		return err
	}
	return Replace(file, append(data, '\n'), durable)
}

// Replace gives a file another content, all of it or nothing. A folder in its
// place is put aside.
func Replace(file string, data []byte, durable bool) error {
	temp, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*")
	if err != nil {
		return err
	}
	_, err = temp.Write(data)
	if err == nil && durable {
		err = temp.Sync()
	}
	if info, there := os.Lstat(file); err == nil && there == nil && info.IsDir() {
		err = SetAside(filepath.Dir(file), filepath.Base(file))
	}
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return nil
}

// RemoveTemps removes what processes that were killed in the middle of Replace
// left in a folder of which nobody else may replace a file now. What it can't
// remove stays, and does no harm.
func RemoveTemps(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		name, number, ok := strings.Cut(e.Name(), ".json.")
		if ok && name != "" && number != "" && strings.Trim(number, "0123456789") == "" && e.Type().IsRegular() {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// quarantineDir has what was put aside, in a data directory.
const quarantineDir = "quarantine"

// SetAside moves a file or folder of a data directory into its quarantine, under
// its name and the time. What is not there need not be moved.
func SetAside(dir, name string) error {
	to := filepath.Join(dir, quarantineDir)
	if name == quarantineDir {
		return os.Rename(to, stamped(to))
	}
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	to = filepath.Join(to, stamped(strings.ReplaceAll(name, "/", "-")))
	err := os.Rename(filepath.Join(dir, filepath.FromSlash(name)), to)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
