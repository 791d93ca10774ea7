package faiss

import "encoding/json"

// What the segments ask for of indexes with clusters, of bits and on GPUs. They ask IsIVFIndex first, and make binary
// indexes only of fields that a mapping optimises so: nothing here is reached, and what is gives an error.

// clusterless is what an index of vectors of V, with distances of D, says and refuses when it has no clusters.
type clusterless[V, D any] struct{}

func (clusterless[V, D]) IsIVFIndex() bool               { return false }
func (clusterless[V, D]) IsSQIndex() bool                { return false }
func (clusterless[V, D]) IVFParams() (nprobe, nlist int) { return 0, 0 }
func (clusterless[V, D]) SetNProbe(int32)                {}
func (clusterless[V, D]) Close()                         {}
func (clusterless[V, D]) SetDirectMap(int) error         { return errNoClusters }
func (clusterless[V, D]) Train([]V) error                { return errNoClusters }
func (clusterless[V, D]) SetQuantizers(Index) error      { return errNoClusters }
func (clusterless[V, D]) MergeFrom(Index, int64) error   { return errNoClusters }

func (clusterless[V, D]) ObtainClusterVectorCountsFromIVFIndex(Selector, int) ([]int64, error) {
	return nil, errNoClusters
}

func (clusterless[V, D]) ObtainClustersWithDistancesFromIVFIndex([]V, Selector, int64) ([]int64, []D, error) {
	return nil, nil, errNoClusters
}

func (clusterless[V, D]) ObtainKCentroidCardinalitiesFromIVFIndex(int, bool) ([]uint64, [][]V, error) {
	return nil, nil, errNoClusters
}

func (clusterless[V, D]) SearchClustersFromIVFIndex([]int64, []D, int, []V, int64, Selector, json.RawMessage) (
	[]D, []int64, error,
) {
	return nil, nil, errNoClusters
}

// DistCompute is refused: only binary indexes ask again for what they found.
func (x *IndexImpl) DistCompute([]float32, []int64) ([]float32, error) { return nil, errFloatOnly }

// A BinaryIndexImpl would keep bits. There is none.
type BinaryIndexImpl struct{ clusterless[uint8, int32] }

// BinaryIndexFactory refuses to make one.
func BinaryIndexFactory(int, string) (*BinaryIndexImpl, error) { return nil, errFloatOnly }

// ReadBinaryIndexFromBuffer refuses to read one.
func ReadBinaryIndexFromBuffer([]byte, int) (*BinaryIndexImpl, error) { return nil, errFloatOnly }

// WriteBinaryIndexIntoBuffer refuses to write one.
func WriteBinaryIndexIntoBuffer(*BinaryIndexImpl) ([]byte, error) { return nil, errFloatOnly }

// D is 0.
func (*BinaryIndexImpl) D() int { return 0 }

// Ntotal is 0.
func (*BinaryIndexImpl) Ntotal() int64 { return 0 }

// Size is 0.
func (*BinaryIndexImpl) Size() uint64 { return 0 }

// Add refuses.
func (*BinaryIndexImpl) Add([]uint8) error { return errFloatOnly }

// SearchWithOptions refuses.
func (*BinaryIndexImpl) SearchWithOptions([]uint8, int64, Selector, json.RawMessage) ([]int32, []int64, error) {
	return nil, nil, errFloatOnly
}

// RealToBinary has nothing to make bits for.
func RealToBinary([]float32, int) []uint8 { return nil }

// A GPUIndexImpl would be on a GPU. There is none.
type GPUIndexImpl struct{ IndexImpl }

// Search refuses.
func (*GPUIndexImpl) Search([]float32, int64) ([]float32, []int64, error) {
	return nil, nil, errFloatOnly
}

// CloneToGPU refuses; searches then go to the index itself.
func CloneToGPU(*IndexImpl) (*GPUIndexImpl, error) { return nil, errFloatOnly }

// CloneToCPU refuses.
func CloneToCPU(*GPUIndexImpl) (*IndexImpl, error) { return nil, errFloatOnly }
