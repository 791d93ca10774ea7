package search

import "testing"

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
