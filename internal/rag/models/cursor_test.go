package models_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/rag/models"
)

func TestCursorAt(t *testing.T) {
	for name, want := range map[string]models.Position{
		"put in order":      {Offset: 300, Shown: models.Sum([]models.DocumentID{"x", "y"}), Order: []byte{2, 0, 1}},
		"in the order made": {Offset: 3, Shown: 7, Order: []byte{}},
	} {
		got, err := models.CursorPosition(models.CursorAt(want, "a"), "a")
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
		if _, err := models.CursorOffset(models.CursorAt(want, "a"), "a"); err == nil {
			t.Errorf("%s: a position passes where there is an offset only", name)
		}
	}
	if got, err := models.CursorPosition("", "a"); err != nil || got.Offset != 0 {
		t.Errorf("the first page is at %v, %v", got, err)
	}
	at := func(order ...byte) models.Position { return models.Position{Offset: 3, Order: order} }
	for name, cursor := range map[string]string{
		"of another list": models.CursorAt(at(2, 0, 1), "b"), "a place twice": models.CursorAt(at(0, 0), "a"),
		"a place too high": models.CursorAt(at(0, 2), "a"), "no offset": models.Cursor(3, "a")[:5], "no cursor": "§",
		"an offset only": models.Cursor(3, "a"),
	} {
		if _, err := models.CursorPosition(cursor, "a"); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
