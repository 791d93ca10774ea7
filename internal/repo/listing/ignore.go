package listing

import (
	"fmt"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// A rule is one line of an ignore file.
type rule struct {
	file    string // the ignore file, relative to the root
	line    int    // 1-indexed
	text    string // as written
	negated bool   // "!": brings back
	dirs    bool   // ends in "/": only folders
	base    bool   // without another "/": matches the last segment
	literal string // the whole pattern, when it has no special characters
	suffix  string // what follows a "*" that is the pattern's only one
	glob    string // for doublestar, else
}

// String is how coverage shows a rule.
func (r *rule) String() string {
	return fmt.Sprintf("rule %q in %s line %d", r.text, r.file, r.line)
}

// parseRules reads an ignore file as gitignore(5) says.
func parseRules(file, text string) []rule {
	var rules []rule
	n := 0
	for line := range strings.SplitSeq(strings.TrimPrefix(text, "\ufeff"), "\n") {
		n++
		if r, ok := parseRule(strings.TrimSuffix(line, "\r")); ok {
			r.file, r.line = file, n
			rules = append(rules, r)
		}
	}
	return rules
}

func parseRule(line string) (rule, bool) {
	line = trimSpaces(line)
	r := rule{text: line}
	if strings.HasPrefix(line, "#") {
		return r, false
	}
	p, negated := strings.CutPrefix(line, "!")
	p, dirs := strings.CutSuffix(p, "/")
	r.negated, r.dirs, r.base = negated, dirs, !strings.Contains(p, "/")
	p = strings.TrimPrefix(p, "/")
	switch special := strings.ContainsAny(p, `*?[\`); {
	case p == "":
		return r, false
	case !special:
		r.literal = p
	case r.base && p[0] == '*' && !strings.ContainsAny(p[1:], `*?[\`):
		r.suffix = p[1:]
	default:
		r.glob = doublestarOf(p, r.base)
	}
	return r, true
}

// trimSpaces removes spaces at the end that no backslash protects.
func trimSpaces(line string) string {
	for strings.HasSuffix(line, " ") && !escapedEnd(line[:len(line)-1]) {
		line = line[:len(line)-1]
	}
	return line
}

// escapedEnd reports whether what follows line is escaped by it.
func escapedEnd(line string) bool {
	return (len(line)-len(strings.TrimRight(line, `\`)))%2 == 1
}

// matches holds the rule against a path relative to the rule's folder.
func (r *rule) matches(rel string, isDir bool) bool {
	if r.dirs && !isDir {
		return false
	}
	if r.base {
		rel = relpath.Base(rel)
	}
	switch {
	case r.literal != "":
		return rel == r.literal
	case r.glob == "":
		return strings.HasSuffix(rel, r.suffix)
	}
	ok, err := doublestar.Match(r.glob, rel)
	return ok && err == nil // like git, a pattern that is not well-formed matches nothing
}

// doublestarOf writes a gitignore pattern as one of doublestar: braces are
// literal, and a final "/**" does not match the folder itself.
func doublestarOf(p string, base bool) string {
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '{', '}':
			b.WriteByte('\\')
			b.WriteByte(p[i])
		case '\\':
			b.WriteByte(p[i])
			if i++; i < len(p) {
				b.WriteByte(p[i])
			}
		case '[':
			class, size := bracket(p[i:])
			b.WriteString(class)
			i += size - 1
		default:
			b.WriteByte(p[i])
		}
	}
	if !base && strings.HasSuffix(p, "/**") {
		b.WriteString("/*")
	}
	return b.String()
}

var posixClasses = map[string]string{
	"alnum": "0-9A-Za-z", "alpha": "A-Za-z", "blank": " \t", "digit": "0-9", "lower": "a-z",
	"space": " \t\n\v\f\r", "upper": "A-Z", "xdigit": "0-9A-Fa-f",
	"punct": "\\!\"#$%&'()*+,\\-.:;<=>?@\\[\\\\\\]\\^_`{|}~",
}

// bracket rewrites the bracket expression that p begins with, and returns how
// many bytes of p it takes: "]" right after the opening is literal, [:class:]
// becomes ranges, and a slash is never matched.
func bracket(p string) (class string, size int) {
	var b strings.Builder
	b.WriteByte('[')
	i := 1
	if i < len(p) && (p[i] == '!' || p[i] == '^') {
		b.WriteString("^/")
		i++
	}
	for start := i; i < len(p); i++ {
		name, _, posix := strings.Cut(strings.TrimPrefix(p[i:], "[:"), ":]")
		posix = posix && strings.HasPrefix(p[i:], "[:")
		switch {
		case posix && posixClasses[name] != "":
			b.WriteString(posixClasses[name])
			i += len(name) + 3
		case p[i] == ']' && i > start:
			b.WriteByte(']')
			return b.String(), i + 1
		case p[i] == '/':
		case p[i] == ']', p[i] == '[':
			b.WriteByte('\\')
			b.WriteByte(p[i])
		case p[i] == '\\' && i+1 < len(p):
			b.WriteString(p[i : i+2])
			i++
		default:
			b.WriteByte(p[i])
		}
	}
	return p, len(p) // no closing bracket: not well-formed, matches nothing
}
