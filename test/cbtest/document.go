package cbtest

import (
	"encoding/json"
	"time"

	"github.com/couchbase/gocbcore/v10/memd"
)

// The server's limits of a document, in bytes.
const (
	maxKey           = 250 // in the default collection
	maxCollectionKey = 246 // in any other
	maxValue         = 20 << 20
)

// relativeExpiry is the longest expiry in seconds that counts from now; a
// larger number is a time in Unix seconds.
const relativeExpiry = 30 * 24 * 60 * 60

// A document is immutable but for its cached fields; a mutation replaces it.
type document struct {
	value  []byte
	flags  uint32
	cas    uint64
	expiry uint32 // Unix seconds, 0 for never
	seqno  uint64
	json   bool
	fields map[string]any // short scalars of the top level, for queries; see scalars
}

// A write is one mutation as a client asks for it.
type write struct {
	command        memd.CmdCode // Set, Add or Replace
	key            string
	value          []byte
	flags          uint32
	expiry         uint32 // as on the wire: relative or absolute
	preserveExpiry bool
	cas            uint64 // 0 for any
}

// A token is what a mutation returns, so that others can wait for it.
type token struct{ cas, vbuuid, seqno uint64 }

// checkKey tells whether the server takes key in c.
func checkKey(c *collection, key string) bool {
	limit := maxCollectionKey
	if c.id == 0 {
		limit = maxKey
	}
	return key != "" && len(key) <= limit
}

// expireAt turns an expiry of the wire into Unix seconds.
func expireAt(expiry uint32, now time.Time) uint32 {
	if expiry == 0 || expiry > relativeExpiry {
		return expiry
	}
	return uint32(now.Unix()) + expiry
}

func (d *document) expired(now time.Time) bool {
	return d.expiry != 0 && now.Unix() >= int64(d.expiry)
}

// longScalar is the length in bytes up to which a value is kept decoded.
const longScalar = 512

// scalars returns the strings, numbers and booleans of the top level of the
// document, which is what queries compare. Long strings, such as vectors, are
// left out of it: no condition compares them.
func (d *document) scalars() map[string]any {
	if d.fields != nil || !d.json {
		return d.fields
	}
	d.fields = map[string]any{}
	var raw map[string]json.RawMessage
	if json.Unmarshal(d.value, &raw) != nil {
		return d.fields // JSON, but no object
	}
	for name, v := range raw {
		if len(v) > longScalar || v[0] == '{' || v[0] == '[' {
			continue
		}
		var scalar any
		if json.Unmarshal(v, &scalar) == nil && scalar != nil {
			d.fields[name] = scalar
		}
	}
	return d.fields
}
