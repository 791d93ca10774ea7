package disk

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A sealed file is JSON with a checksum of what it says.
type sealed struct {
	Sum  string          `json:"crc32c"`
	Body json.RawMessage `json:"body"`
}

func sumOf(body []byte) string { return fmt.Sprintf("%08x", crc32.Checksum(body, castagnoli)) }

// ReadJSON reads what WriteJSON wrote. A file that is not there is
// fs.ErrNotExist, one that says something else a Damage.
func ReadJSON(file string, v any) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var s sealed
	if err := json.Unmarshal(data, &s); err != nil || s.Sum != sumOf(s.Body) {
		return &Damage{filepath.Base(file), "is not what was written"}
	}
	return json.Unmarshal(s.Body, v)
}

// WriteJSON replaces a file as a whole. Unless it is durable, a crash of the
// machine may leave a damaged one.
func WriteJSON(file string, v any, durable bool) error {
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

// Replace gives a file another content, all of it or nothing.
func Replace(file string, data []byte, durable bool) error {
	temp, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*")
	if err != nil {
		return err
	}
	_, err = temp.Write(data)
	if err == nil && durable {
		err = temp.Sync()
	}
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return nil
}
