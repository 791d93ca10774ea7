package filter

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
)

const (
	wildcards = `*?[{\` // what makes a text a glob

	// maxWildcards bounds what a glob may cost: a path is matched in time
	// proportional to its length times that of the glob.
	maxWildcards = 50
)

// isPattern reports whether a text is a doublestar glob, or has no wildcards.
func isPattern(p string) bool {
	return doublestar.ValidatePattern(p) && !strings.ContainsRune(p, 0) && utf8.ValidString(p)
}

func tooLong(glob string) bool {
	return strings.Count(glob, "*") > maxWildcards || strings.Count(glob, "{") > maxWildcards
}

// anchored compiles an expression for whole paths.
func anchored(expr string) (*regexp.Regexp, error) { return regexp.Compile("^(?s:" + expr + ")$") }

// globRegexp translates a valid doublestar pattern into RE2: "*" and "?" stay
// within a segment, a segment "**" stands for any number of segments, "{a,b}"
// and "[…]" are alternatives.
func globRegexp(glob string) string {
	var b strings.Builder
	for rest, depth := glob, 0; rest != ""; {
		out, n := globToken(rest, len(rest) == len(glob) || glob[len(glob)-len(rest)-1] == '/', &depth)
		b.WriteString(out)
		rest = rest[n:]
	}
	return b.String()
}

// globToken translates the first token of rest and says how many bytes it has.
// start tells that rest begins a segment; depth counts the open braces.
func globToken(rest string, start bool, depth *int) (out string, n int) {
	switch c := rest[0]; {
	case start && strings.HasPrefix(rest, "**/"):
		return "(?:[^/]+/)*", 3
	case rest == "/**":
		return "(?:/.*)?", 3
	case start && rest == "**":
		return ".*", 2
	case c == '*':
		return "[^/]*", len(rest) - len(strings.TrimLeft(rest, "*"))
	case c == '?':
		return "[^/]", 1
	case c == '{':
		*depth++
		return "(?:", 1
	case c == '}' && *depth > 0:
		*depth--
		return ")", 1
	case c == ',' && *depth > 0:
		return "|", 1
	case c == '[':
		n = strings.IndexByte(rest[1:], ']') + 2
		return classRegexp(rest[1 : n-1]), n
	case c == '\\' && len(rest) > 1:
		out, n = literal(rest[1:])
		return out, n + 1
	}
	return literal(rest)
}

// literal quotes the first character of s for RE2 and says how many bytes it has.
func literal(s string) (out string, n int) {
	_, n = utf8.DecodeRuneInString(s)
	return regexp.QuoteMeta(s[:n]), n
}

// classRegexp translates the inside of a glob's "[…]".
func classRegexp(body string) string {
	not := ""
	if strings.HasPrefix(body, "!") || strings.HasPrefix(body, "^") {
		not, body = "^/", body[1:]
	}
	return "[" + not + strings.NewReplacer("[", `\[`, "&", `\&`, "~", `\~`).Replace(body) + "]"
}
