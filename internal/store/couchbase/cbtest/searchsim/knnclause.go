package searchsim

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// A knnClause asks for the K nearest of Vector.
type knnClause struct {
	Field        string          `json:"field"`
	Vector       []float32       `json:"vector"`
	VectorBase64 string          `json:"vector_base64"`
	K            int64           `json:"k"`
	Boost        *float64        `json:"boost"`
	Filter       json.RawMessage `json:"filter"`
	Params       json.RawMessage `json:"params"`

	vector []float32
	filter clause // nil for all documents
}

func parseKNN(raw json.RawMessage, prefilter bool) (knnClause, error) {
	var k knnClause
	if string(raw) == "null" {
		return k, errors.New("knn query cannot be nil")
	}
	if err := strict(raw, &k); err != nil {
		return k, err
	}
	if !asksNothing(k.Params) {
		return k, fmt.Errorf("searchsim does not implement %q of knn: %s", "params", k.Params)
	}
	var err error
	if k.vector = k.Vector; len(k.vector) == 0 && k.VectorBase64 != "" {
		if k.vector, err = decodeVector(k.VectorBase64); err != nil {
			return k, err
		}
	}
	if prefilter && len(k.Filter) > 0 && string(k.Filter) != "null" {
		k.filter, err = parseQuery(k.Filter)
	}
	return k, err
}

// check refuses what the engine of an index refuses.
func (k knnClause) check() error {
	switch {
	case k.K <= 0 || len(k.vector) == 0:
		return errors.New("k must be greater than 0 and vector must be non-empty")
	case k.K > maxK:
		return fmt.Errorf("k must be less than %d", maxK)
	}
	return nil
}

// decodeVector reads little-endian float32 in base64.
func decodeVector(encoded string) ([]float32, error) {
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return nil, err
	}
	if len(data)%4 != 0 {
		return nil, fmt.Errorf("a vector of %d bytes is not one of float32", len(data))
	}
	vector := make([]float32, len(data)/4)
	for i := range vector {
		vector[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		if f := float64(vector[i]); math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, errors.New("a vector has a component that is not a number")
		}
	}
	return vector, nil
}
