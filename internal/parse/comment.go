package parse

import "strings"

// CleanComment removes the markers of a comment that begins with open ("//",
// "#", "/*" …) from its text, which may be several line comments in a row.
// Lines that only decorate ("-----", "*****") are left out.
func CleanComment(raw, open, closing string) string {
	if closing != "" {
		raw = strings.TrimSuffix(strings.TrimPrefix(raw, open), closing)
	}
	var lines []string
	for line := range strings.Lines(raw) {
		line = strings.TrimSpace(line)
		if closing == "" {
			line = trimMarker(line, open)
		} else {
			line = trimStar(line)
		}
		if line != "" && isDecoration(line) {
			line = ""
		}
		lines = append(lines, line)
	}
	text := JoinTrimmed(lines)
	if !strings.Contains(text, "ummary>") && !strings.Contains(text, "para>") {
		return text
	}
	return docTags.Replace(text)
}

// docTags are the tags that say nothing in C#'s comments.
var docTags = strings.NewReplacer("<summary>\n", "", "\n</summary>", "", "<summary>", "", "</summary>", "", "<para>",
	"", "</para>", "")

// trimMarker removes "//" and what may follow it: "///", "//!", "##", ";;;".
func trimMarker(line, open string) string {
	rest, ok := strings.CutPrefix(line, open)
	if !ok || open == "" {
		return line
	}
	rest = strings.TrimLeft(rest, open[len(open)-1:])
	if open == "//" {
		rest = strings.TrimPrefix(rest, "!")
	}
	rest = strings.TrimPrefix(strings.TrimPrefix(rest, "'"), " ")   // roxygen's mark
	rest = strings.TrimPrefix(strings.TrimPrefix(rest, "| "), "^ ") // Haddock's marks
	return strings.TrimRight(rest, " \t")
}

// trimStar removes the star at the start of a line of a block comment, and
// those at the end of one line blocks like "/*** x ***/".
func trimStar(line string) string {
	rest := strings.TrimLeft(line, "*")
	if rest != line && (rest == "" || rest[0] == ' ' || rest[0] == '\t' || rest[0] == '!') {
		line = strings.TrimPrefix(rest, "!")
	}
	return strings.TrimSpace(strings.TrimRight(line, "*"))
}

func isDecoration(line string) bool {
	return len(line) >= 3 && strings.Trim(line, "-=*#~/_+%;:. \t") == ""
}

// JoinTrimmed joins lines without the blank ones at both ends, and with runs
// of blank ones as one.
func JoinTrimmed(lines []string) string {
	var out strings.Builder
	gap := false
	for _, line := range lines {
		if strings.TrimSpace(line) == "" {
			gap = out.Len() > 0
			continue
		}
		if gap {
			out.WriteByte('\n')
		}
		if out.Len() > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(line)
		gap = false
	}
	return out.String()
}

// toolPhrases mark a comment as written for a tool rather than a reader.
var toolPhrases = []string{
	"-*-", "vim:", "eslint", "@ts-", "@flow", "jshint", "tslint", "prettier-", "istanbul ", "pylint:", "flake8:", "noqa",
	"mypy:", "frozen_string_literal", "<reference ", "rubocop:", "coding:", "do not edit", "build ", "go:build ",
	"+build ", "#!",
}

// SummaryText is a leading comment, without the lines for tools; empty for a
// licence header.
func SummaryText(comment string) string {
	if isLicence(comment) {
		return ""
	}
	var lines []string
	for line := range strings.Lines(comment) {
		if line = strings.TrimRight(line, "\r\n"); !isForTools(line) {
			lines = append(lines, line)
		}
	}
	return JoinTrimmed(lines)
}

func isForTools(line string) bool {
	line = strings.ToLower(line)
	for _, phrase := range toolPhrases {
		if strings.HasPrefix(line, phrase) || phrase == "-*-" && strings.Contains(line, phrase) {
			return true
		}
	}
	return strings.HasPrefix(line, "code generated ") || strings.HasPrefix(line, "!/")
}

// MaxSignature is the length in bytes that signatures are cut to.
const MaxSignature = 300

// Fold makes text one line: runs of white space become one space, and what is
// over maxSignature is cut on a character boundary and marked with "…".
func Fold(text string) string {
	var out strings.Builder
	for field := range strings.FieldsSeq(text) {
		if out.Len() > 0 {
			out.WriteByte(' ')
		}
		out.WriteString(field)
		if out.Len() > MaxSignature {
			break
		}
	}
	s := out.String()
	if len(s) <= MaxSignature {
		return s
	}
	return strings.ToValidUTF8(s[:MaxSignature-len("…")], "") + "…"
}
