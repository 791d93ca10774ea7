package vector

import "fmt"

// A Row is one entry of a Log. It replaces the earlier row of the same ID.
type Row struct {
	ID string // 1 to 65,535 bytes
	// Deleted hides the earlier row of that ID. Meta and Vector don't count.
	Deleted bool
	Meta    []byte    // up to 16 MiB
	Vector  []float32 // nil, or finite components and a length of up to 1e18
}

const (
	maxID   = 1<<16 - 1
	maxMeta = 16 << 20
)

func (r Row) check(dims int) error {
	switch {
	case r.ID == "" || len(r.ID) > maxID:
		return fmt.Errorf("row id of %d bytes is not in 1..%d", len(r.ID), maxID)
	case r.Deleted:
		return nil
	case len(r.Meta) > maxMeta:
		return fmt.Errorf("row %q: meta of %d bytes is over %d", r.ID, len(r.Meta), maxMeta)
	case r.Vector == nil:
		return nil
	}
	if err := checkVector(r.Vector, dims); err != nil {
		return fmt.Errorf("row %q: %w", r.ID, err)
	}
	return nil
}

// class orders the rows of a block.
func (r Row) class() int {
	switch {
	case r.Deleted:
		return 2
	case r.Vector == nil:
		return 1
	}
	return 0
}

// arrange keeps the last row of each ID and puts rows with a vector first and
// deletions last, as blocks have them.
func arrange(rows []Row) []Row {
	last := make(map[string]int, len(rows))
	for i, r := range rows {
		last[r.ID] = i
	}
	out := make([]Row, 0, len(last))
	for class := range 3 {
		for i, r := range rows {
			if r.class() == class && last[r.ID] == i {
				out = append(out, r)
			}
		}
	}
	return out
}
