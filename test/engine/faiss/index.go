package faiss

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
)

// Index is what the segments need of another index to merge with.
type Index interface{ IsIVFIndex() bool }

// IndexImpl keeps vectors by number, from 0 on.
type IndexImpl struct {
	clusterless[float32, float32]

	dims, metric int
	vectors      []float32 // one behind the other
}

// IndexFactory makes an index, of the same kind whatever the description asks for.
func IndexFactory(dims int, _ string, metric int) (*IndexImpl, error) {
	return &IndexImpl{dims: dims, metric: metric}, nil
}

// D is how long the vectors are.
func (x *IndexImpl) D() int { return x.dims }

// MetricType is how they are compared.
func (x *IndexImpl) MetricType() int { return x.metric }

// Ntotal is how many there are.
func (x *IndexImpl) Ntotal() int64 { return int64(len(x.vectors) / x.dims) }

// Size is how many bytes the vectors take.
func (x *IndexImpl) Size() uint64 { return uint64(4 * len(x.vectors)) }

// Add appends vectors that stand one behind the other.
func (x *IndexImpl) Add(vectors []float32) error {
	x.vectors = append(x.vectors, vectors...)
	return nil
}

// AddWithIDs is Add for the ids from 0 on, the only ones that segments give.
func (x *IndexImpl) AddWithIDs(vectors []float32, ids []int64) error {
	for i, id := range ids {
		if id != x.Ntotal()+int64(i) {
			return errSparse
		}
	}
	return x.Add(vectors)
}

func (x *IndexImpl) vector(id int64) []float32 { return x.vectors[int(id)*x.dims : (int(id)+1)*x.dims] }

// ReconstructBatch writes the vectors of these ids into out, which has room for them.
func (x *IndexImpl) ReconstructBatch(ids []int64, out []float32) ([]float32, error) {
	for i, id := range ids {
		copy(out[i*x.dims:], x.vector(id))
	}
	return out, nil
}

// SearchWithOptions finds the k nearest of those that sel selects, best first and among equals the first by number.
// Where there are fewer, the last ids are -1.
func (x *IndexImpl) SearchWithOptions(query []float32, k int64, sel Selector, _ json.RawMessage) (
	distances []float32, ids []int64, err error,
) {
	type candidate struct {
		id       int64
		distance float32
	}
	var found []candidate
	for id := range x.Ntotal() {
		if sel == nil || sel.has(id) {
			found = append(found, candidate{id, x.distance(query, x.vector(id))})
		}
	}
	slices.SortFunc(found, func(a, b candidate) int {
		nearer := cmp.Compare(a.distance, b.distance)
		if x.metric == MetricInnerProduct {
			nearer = -nearer
		}
		return cmp.Or(nearer, cmp.Compare(a.id, b.id))
	})
	distances, ids = make([]float32, k), make([]int64, k)
	for i := range ids {
		if ids[i] = -1; i < len(found) {
			distances[i], ids[i] = found[i].distance, found[i].id
		}
	}
	return distances, ids, nil
}

// distance is the dot product of two vectors, or the square of their distance.
func (x *IndexImpl) distance(a, b []float32) float32 {
	sum := 0.0
	for i := range a {
		if x.metric == MetricInnerProduct {
			sum += float64(a[i]) * float64(b[i])
		} else {
			d := float64(a[i]) - float64(b[i])
			sum += d * d
		}
	}
	return float32(sum)
}

// WriteIndexIntoBuffer is the index as bytes.
func WriteIndexIntoBuffer(x *IndexImpl) ([]byte, error) {
	out := binary.LittleEndian.AppendUint32(nil, uint32(x.dims))
	out = binary.LittleEndian.AppendUint32(out, uint32(x.metric))
	for _, v := range x.vectors {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v))
	}
	return out, nil
}

// ReadIndexFromBuffer is the index that was written.
func ReadIndexFromBuffer(raw []byte, _ int) (*IndexImpl, error) {
	if len(raw) < 8 || len(raw)%4 != 0 {
		return nil, errDamaged
	}
	x := &IndexImpl{
		dims:   int(binary.LittleEndian.Uint32(raw)),
		metric: int(binary.LittleEndian.Uint32(raw[4:])), vectors: make([]float32, 0, len(raw)/4-2),
	}
	for raw = raw[8:]; len(raw) > 0; raw = raw[4:] {
		x.vectors = append(x.vectors, math.Float32frombits(binary.LittleEndian.Uint32(raw)))
	}
	return x, nil
}
