package disk

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// FormatVersion is that of the layout in the package comment, and of what it
// says of bleve's fields. OldestFormat is the oldest that is read; a program that
// opens it to write makes it the newest.
const (
	FormatVersion = 5 // until 4, vectors have 8 bits a component: see package vector
	OldestFormat  = 3 // in segments, each posting has a norm: see text.Frequency
)

// A Format is the content of format.json.
type Format struct {
	Version int    `json:"version"`
	Dims    int    `json:"dims"`
	Sum     string `json:"sum,omitempty"` // of the others; earlier programs wrote none
}

// NewFormat is that of an index with vectors of so many components.
func NewFormat(dims int) Format {
	return Format{FormatVersion, dims, fmt.Sprintf("%d/%d", FormatVersion, dims)}
}

// damaged reports whether it can't be what a program wrote.
func (f Format) damaged() bool {
	return f.Version < 1 || f.Dims < 1 || f.Sum != "" && f.Sum != fmt.Sprintf("%d/%d", f.Version, f.Dims)
}

// ParseFormat is the content of format.json, or why it is damaged.
func ParseFormat(data []byte) (f Format, err error) {
	if err := json.Unmarshal(data, &f); err != nil || f.damaged() {
		return f, &Damage{File: FormatFile, Reason: "is not what was written"}
	}
	return f, nil
}

// DimsOf is how many components the vectors of the store in dir have; 0 where
// there is none, or that can't be told.
func DimsOf(dir string) int {
	data, err := os.ReadFile(filepath.Join(dir, FormatFile))
	if err != nil {
		return 0
	}
	f, err := ParseFormat(data)
	if err != nil {
		return 0
	}
	return f.Dims
}
