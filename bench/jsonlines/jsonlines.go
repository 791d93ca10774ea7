// Package jsonlines writes and reads lists of questions and answers, a JSON value a line.
package jsonlines

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"strings"
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

// Load reads the values that keep wants.
func Load[T any](path string, keep func(T) bool) ([]T, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all []T
	for line := range strings.Lines(string(data)) {
		var v T
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			return nil, err
		}
		if keep(v) {
			all = append(all, v)
		}
	}
	return all, nil
}
