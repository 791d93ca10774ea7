package scope

import (
	"testing"

	"github.com/ragnav/ragnav/internal/rag/ask/extract"
	"github.com/ragnav/ragnav/internal/rag/ask/question"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// Nobody can tell what a question of unknown words is about; one known word is enough
// to be answered.
func TestQuestionsInOtherTongues(t *testing.T) {
	const text = "Wie werden die Optionen verarbeitet?"
	b := Judge{Asked: question.New(text, "", "", nil), Log: nothing{}}
	for known, want := range map[string]extract.Verdict{"": {Unclear: true}, "Optionen": {}, "die": {Unclear: true}} {
		words := []search.Word{{Text: "Optionen", Of: 9}, {Text: "die", Of: 9}, {Text: "verarbeitet", Of: 9}}
		for i := range words {
			if words[i].Text == known {
				words[i].In = 3
			}
		}
		item := models.SearchResult{DocumentID: "file:o/r:a.go", Weak: true}
		resp := search.Response{Words: words, Result: models.OKResult([]models.SearchResult{item})}
		v, err := b.Foreign(t.Context(), map[models.Level]search.Response{models.LevelFile: resp}, nil)
		if err != nil || v != want {
			t.Errorf("%q is known: %+v, %v; want %+v", known, v, err, want)
		}
	}
	answer := (&extract.Answer{Verdict: extract.Verdict{Unclear: true}}).Text()
	if want := "Extractive answer, without a language model: nothing that was searched has a word of this question, " +
		"which seems not to be in English. Ask in English, or with names from the code.\n"; answer != want {
		t.Errorf("answer %q, want %q", answer, want)
	}
}
