// Package languages is the list of languages whose names can be resolved.
package languages

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/lexical"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/nav/resolve/byname"
	"github.com/ragnav/ragnav/internal/nav/resolve/clike"
	"github.com/ragnav/ragnav/internal/nav/resolve/elixir"
	"github.com/ragnav/ragnav/internal/nav/resolve/golang"
	"github.com/ragnav/ragnav/internal/nav/resolve/objc"
	"github.com/ragnav/ragnav/internal/nav/resolve/packaged"
	"github.com/ragnav/ragnav/internal/nav/resolve/python"
	"github.com/ragnav/ragnav/internal/nav/resolve/ruby"
	"github.com/ragnav/ragnav/internal/nav/resolve/rust"
	"github.com/ragnav/ragnav/internal/nav/resolve/scala"
	"github.com/ragnav/ragnav/internal/nav/resolve/script"
	"github.com/ragnav/ragnav/internal/nav/resolve/swift"
)

// All are those whose scopes and imports are known, by the names of go-enry.
func All() map[string]resolve.Language {
	all := map[string]resolve.Language{
		"Go": golang.Language{}, "Python": python.Language{}, "Rust": rust.Language{}, "C": clike.Language{},
		"C++":        clike.Language{},
		"TypeScript": script.Language{}, "TSX": script.Language{}, "JavaScript": script.Language{}, "JSX": script.Language{},
		"Vue": script.Language{}, "Svelte": script.Language{}, "Astro": script.Language{},
		"Java": packaged.Java, "C#": packaged.Csharp, "Kotlin": packaged.Kotlin, "PHP": packaged.Php, "Ruby": ruby.Language,
		"Elixir": elixir.Language,
		"Shell":  byname.Of("Shell"), "Scala": scala.Language{}, "Swift": swift.Language{}, "Lua": byname.Of("Lua"),
	}
	for _, language := range lexical.Languages() {
		all[language] = byname.LexicalOf(language)
	}
	all["Objective-C"], all["Objective-C++"] = objc.Language{}, objc.Language{}
	all["HCL"], all["Nix"] = byname.TerraformOf(), byname.NixOf()
	for language := range byname.SQLNames() {
		all[language] = byname.SQLOf()
	}
	return all
}

// Meet reports whether code in a language may use what is declared in another one: both are
// resolved alike, or are compiled to be used together.
func Meet(a, b string) bool {
	known := All()
	if l, ok := known[a]; ok && l == known[b] {
		return true
	}
	return slices.ContainsFunc(together, func(these []string) bool {
		return slices.Contains(these, a) && slices.Contains(these, b)
	})
}

// together are languages with names in common.
var together = [][]string{
	{"Java", "Kotlin", "Scala", "Groovy", "Clojure"},
	{"C", "C++", "Objective-C", "Objective-C++", "Swift"},
	{"C#", "F#", "Visual Basic .NET"},
	{"Elixir", "Erlang"},
}
