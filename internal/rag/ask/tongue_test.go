package ask

import (
	"testing"

	"github.com/ragnav/ragnav/internal/rag/ask/extract"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

func TestTongueOf(t *testing.T) {
	for question, want := range map[string]bool{
		"Wie werden Optionen mit mehreren Werten verarbeitet?":   true,
		"Wo wird die Klasse CliRunner definiert?":                true,
		"Comment fonctionne le pool de connexions ?":             true,
		"¿Cómo se manejan las redirecciones en el cliente HTTP?": true,
		"Como o roteador escolhe uma rota com parâmetros?":       true,
		"Come viene scelto il gestore della richiesta?":          true,
		"Hoe wordt het verzoek naar de server gestuurd?":         true,
		"重定向是如何处理的?":                                             true,
		"AsyncClient 如何处理 timeout 参数":                            true,
		"Как Gson обрабатывает null значения?":                   true,
		"How does the router choose a route?":                    false,
		"Add de and el translations to the locale":               false,
		"mark it as no-op on the os":                             false,
		"del par su et on die was an man":                        false,
		"What is the type of AsyncClient in 東京?":                 false,
		"CliRunner": false,
		"":          false,
	} {
		if got := tongueOf(question) != nil; got != want {
			t.Errorf("%q: %v", question, got)
		}
	}
	const question = "Wie wird die Klasse CliRunner, mit `env`, benutzt?"
	if got := tongueOf(question).without(question); got != "how is class CliRunner, `env`, benutzt?" {
		t.Errorf("without what says nothing: %q", got)
	}
}

// Questions are put in English words that searches and answers take for a question.
func TestInEnglish(t *testing.T) {
	for question, want := range map[string]string{
		"Wie kann ich eine Datei umbenennen?":              "how do I file rename?",
		"Was passiert, wenn der Puffer voll ist?":          "what happens when buffer full ?",
		"Wo werden die Anfragen gezählt?":                  "where is request count?",
		"Welche Ausnahmen wirft der Client?":               "which exception throw Client?",
		"Où le fichier .env est-il chargé ?":               "where is file .env - load ?",
		"Que se passe-t-il quand une requête échoue ?":     "what happens when request fail ?",
		"¿Qué ocurre cuando falla la conexión?":            "what happens when fail connection?",
		"¿Por qué se cierran las conexiones con ServeMux?": "why does cierran connection ServeMux?",
		"Como o roteador escolhe uma rota com parâmetros?": "how is roteador escolhe rota parâmetros?",
	} {
		if got := tongueOf(question).without(question); got != want {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
}

// Nobody can tell what a question of unknown words is about; one known word is enough
// to be answered.
func TestQuestionsInOtherTongues(t *testing.T) {
	const question = "Wie werden die Optionen verarbeitet?"
	b := bounds{asked: inquiry{req: Request{Query: question}, tongue: tongueOf(question)}, notes: newNotes(nil)}
	for known, want := range map[string]extract.Verdict{"": {Unclear: true}, "Optionen": {}, "die": {Unclear: true}} {
		words := []search.Word{{Text: "Optionen", Of: 9}, {Text: "die", Of: 9}, {Text: "verarbeitet", Of: 9}}
		for i := range words {
			if words[i].Text == known {
				words[i].In = 3
			}
		}
		item := models.SearchResult{DocumentID: "file:o/r:a.go", Weak: true}
		resp := search.Response{Words: words, Result: models.OKResult([]models.SearchResult{item})}
		v, err := b.foreign(t.Context(), map[models.Level]search.Response{models.LevelFile: resp}, nil)
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

func TestEnglishStaysInLines(t *testing.T) {
	t.Parallel()
	const text = "Cursor is lost\n\nwhen a page is reloaded"
	if got := tongueOf(text).without(text + "\n"); got != text {
		t.Errorf("without a tongue: %q, want %q", got, text)
	}
}
