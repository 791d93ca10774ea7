package models

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/fnv"
)

// errCursor is the error for a cursor that does not belong to a request.
var errCursor = errors.New("cursor is not of this request; leave it out to start at the first page")

// Cursor makes an opaque cursor for the item at offset in the list that
// request, any text that identifies the list, asks for.
func Cursor(offset int, request string) string {
	b := binary.BigEndian.AppendUint32(nil, fingerprint(request))
	b = binary.AppendUvarint(b, uint64(offset))
	return base64.RawURLEncoding.EncodeToString(b)
}

// CursorOffset is the offset in a cursor made for the same request; 0 for "".
func CursorOffset(cursor, request string) (int, error) {
	if cursor == "" {
		return 0, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(b) < 5 || binary.BigEndian.Uint32(b) != fingerprint(request) {
		return 0, errCursor
	}
	offset, n := binary.Uvarint(b[4:])
	if n != len(b)-4 || offset > 1<<30 {
		return 0, errCursor
	}
	return int(offset), nil
}

func fingerprint(s string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(s))
	return h.Sum32()
}
