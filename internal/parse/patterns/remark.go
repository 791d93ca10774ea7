package patterns

import (
	"regexp"
	"sort"
	"strings"

	"github.com/ragnav/ragnav/internal/parse/lex"
)

// directive is a comment that tells a tool something.
var directive = regexp.MustCompile(
	`^(?://go:|//export |// ?\+build|///\s*<|#!|[/#]{1,2}\s*(?:@ts-|type:|pragma|noinspection|nolint|eslint)|/\*\s*eslint)`)

// Remarks tells of each line of a text whether it has nothing but a comment that tells no
// tool anything, or is empty outside of a string; nil where the language is not known.
func Remarks(language, text string) []bool {
	l := Named(language)
	if l == nil {
		return nil
	}
	src := lex.Blank(text, l.lexis)
	all := make([]bool, len(src.Class))
	for n, class := range src.Class {
		line := strings.TrimSpace(src.RawLine(n))
		all[n] = class&(lex.HasCode|lex.InString) == 0 && !directive.MatchString(line)
	}
	return all
}

// NoCode is "comment" or "string" for what of these has the byte at an offset of a text; "" for
// code, and where the language is not known.
func NoCode(language, text string, at int) string {
	l := Named(language)
	if l == nil || at < 0 || at >= len(text) {
		return ""
	}
	src := lex.Blank(text, l.lexis)
	n := sort.Search(len(src.Comments), func(i int) bool { return src.Comments[i].End > at })
	switch {
	case n < len(src.Comments) && src.Comments[n].Start <= at:
		return "comment"
	case src.Code[at] != text[at]:
		return "string"
	}
	return ""
}
