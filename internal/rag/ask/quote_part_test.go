package ask_test

import (
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A part is told by the smallest symbol that holds it.
func TestAskNamesParts(t *testing.T) {
	text := "type T struct{}\n" + strings.Repeat("x\n", 8)
	part := doc(models.TypeSymbol, "a.go", "", "x\nx", 4)
	part.ID, part.Kind = "symbol:o/r:a.go:chunk#1", models.KindChunk
	c := corpus{docs: []models.Document{part}, files: map[string]string{"a.go": text}}
	file := models.Document{Header: models.Header{ID: models.FileID("o/r", "a.go"), RepoID: "o/r", FilePath: "a.go"}}
	for name, lines := range map[string][2]int{"Outer": {1, 9}, "Inner": {3, 6}, "Beside": {4, 4}} {
		d := doc(models.TypeSymbol, "a.go", name, "", lines[0])
		d.EndLine = lines[1]
		c.hidden = append(c.hidden, d)
		file.ChildrenIDs = append(file.ChildrenIDs, d.ID)
	}
	c.hidden = append(c.hidden, file)
	resp, err := ask.New(c, c, c).Ask(t.Context(), ask.Request{Query: "how is x done"})
	if err != nil {
		t.Fatal(err)
	}
	if a := resp.Items[0].Answer; strings.Count(a, "a part of `Inner`") != 2 {
		t.Errorf("the answer does not say what it is a part of: %s", a)
	}
}
