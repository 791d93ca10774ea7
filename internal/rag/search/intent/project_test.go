package intent

import (
	"testing"

	"github.com/ragnav/ragnav/internal/rag/models"
)

func TestAboutEntry(t *testing.T) {
	for question, want := range map[string]bool{
		"main entry point":                      true,
		"where is the entry point of gin-web":   true,
		"Where are the entry-points?":           true,
		"Where does the program start?":         true,
		"where does execution begin":            true,
		"What is the main function?":            true,
		"where are the entry points of the cli": true,
		"entry points":                          false,
		`"main function"`:                       false,
		"Where does the gin-web server start?":  false,
		"How are entry points read?":            false,
		"where are entry points defined":        false,
		"which function starts the service":     false,
		"main source file structure":            false,
		"Where does the new code begin?":        false,
		"Where does reading this code start?":   false,
		"Where should I start?":                 false,
		"where to start in this codebase":       false,
		"the entry point of the plugin loader":  false,
		"How are entries pointed at?":           false,
		"start":                                 false,
		"main":                                  false,
		"where does the server start listening": false,
		"What does the main layout do?":         false,
	} {
		if got := AboutEntry(question, "o/gin-web"); got != want {
			t.Errorf("%q: %v", question, got)
		}
	}
}

func TestAboutProject(t *testing.T) {
	const repo = "o/gin-web"
	for question, want := range map[string]bool{
		"overview":     true,
		"architecture": true,
		"Give me an overview of the architecture":        true,
		"an overview of gin web":                         true,
		"How is this organised?":                         true,
		"How is gin-web structured?":                     true,
		"Where do I start?":                              true,
		"Where should I start reading the code?":         true,
		"I'm new here, what should I read first?":        true,
		"What is this?":                                  true,
		"What does it do":                                true,
		"What does gin-web do?":                          true,
		"What is this project for?":                      true,
		"How does this library work?":                    true,
		"What are the main components?":                  true,
		"project structure":                              true,
		"high-level design of the system":                true,
		"What is the purpose of this repository":         true,
		"high-level design":                              true,
		"overall structure":                              true,
		"How is this built?":                             true,
		"How is gin-web built?":                          true,
		"How does it work under the hood?":               true,
		"How is the index built?":                        false,
		"main layout":                                    false,
		"gin-web":                                        false,
		"gin":                                            false,
		"structure":                                      false,
		"start":                                          false,
		"What does start do?":                            false,
		"where is layout":                                false,
		"What does the layout do?":                       false,
		"Where is the application?":                      false,
		"How is routing organised?":                      false,
		"overview of the retry policy":                   false,
		"Where does the server start?":                   false,
		"What does this project do about retries?":       false,
		"How does the package manager resolve versions?": false,
		"How is redis structured?":                       false,
		"":                                               false,
	} {
		if got := AboutProject(question, repo); got != want {
			t.Errorf("AboutProject(%q) = %v", question, got)
		}
	}
	if AboutProject("How is gin structured?", "o/gin*") {
		t.Error("the glob of a filter is taken for a name")
	}
}

func TestMeant(t *testing.T) {
	repos := []models.Repository{
		{RepoID: "google/gson"},
		{RepoID: "o/gin-web"},
		{RepoID: "t/table"},
		{RepoID: "laravel/framework"},
		{RepoID: "a/twin"},
		{RepoID: "b/twin"},
		{RepoID: "_"},
		{RepoID: "repo-caddy"},
	}
	for question, want := range map[string]models.RepoID{
		"What does gson do?":                 "google/gson",
		"what is Gson":                       "google/gson",
		"How is gin-web structured?":         "o/gin-web",
		"How is gin structured?":             "",
		"Explain the gson library":           "google/gson",
		"What is a table?":                   "",
		"What is caddy for?":                 "repo-caddy",
		"Explain the table":                  "",
		"How is table built?":                "t/table",
		"What does this framework do?":       "",
		"What is twin?":                      "",
		"How does gson parse dates?":         "",
		"What is this?":                      "",
		"gson":                               "",
		"Is gson like gin-web?":              "",
		"Give me an overview of google gson": "",
		"":                                   "",
	} {
		if got := Meant(question, repos); got != want {
			t.Errorf("Meant(%q) = %q, want %q", question, got, want)
		}
	}
	if got := Meant("What is gson?", repos[:1]); got != "" {
		t.Errorf("of the only repository %q", got)
	}
}

// What is asked of a project by its name is searched without that name, unless the
// name may be that of a thing.
func TestWithoutName(t *testing.T) {
	for _, tc := range []struct{ question, repo, want string }{
		{"How does Thor install remote thor files?", "rails/thor", "How does install remote thor files?"},
		{"How does a request flow through axum?", "tokio-rs/axum", "How does a request flow ?"},
		{"How is a click handled by the page?", "pallets/click", "How is a click handled by the page?"},
		{"How are requests sent again?", "psf/requests", "How are requests sent again?"},
		{"How does koa-compose call the next one?", "koajs/koa", "How does koa-compose call the next one?"},
		{"How does koa work?", "koajs/koa", "How does koa work?"},
		{"How does koa set a cookie?", "koajs/*", "How does koa set a cookie?"},
		{"How does koa set a cookie?", "", "How does koa set a cookie?"},
	} {
		if got := WithoutName(tc.question, tc.repo); got != tc.want {
			t.Errorf("%q of %s: %q, want %q", tc.question, tc.repo, got, tc.want)
		}
	}
}
