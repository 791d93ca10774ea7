package filekind

import (
	"path"
	"strings"
)

// headerBytes of a header are looked at for what only C++ has.
const headerBytes = 256 << 10

// Dialect is the language of a text whose name says language: C++ or Objective-C for a
// header (.h) that has in it what C has not, whoever includes it; language else. It
// depends on the text alone, unlike Classify, which also goes by likelihood.
func Dialect(p, language, text string) string {
	if language != "C" || !strings.EqualFold(path.Ext(p), ".h") {
		return language
	}
	text = text[:min(len(text), headerBytes)]
	switch {
	case isCPlusPlus(text):
		return "C++"
	case isObjectiveC(text):
		return "Objective-C"
	}
	return language
}

// isObjectiveC reports whether a line of a header, comments apart, can't be C. One that tells by
// __OBJC__ who includes it is also one of C.
func isObjectiveC(text string) bool {
	if !strings.Contains(text, "@") && !strings.Contains(text, "import") || strings.Contains(text, "__OBJC__") {
		return false
	}
	comment := false
	for line := range strings.Lines(text) {
		line, comment = withoutComments(line, comment)
		line = strings.TrimLeft(line, " \t")
		if rest, ok := strings.CutPrefix(line, "@"); ok {
			switch word, _ := leadingWord(rest); word {
			case "interface", "protocol", "class", "property", "end", "import":
				return true
			}
		}
		if rest, ok := strings.CutPrefix(line, "#"); ok && strings.HasPrefix(strings.TrimLeft(rest, " \t"), "import") {
			return true
		}
	}
	return false
}

// isCPlusPlus reports whether a line of a header, comments apart, can't be C.
func isCPlusPlus(text string) bool {
	comment := false
	for line := range strings.Lines(text) {
		if line, comment = withoutComments(line, comment); onlyCPlusPlus(strings.TrimSpace(line)) {
			return true
		}
	}
	return false
}

// withoutComments is a line without its comments, and whether one is open at its
// end. That comment marks may be in strings is of no matter here.
func withoutComments(line string, open bool) (string, bool) {
	var kept strings.Builder
	for {
		if open {
			_, after, ended := strings.Cut(line, "*/")
			if !ended {
				return kept.String(), true
			}
			line = after
		}
		i := strings.IndexByte(line, '/')
		for i >= 0 && i+1 < len(line) && line[i+1] != '/' && line[i+1] != '*' {
			next := strings.IndexByte(line[i+1:], '/')
			if next < 0 {
				i = -1
				break
			}
			i += 1 + next
		}
		switch {
		case i < 0 || i+1 >= len(line):
			kept.WriteString(line)
			return kept.String(), false
		case line[i+1] == '/':
			kept.WriteString(line[:i])
			return kept.String(), false
		}
		kept.WriteString(line[:i])
		line, open = line[i+2:], true
	}
}

func onlyCPlusPlus(line string) bool {
	word, rest := leadingWord(line)
	switch word {
	case "class", "namespace", "virtual":
		name, _ := leadingWord(strings.TrimLeft(rest, " \t"))
		return name != "" || word == "namespace" && strings.HasPrefix(strings.TrimLeft(rest, " \t"), "{")
	case "template":
		return strings.HasPrefix(strings.TrimLeft(rest, " \t"), "<")
	case "public", "private", "protected":
		return strings.HasPrefix(strings.TrimLeft(rest, " \t"), ":")
	case "using":
		rest = strings.TrimLeft(rest, " \t")
		return strings.HasPrefix(rest, "namespace ") || strings.Contains(rest, "::") || strings.Contains(rest, "=")
	case "":
		if include, ok := strings.CutPrefix(strings.TrimLeft(strings.TrimPrefix(line, "#"), " \t"), "include"); ok &&
			strings.HasPrefix(line, "#") {
			file, _, closed := strings.Cut(strings.TrimPrefix(strings.TrimSpace(include), "<"), ">")
			return closed && !strings.ContainsAny(file, "./") // C's own headers end in .h
		}
	}
	return strings.Contains(line, "std::")
}

// leadingWord is the identifier that a line begins with, and what follows.
func leadingWord(line string) (word, rest string) {
	i := 0
	for i < len(line) && (line[i] == '_' || line[i]|0x20 >= 'a' && line[i]|0x20 <= 'z' || i > 0 && line[i] >= '0' &&
		line[i] <= '9') {
		i++
	}
	return line[:i], line[i:]
}
