package models_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/rag/models"
)

func TestCursorIn(t *testing.T) {
	order := []byte{2, 0, 1}
	offset, got, err := models.CursorOrder(models.CursorIn(300, order, "a"), "a")
	if err != nil || offset != 300 || !cmp.Equal(order, got) {
		t.Errorf("offset %d, order %v, %v", offset, got, err)
	}
	if offset, got, err = models.CursorOrder(models.Cursor(300, "a"), "a"); err != nil || offset != 300 || len(got) != 0 {
		t.Errorf("of a plain cursor: offset %d, order %v, %v", offset, got, err)
	}
	if _, err := models.CursorOffset(models.CursorIn(3, order, "a"), "a"); err == nil {
		t.Error("an order passes where there is none")
	}
	for name, cursor := range map[string]string{
		"of another list": models.CursorIn(3, order, "b"), "a place twice": models.CursorIn(3, []byte{0, 0}, "a"),
		"a place too high": models.CursorIn(3, []byte{0, 2}, "a"), "no offset": models.Cursor(3, "a")[:5], "no cursor": "§",
	} {
		if _, _, err := models.CursorOrder(cursor, "a"); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
