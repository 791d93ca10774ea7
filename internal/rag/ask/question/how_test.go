package question

import "testing"

// What asks where, when or why something is done is told how; what names a thing is not.
func TestAsHow(t *testing.T) {
	for question, want := range map[string]string{
		"where is the header parsed":              "how is the header parsed",
		"when does a breaker open?":               "how does a breaker open?",
		"why are idle connections closed":         "how are idle connections closed",
		"what happens when a handler panics":      "how does a handler panics",
		"what happens to results if one is wrong": "how does results if one is wrong",
		"how is the header parsed":                "how is the header parsed",
		"where is the class Mux defined":          "where is the class Mux defined",
		"where is ServeMux":                       "where is ServeMux",
		"which function parses the header":        "which function parses the header",
		"what is a header":                        "what is a header",
		"the header is parsed":                    "the header is parsed",
		"How do I parse a header?":                "parse a header?",
		"how can users parse a header":            "parse a header",
		"how do headers end":                      "how do headers end",
		"Is Mux safe for concurrent use?":         "Is Mux safe for concurrent use? mutex lock",
		"is it thread-safe":                       "is it thread-safe mutex lock",
		"where is the map locked":                 "how is the map locked mutex lock",
		"is it safe to delete a key":              "is it safe to delete a key",
	} {
		if got := AsHow(question); got != want {
			t.Errorf("asHow(%q) = %q, want %q", question, got, want)
		}
	}
}
