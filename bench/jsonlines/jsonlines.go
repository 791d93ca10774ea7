// Package jsonlines writes lists of questions and answers, a JSON value a line.
package jsonlines

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
)

// Save writes a new file, or in place of an old one.
func Save[T any](path string, all []T) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, v := range all {
		if err := enc.Encode(v); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	return errors.Join(w.Flush(), f.Close())
}
