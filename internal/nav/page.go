package nav

import (
	"encoding/json"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A page is the part of a list that is asked for.
type page struct {
	offset, limit int
	list          string // what identifies the list
}

// newPage is the page at a cursor. list is the request without its cursor and
// limit.
func newPage(cursor string, limit *int, usual int, list any) (page, error) {
	id, err := json.Marshal(list)
	if err != nil {
		return page{}, err
	}
	p := page{limit: usual, list: string(id)}
	if limit != nil {
		p.limit = *limit
	}
	if p.offset, err = models.CursorOffset(cursor, p.list); err != nil {
		return page{}, fault.New(fault.InvalidRequest, "cursor: %v", err)
	}
	return p, nil
}

// end is how many items of the list are needed.
func (p page) end() int { return p.offset + p.limit }

// cut keeps the items of the page, of the first of a list of total, and says in
// the head of the reply what is left out. Of some lists total is the least that
// there are. A list is never nil: that would be null on the wire.
func cut[T any](p page, items []T, total int, atLeast bool, meta *models.Meta) []T {
	meta.Total, meta.TotalAtLeast = &total, atLeast
	if p.end() < total || atLeast && p.end() <= len(items) {
		meta.Truncated, meta.NextCursor = true, models.Cursor(p.end(), p.list)
	}
	meta.Truncated = meta.Truncated || atLeast
	if items == nil {
		return []T{}
	}
	return items[min(p.offset, len(items)):min(p.end(), len(items))]
}
