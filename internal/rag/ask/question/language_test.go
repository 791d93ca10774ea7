package question

import "testing"

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
		if got := languageOf(question) != nil; got != want {
			t.Errorf("%q: %v", question, got)
		}
	}
	const question = "Wie wird die Klasse CliRunner, mit `env`, benutzt?"
	if got := languageOf(question).without(question); got != "how is class CliRunner, `env`, benutzt?" {
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
		if got := languageOf(question).without(question); got != want {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
}

func TestEnglishStaysInLines(t *testing.T) {
	t.Parallel()
	const text = "Cursor is lost\n\nwhen a page is reloaded"
	if got := languageOf(text).without(text + "\n"); got != text {
		t.Errorf("without a tongue: %q, want %q", got, text)
	}
}
