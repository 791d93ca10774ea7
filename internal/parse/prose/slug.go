package prose

import (
	"strings"
	"unicode"
)

// emptySlug is the slug, and the heading, where there is nothing to make it of.
const emptySlug = "section"

// slug is the anchor that GitHub makes of a heading, without the number that
// tells equal ones apart: lower case, spaces as "-", and of the other
// characters only letters, digits, "-" and "_". It is emptySlug where
// nothing is left.
func slug(heading string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(strings.TrimSpace(heading)) {
		switch {
		case r == ' ' || r == '\t':
			b.WriteByte('-')
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r):
			b.WriteRune(r)
		}
	}
	if strings.Trim(b.String(), "-") == "" {
		return emptySlug
	}
	return b.String()
}
