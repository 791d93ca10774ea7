package models

import (
	"bytes"
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

// Size is the length of v as JSON.
func Size(v any) int {
	var b bytes.Buffer
	if err := Encode(&b, v); err != nil {
		return 0 // transports tell
	}
	return b.Len()
}
