package models

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"slices"
)

// errCursor is the error for a cursor that does not belong to a request.
var errCursor = errors.New("not of this request; leave it out to start at the first page")

// Cursor makes an opaque cursor for the item at offset in the list that
// request, any text that identifies the list, asks for.
func Cursor(offset int, request string) string { return encoded(offset, nil, request) }

// CursorOffset is the offset in a cursor made for the same request; 0 for "".
func CursorOffset(cursor, request string) (int, error) {
	offset, rest, err := decoded(cursor, request)
	if len(rest) > 0 {
		return 0, errCursor
	}
	return offset, err
}

// A Position is that of a page in a ranking, which is made anew for each page.
type Position struct {
	Offset int
	Shown  uint32 // Sum of the items before Offset, as they were shown
	Order  []byte // where the first items were before they were put in another order
}

// Sum tells sets of documents apart, whatever their order: that of two sets together
// is the sum of both.
func Sum(ids []DocumentID) (sum uint32) {
	for _, id := range ids {
		sum += fingerprint(string(id))
	}
	return sum
}

// CursorAt is a Cursor of a ranking.
func CursorAt(p Position, request string) string {
	return encoded(p.Offset, append(binary.BigEndian.AppendUint32(nil, p.Shown), p.Order...), request)
}

// CursorPosition is the position of CursorAt; the first one for "".
func CursorPosition(cursor, request string) (p Position, err error) {
	offset, rest, err := decoded(cursor, request)
	if err != nil || cursor == "" {
		return p, err
	}
	if len(rest) < 4 {
		return p, errCursor
	}
	p = Position{offset, binary.BigEndian.Uint32(rest), rest[4:]}
	sorted := slices.Clone(p.Order)
	slices.Sort(sorted)
	for i, place := range sorted {
		if int(place) != i {
			return Position{}, errCursor
		}
	}
	return p, nil
}

// Page is the items from offset on, at most limit, and the cursor of the next
// page, which is empty on the last. The cursor is made for request, see Cursor.
func Page[T any](items []T, offset, limit int, request string) (page []T, next string) {
	offset = min(offset, len(items))
	end := min(offset+limit, len(items))
	if end < len(items) {
		next = Cursor(end, request)
	}
	return items[offset:end], next
}

func encoded(offset int, rest []byte, request string) string {
	b := binary.BigEndian.AppendUint32(nil, fingerprint(request))
	b = binary.AppendUvarint(b, uint64(offset))
	return base64.RawURLEncoding.EncodeToString(append(b, rest...))
}

func decoded(cursor, request string) (offset int, rest []byte, err error) {
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
	return int(at), b[4+n:], nil
}

func fingerprint(s string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(s))
	return h.Sum32()
}
