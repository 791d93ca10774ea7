package resolve

// Languages are those whose scopes and imports are known, by the names of
// go-enry.
func Languages() map[string]Language {
	return map[string]Language{
		"Go": goLanguage{}, "Python": pythonLanguage{}, "Java": javaLanguage{}, "C": clikeLanguage{}, "C++": clikeLanguage{}, "Rust": rustLanguage{},
		"TypeScript": scriptLanguage{}, "TSX": scriptLanguage{}, "JavaScript": scriptLanguage{}, "JSX": scriptLanguage{},
	}
}
