package compose

import (
	"strings"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/pattern"
)

// Clip cuts s to at most n bytes at a rune boundary, at the end of a line where
// that costs less than a quarter of the text.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	if i := strings.LastIndexByte(s[:n], '\n'); i > n*3/4 {
		n = i
	}
	return s[:n]
}

// Shorten is clip with a mark where something was cut off.
func Shorten(s string, n int) string {
	if cut := Clip(s, n); len(cut) < len(s) {
		return strings.TrimRight(cut, " \t\r\n") + " …"
	}
	return s
}

// OneLine joins the words of s with single spaces.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

var (
	sentenceEnd  = pattern.NewLazy(`^(?:[.!?](\s+[\p{Lu}\p{N}"'(\[]|\s*$)|\n\s*\n)`)
	abbreviation = pattern.NewLazy(`(?i)(^|[\s(])(jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|e\.?g|i\.?e|cf|vs|fig|vol|approx|` +
		`resp|ca|al|mr|mrs|ms|dr|st|jr|inc|ltd|corp)$`)
)

// FirstSentence is the first sentence of a comment on one line of at most about
// 160 bytes. The point of an abbreviation ends none.
func FirstSentence(s string) string {
	s = Clip(strings.TrimSpace(s), 600)
	for end := range len(s) {
		if strings.IndexByte(".!?\n", s[end]) < 0 {
			continue
		}
		loc := sentenceEnd().FindStringIndex(s[end:])
		if loc == nil || s[end] == '.' && end+loc[1] < len(s) && abbreviation().MatchString(s[:end]) {
			continue
		}
		s = s[:end+1]
		break
	}
	return Shorten(OneLine(s), 160)
}

// firstParagraph is the text up to the first blank line, on one line of at most
// about n bytes. Paragraphs that state a licence are passed over.
func firstParagraph(s string, n int) string {
	for p := range strings.SplitSeq(strings.ReplaceAll(s, "\r\n", "\n"), "\n\n") {
		if p = OneLine(Clip(p, 4*n)); p != "" && !isLicence(p) {
			return Shorten(p, n)
		}
	}
	return ""
}

var licence = pattern.NewLazy(
	`(?i)^(copyright|\(c\)|©|spdx-|licensed|the .{1,30}license|all rights reserved|use of this source code|this file is ` +
		`part of|permission is hereby)|license-identifier`)

// keyword is what version control of old writes into files: "$OpenBSD: a.c,v 1.4 2026/07/14 nicm Exp $".
var keyword = pattern.NewLazy(`\$(?:Id|Header|Date|Author|Rev|Revision|URL|HeadURL|LastChanged\w+|\w+BSD)(?:: [^$\n]*)?\$|` +
	`\$[A-Z]\w*: [^$\n]*,v [^$\n]*\$`)

func isLicence(paragraph string) bool { return licence().MatchString(paragraph) }

// pathWords is a path as words to index: folders and the name without its
// extension.
func pathWords(file string) string {
	base := file[strings.LastIndexByte(file, '/')+1:]
	if i := strings.LastIndexByte(base, '.'); i > 0 {
		file = file[:len(file)-len(base)+i]
	}
	return strings.ReplaceAll(strings.TrimRight(file, "/"), "/", " ")
}

// times repeats a word for its weight in a text field.
func times(n int, word string) string {
	if word == "" {
		return ""
	}
	return strings.Repeat(word+" ", n)
}

// BaseName is a file's name without folder and extension.
func BaseName(file string) string {
	base := file[strings.LastIndexByte(file, '/')+1:]
	if i := strings.LastIndexByte(base, '.'); i > 0 {
		return base[:i]
	}
	return base
}
