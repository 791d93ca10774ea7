package idtable

import (
	"fmt"
	"testing"
)

// A packed table finds what it found before, whatever is between, and takes more.
func TestPackedIDs(t *testing.T) {
	for _, rows := range []int32{0, 1, 8, 100, 5000} {
		ids := make([]string, rows)
		is := func(id string) func(int32) bool {
			return func(row int32) bool { return ids[row] == id }
		}
		table := New(0)
		for row := range rows {
			ids[row] = fmt.Sprint("id", row)
			table.Put(ids[row], row, is(ids[row]))
		}
		packed := table.Pack().Table()
		compare := func() {
			t.Helper()
			for row := range int32(len(ids)) + 100 { //nolint:gosec // few
				id := fmt.Sprint("id", row)
				if got, want := packed.Get(id, is(id)), table.Get(id, is(id)); got != want {
					t.Fatalf("of %d rows, %s is in row %d, not %d", rows, id, got, want)
				}
			}
		}
		compare()
		ids = append(ids, "one more")
		packed.Put("one more", rows, is("one more"))
		table.Put("one more", rows, is("one more"))
		if packed.packed != nil || packed.Pack().Size != table.Pack().Size {
			t.Errorf("of %d rows: a table that was written to is still packed", rows)
		}
		if row := packed.Get("one more", is("one more")); row != rows {
			t.Errorf("of %d rows: what was put is in row %d, not %d", rows, row, rows)
		}
		compare()
	}
}
