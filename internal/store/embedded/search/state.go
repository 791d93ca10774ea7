package search

import (
	"sync/atomic"

	"github.com/blevesearch/bleve/v2/index/scorch"

	"github.com/ragnav/ragnav/internal/vector"
)

// A State is the index as of one commit, held open. Scorch merging segments
// makes a new state without changing what is in it.
type State struct {
	text   *scorch.Scorch // the reader's: segments of another have other numbers
	reader *scorch.IndexSnapshot
	rows   *vector.Snapshot
	refs   atomic.Int64
	over   *overlay // nil: nothing lies over it
}

// NewState takes over the references that reader and rows hold.
func NewState(text *scorch.Scorch, reader *scorch.IndexSnapshot, rows *vector.Snapshot) *State {
	s := &State{text: text, reader: reader, rows: rows}
	s.refs.Store(1)
	return s
}

// Segments are those of the text index.
func (s *State) Segments() []*scorch.SegmentSnapshot { return s.reader.Segments() }

// Rows are those of the log. They are released with the state.
func (s *State) Rows() *vector.Snapshot { return s.rows }

// Retain holds the state open once more.
func (s *State) Retain() *State {
	s.refs.Add(1)
	return s
}

// Release is the end of what NewState or Retain began.
func (s *State) Release() {
	if s.refs.Add(-1) == 0 {
		s.rows.Release()
		if s.over != nil {
			s.over.under.Release()
			return
		}
		_ = s.reader.Close() // unmaps files that are only read
	}
}
