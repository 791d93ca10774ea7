package highlight

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
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
var opens = pattern.NewLazy(`(?:[(=,\[{:+]|(?:^|\W)[rRbBfFuU~sS]{1,2})$`)

// inside is what was opened before a text that is a part of a file, so far as it
// tells: a string or comment of which it has the end, but not the beginning, or
// neither, but the words of one; then closed is its end.
func inside(language, text string) (opened, closed string) {
	switch {
	case slices.Contains(quoted, language):
		if within, without := said(text); within > without || within == without && endsString(text) {
			return `"""`, ""
		}
		if !strings.Contains(text, `"""`) && prose(text) {
			return `"""`, `"""`
		}
	case slices.Contains(braced, language):
		if endsComment(text) {
			return "/*", ""
		}
		if !strings.Contains(text, "/*") && !strings.Contains(text, "*/") && prose(text) {
			return "/*", "*/"
		}
	}
	return "", ""
}

// spoken are words that code hardly has, but sentences; coded is what sentences
// hardly have: how lines of code end, comments of one line, texts in calls.
var (
	spoken = pattern.NewLazy(`(?i)\b(?:the|an?|of|to|be|been|must|should|will|may|can|this|that|these|your?|it|its|are|` +
		`was|were|has|have|by|which|when|so|such|there|also|but|own)\b`)
	coded = pattern.NewLazy(`[;{}(=]\s*$|^\s*(?:#|//|--)|[=({\[]\s*["']|["'][,)\]]`)
)

// header is how a class or function ends its first line, behind which a string
// that says what it is for begins.
var header = pattern.NewLazy(`(?:^|\n)[ \t]*(?:(?:async )?def|class)\b[^\n]*:\s*$|\)(?: *->[^\n:]*)?:\s*$`)

// said is how many lines of sentences a text has within three quotes and without,
// if its first ones end a string. What follows the header of a definition decides.
func said(text string) (within, without int) {
	parts := strings.Split(text, `"""`)
	if len(parts) == 1 {
		return 0, 0
	}
	sum := [2]int{}
	for i, part := range parts {
		if i+1 < len(parts) && header().MatchString(part) {
			return i % 2, 1 - i%2
		}
		for line := range strings.Lines(part) {
			if sentence(line) {
				sum[i%2]++
			}
		}
	}
	return sum[0], sum[1]
}

// sentence reports whether a line is rather of a sentence than of code.
func sentence(line string) bool {
	return !coded().MatchString(line) && len(spoken().FindAllStringIndex(line, 2)) > 1
}

// prose reports whether a text is sentences from its first line on, and mostly.
func prose(text string) bool {
	lines, said, first := 0, 0, false
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		is := sentence(line)
		if lines++; is {
			said++
		}
		if lines == 1 {
			first = is
		}
	}
	return first && 2*said > lines
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
	return bare == strings.TrimLeft(before, " \t") && !opens().MatchString(bare)
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
