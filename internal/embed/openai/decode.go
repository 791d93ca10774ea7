package openai

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/ragnav/ragnav/internal/embed"
)

// A reply is what a server answers, as far as it is of use here.
type reply struct {
	Data []struct {
		Index     *int   `json:"index"`
		Embedding vector `json:"embedding"`
	} `json:"data"`
	Error json.RawMessage `json:"error"` // some servers send it with status 200
}

// failed reports whether there is an error in place of vectors.
func (r reply) failed() bool {
	return len(r.Data) == 0 && len(r.Error) > 0 && !bytes.Equal(r.Error, []byte("null"))
}

// decode reads a reply. JSON has no NaN, but some servers write it.
func decode(data []byte) (r reply, err error) {
	if err = json.Unmarshal(data, &r); err == nil {
		return r, nil
	}
	r = reply{}
	numbers := strings.NewReplacer("NaN", "null", "-Infinity", "null", "Infinity", "null").Replace(string(data))
	return r, json.Unmarshal([]byte(numbers), &r)
}

// A vector is decoded from numbers, or from the base64 of little-endian float32s.
type vector []float32

// UnmarshalJSON implements json.Unmarshaler. A null is how servers write a
// component that is no number.
func (v *vector) UnmarshalJSON(data []byte) error {
	switch text := len(data) > 0 && data[0] == '"'; {
	case !text && bytes.IndexByte(data, 'n') >= 0:
		var components []*float32
		err := json.Unmarshal(data, &components)
		*v = make(vector, len(components))
		for i, c := range components {
			(*v)[i] = float32(math.NaN())
			if c != nil {
				(*v)[i] = *c
			}
		}
		return err
	case !text:
		return json.Unmarshal(data, (*[]float32)(v))
	}
	raw, err := base64.StdEncoding.AppendDecode(nil, data[1:len(data)-1])
	if err != nil || len(raw)%4 != 0 {
		return errors.New("a vector is not the base64 of numbers")
	}
	*v = make(vector, len(raw)/4)
	for i := range *v {
		(*v)[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return nil
}

// vectors are those of n texts, in their order and of length 1. Each must have
// dims components, if dims is not 0.
func (r reply) vectors(n, dims int) ([][]float32, error) {
	if len(r.Data) != n {
		return nil, fmt.Errorf("%d vectors of %d texts", len(r.Data), n)
	}
	out := make([][]float32, n)
	for i, d := range r.Data {
		at := i
		if d.Index != nil {
			at = *d.Index
		}
		if at < 0 || at >= n || out[at] != nil {
			return nil, fmt.Errorf("a vector with the index %d, of %d texts", at, n)
		}
		if len(d.Embedding) == 0 {
			return nil, errNoDirection
		}
		dims = cmp.Or(dims, len(d.Embedding))
		if len(d.Embedding) != dims {
			return nil, dimsError{len(d.Embedding), dims}
		}
		if out[at] = embed.Unit(d.Embedding); out[at] == nil {
			return nil, errNoDirection
		}
	}
	return out, nil
}

// A dimsError tells of a vector with another number of components than it should have.
type dimsError struct{ got, want int }

func (e dimsError) Error() string {
	return fmt.Sprintf("a vector of %d components in place of %d", e.got, e.want)
}

// errNoDirection is of vectors that can't be compared.
var errNoDirection = errors.New("a vector that is empty or zero, or has components that are no numbers")
