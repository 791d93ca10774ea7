package question

import "testing"

// What changed is asked of the changelog, and what the parts of something are as how it
// is structured; of a project as a whole it is asked as it is.
func TestAskedInOtherWords(t *testing.T) {
	for query, want := range map[string]string{
		"what changed recently":                   "changelog, release notes",
		"What's new in the last release?":         "changelog, release notes",
		"what has changed since the last version": "changelog, release notes",
		"what changed in the parser":              "what changed in the parser",
		"what is new in the router":               "what is new in the router",
		"what are the main parts of the server?":  "how is the server structured",
		"what are the components of a breaker":    "how is a breaker structured",
		"what are the main parts of this project": "what are the main parts of this project",
		"what are parts of speech":                "how is speech structured",
		"what parts does a URL have":              "what parts does a URL have",
	} {
		if got := (Question{Query: query}).Text(); got != want {
			t.Errorf("%q is asked as %q, want %q", query, got, want)
		}
	}
}

// What may be used is not asked of what uses it.
func TestAsksUsers(t *testing.T) {
	for question, want := range map[string]bool{
		"what uses ServeMux?":                        true,
		"where is ServeMux used?":                    true,
		"is ServeMux used by anything":               true,
		"Is ServeMux safe for concurrent use?":       false,
		"is ServeMux ready for use in production":    false,
		"which one should I use, ServeMux or Router": false,
	} {
		if _, users, _ := (Question{Query: question}).Relations(); users != want {
			t.Errorf("%s: asks for users %v", question, users)
		}
	}
}

func TestOfItself(t *testing.T) {
	for question, want := range map[string]bool{
		"does it support symbolic links?":   true,
		"Is this thread-safe?":              true,
		"can the library resume a download": true,
		"is the cache thread-safe":          false,
		"what does it support":              false,
	} {
		if got := ofItself().MatchString(question); got != want {
			t.Errorf("%s: %v", question, got)
		}
	}
}

// What is asked of the repository itself is in scope wherever it is asked.
func TestAsksOfItself(t *testing.T) {
	for question, want := range map[string]bool{
		"What is this project about?":             true,
		"Give me an overview of the architecture": true,
		"Which licence does it have?":             true,
		"Under which license is this released?":   true,
		"Where is the version number defined?":    true,
		"What are its dependencies?":              true,
		"How do I contribute?":                    true,
		"How is it built?":                        true,
		"where does the program start?":           true,
		"Which licence does a taxi driver need?":  false,
		"How is the Linux kernel compiled?":       false,
		"How is a version vector merged?":         false,
		"Who are the authors of the Bible?":       false,
		"The bridge was built in 1932":            false,
	} {
		if got := (Question{Query: question}).AsksOfItself(); got != want {
			t.Errorf("%s: %v", question, got)
		}
	}
}
