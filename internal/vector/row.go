package vector

import (
	"fmt"

	"github.com/ragnav/ragnav/internal/vector/codes"
)

// A Row is one entry of a Log. It replaces the earlier row of the same ID.
type Row struct {
	ID string // 1 to 65,535 bytes
	// Deleted hides the earlier row of that ID. Other fields don't count.
	Deleted bool
	Meta    []byte // up to 16 MiB
	Value   []byte // up to 16 MiB; unlike the meta it is read seldom, and takes less room
	// Vector is nil, or has finite components and a length of up to 1e18. It is
	// kept in codes of 8 or 4 bits: see package codes.
	Vector []float32
}

const (
	maxID   = 1<<16 - 1
	maxMeta = 16 << 20 // and of a value
)

func (r Row) check(dims int) error {
	switch {
	case r.ID == "" || len(r.ID) > maxID:
		return fmt.Errorf("row id of %d bytes is not in 1..%d", len(r.ID), maxID)
	case r.Deleted:
		return nil
	case len(r.Meta) > maxMeta:
		return fmt.Errorf("row %q: meta of %d bytes is over %d", r.ID, len(r.Meta), maxMeta)
	case len(r.Value) > maxMeta:
		return fmt.Errorf("row %q: value of %d bytes is over %d", r.ID, len(r.Value), maxMeta)
	case r.Vector == nil:
		return nil
	}
	if err := codes.Check(r.Vector, dims); err != nil {
		return fmt.Errorf("row %q: %w", r.ID, err)
	}
	return nil
}

// An entry is a row as a block takes it.
type entry struct {
	id      string
	deleted bool
	meta    []byte
	value   []byte
	codes.Vector
}

// entry is that of a row that was checked.
func (r Row) entry() entry {
	e := entry{id: r.ID, deleted: r.Deleted}
	if r.Deleted {
		return e
	}
	e.meta, e.value = r.Meta, r.Value
	if r.Vector != nil {
		e.Vector = codes.Encode(r.Vector)
	}
	return e
}

// class orders the entries of a block.
func (e *entry) class() int {
	switch {
	case e.deleted:
		return 2
	case e.Codes == nil:
		return 1
	}
	return 0
}

// arrange keeps the last entry of each id and puts those with a vector first and
// deletions last, as blocks have them.
func arrange(entries []entry) []entry {
	last := make(map[string]int, len(entries))
	for i := range entries {
		last[entries[i].id] = i
	}
	out := make([]entry, 0, len(last))
	for class := range 3 {
		for i := range entries {
			if e := &entries[i]; e.class() == class && last[e.id] == i {
				out = append(out, *e)
			}
		}
	}
	return out
}
