package resolve

// Languages are those whose scopes and imports are known, by the names of
// go-enry.
func Languages() map[string]Language {
	out := map[string]Language{
		"Go": goLanguage{}, "Python": pythonLanguage{}, "Java": javaLanguage{}, "C": clikeLanguage{}, "C++": clikeLanguage{}, "Rust": rustLanguage{},
		"TypeScript": scriptLanguage{}, "TSX": scriptLanguage{}, "JavaScript": scriptLanguage{}, "JSX": scriptLanguage{},
	}
	for _, name := range []string{"C#", "Ruby", "PHP", "Shell", "Kotlin", "Scala", "Swift", "Lua"} {
		out[name] = genericLanguage{name}
	}
	return out
}
