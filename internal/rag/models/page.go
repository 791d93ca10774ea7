package models

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
