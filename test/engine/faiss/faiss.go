// Package faiss stands in for Faiss under the engine of the tests: the types that the segments of bleve ask for, in
// plain Go, with an exact search over all vectors. Of the float, binary and GPU indexes that there are, only the float
// one works; the others refuse to be made. No index has clusters, so none is approximate.
package faiss

import (
	"errors"
	"math"
)

// The ways to compare vectors, with the numbers that Faiss gives them.
const (
	MetricInnerProduct = 0
	MetricL2           = 1
)

// How the bytes of an index are to be read. Here they are always copied.
const (
	IOFlagMmap         = 1
	IOFlagReadOnly     = 2
	IOFlagReadMmap     = 4
	IOFlagSkipPrefetch = 8
)

var (
	errFloatOnly  = errors.New("faiss: the stand-in has only float indexes")
	errNoClusters = errors.New("faiss: the stand-in searches exactly, without clusters")
	errSparse     = errors.New("faiss: the stand-in numbers vectors from 0 on, without holes")
	errDamaged    = errors.New("faiss: these bytes are no index")

	// ErrGPUOutOfMemory is never given: nothing reaches a GPU.
	ErrGPUOutOfMemory = errors.New("faiss: the GPU has no memory left")
)

// SetOMPThreads says how many threads a search may take. Here it is always one.
func SetOMPThreads(uint) {}

// NormalizeVector gives a vector the length 1, in place.
func NormalizeVector(v []float32) []float32 {
	length := 0.0
	for _, x := range v {
		length += float64(x) * float64(x)
	}
	if length > 0 {
		for i, x := range v {
			v[i] = float32(float64(x) / math.Sqrt(length))
		}
	}
	return v
}

// A Selector says which vectors a search may find.
type Selector interface {
	Delete()
	has(id int64) bool
}

type selector func(id int64) bool

func (s selector) Delete()           {}
func (s selector) has(id int64) bool { return s(id) }

// NewIDSelectorBitmap selects the ids whose bits are set.
func NewIDSelectorBitmap(bits []byte) (Selector, error) { return bitmap(bits, true), nil }

// NewIDSelectorBitmapNot selects the ids whose bits are not set.
func NewIDSelectorBitmapNot(bits []byte) (Selector, error) { return bitmap(bits, false), nil }

func bitmap(bits []byte, want bool) selector {
	return func(id int64) bool {
		return int(id>>3) < len(bits) && bits[id>>3]&(1<<(id&7)) != 0 == want
	}
}

// NewIDSelectorBatch selects these ids.
func NewIDSelectorBatch(ids []int64) (Selector, error) { return batch(ids, true), nil }

// NewIDSelectorBatchNot selects all but these ids.
func NewIDSelectorBatchNot(ids []int64) (Selector, error) { return batch(ids, false), nil }

func batch(ids []int64, want bool) selector {
	set := make(map[int64]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return func(id int64) bool { return set[id] == want }
}
