package models

import (
	"encoding/json"
	"io"
)

// Encode writes v as every surface writes a reply: one JSON object and a
// newline, without escaping <, > and &, which code is full of.
func Encode(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
