package highlight

import (
	"regexp"
	"slices"
	"strings"
)

// quoted are the languages with strings of several lines between three quotes,
// braced those with comments between /* and */.
var (
	quoted = []string{"Python", "Elixir"}
	braced = []string{
		"Go", "C", "C++", "C#", "Java", "JavaScript", "TypeScript", "Rust", "Kotlin", "Swift", "Scala", "PHP", "CSS", "SCSS",
		"Objective-C", "Groovy", "Dart",
	}
)

// opens is what stands before a string that begins.
var opens = regexp.MustCompile(`(?:[(=,\[{:+]|(?:^|\W)[rRbBfFuU~sS]{1,2})$`)

// inside is what was opened before a text that is a part of a file, so far as it
// tells: a string or comment of which it has the end, but not the beginning.
func inside(language, text string) string {
	switch {
	case slices.Contains(quoted, language) && endsString(text):
		return `"""`
	case slices.Contains(braced, language) && endsComment(text):
		return "/*"
	}
	return ""
}

// endsString reports whether the first three quotes of a text are the end of a
// string: they stand alone on their line, or behind text that takes no string.
func endsString(text string) bool {
	at := strings.Index(text, `"""`)
	if at < 0 {
		return false
	}
	before := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
	behind, _, _ := strings.Cut(text[at+len(`"""`):], "\n")
	if strings.TrimSpace(behind) != "" {
		return false
	}
	bare := strings.TrimSpace(before)
	if bare == "" {
		return strings.Contains(text[:at], "\n") // else it begins with one
	}
	return bare == strings.TrimLeft(before, " \t") && !opens.MatchString(bare)
}

// endsComment reports whether a comment ends in a text before another begins.
func endsComment(text string) bool {
	before, _, ends := strings.Cut(text, "*/")
	if !ends || strings.Contains(before, "/*") {
		return false
	}
	behind, _, _ := strings.Cut(text[len(before)+len("*/"):], "\n")
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return strings.TrimSpace(behind) == "" && !strings.ContainsAny(line, "\"'`")
}
