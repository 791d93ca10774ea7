package models

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"slices"
)

// errCursor is the error for a cursor that does not belong to a request.
var errCursor = errors.New("cursor is not of this request; leave it out to start at the first page")

// Cursor makes an opaque cursor for the item at offset in the list that
// request, any text that identifies the list, asks for.
func Cursor(offset int, request string) string { return CursorIn(offset, nil, request) }

// CursorIn is a Cursor of a list whose first items were put in another order: that
// of the places where they were.
func CursorIn(offset int, order []byte, request string) string {
	b := binary.BigEndian.AppendUint32(nil, fingerprint(request))
	b = binary.AppendUvarint(b, uint64(offset))
	return base64.RawURLEncoding.EncodeToString(append(b, order...))
}

// CursorOffset is the offset in a cursor made for the same request; 0 for "".
func CursorOffset(cursor, request string) (int, error) {
	offset, order, err := CursorOrder(cursor, request)
	if len(order) > 0 {
		return 0, errCursor
	}
	return offset, err
}

// CursorOrder is the offset and the order of CursorIn.
func CursorOrder(cursor, request string) (offset int, order []byte, err error) {
	if cursor == "" {
		return 0, nil, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(b) < 5 || binary.BigEndian.Uint32(b) != fingerprint(request) {
		return 0, nil, errCursor
	}
	at, n := binary.Uvarint(b[4:])
	if n <= 0 || at > 1<<30 {
		return 0, nil, errCursor
	}
	order = b[4+n:]
	sorted := slices.Clone(order)
	slices.Sort(sorted)
	for i, place := range sorted {
		if int(place) != i {
			return 0, nil, errCursor
		}
	}
	return int(at), order, nil
}

func fingerprint(s string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(s))
	return h.Sum32()
}
