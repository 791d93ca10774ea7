package resolve

// Languages are those whose scopes and imports are known, by the names of
// go-enry.
func Languages() map[string]Language {
	out := map[string]Language{
		"Go": goLanguage{}, "Python": pythonLanguage{}, "Java": javaLanguage{packagedLanguage{genericLanguage: genericLanguage{"Java"}, separator: "."}}, "C": clikeLanguage{}, "C++": clikeLanguage{}, "Rust": rustLanguage{},
		"C#":         csharpLanguage{packagedLanguage{genericLanguage: genericLanguage{"C#"}, separator: ".", around: true}},
		"Kotlin":     packagedLanguage{genericLanguage: genericLanguage{"Kotlin"}, separator: ".", members: true},
		"PHP":        packagedLanguage{genericLanguage: genericLanguage{"PHP"}, separator: `\`, members: true, global: true},
		"Elixir":     elixirLanguage{genericLanguage{"Elixir"}},
		"Ruby":       rubyLanguage{genericLanguage{"Ruby"}},
		"TypeScript": scriptLanguage{}, "TSX": scriptLanguage{}, "JavaScript": scriptLanguage{}, "JSX": scriptLanguage{},
	}
	for _, name := range []string{"Shell", "Scala", "Swift", "Lua"} {
		out[name] = genericLanguage{name}
	}
	return out
}
