package prose

import (
	"html"
	"strings"
	"unicode"

	"github.com/ragnav/ragnav/internal/parse/lex"
	"github.com/ragnav/ragnav/internal/pattern"
)

// maxInline is the length of a line in bytes above which its markup is left
// alone, and maxSpanned that of a link or an emphasis.
const (
	maxInline  = 5000
	maxSpanned = 400
)

// plain is a line of Markdown as it reads: links and images as their text, no
// badges, no emphasis, no HTML. Code spans keep what is in them.
func plain(line string) string { return plainLine(line, false) }

func plainLine(line string, badges bool) string {
	line = strings.TrimRight(line, " \t\r")
	if len(line) > maxInline || !strings.ContainsAny(line, "[*_<&`\\") {
		return line
	}
	p := plainer{text: line, badges: badges}
	p.out.Grow(len(line))
	for p.i < len(p.text) {
		p.step()
	}
	if text := p.out.String(); strings.IndexByte(text, '&') < 0 {
		return text
	}
	return html.UnescapeString(p.out.String())
}

// plainer walks over a line and writes what is left of it.
type plainer struct {
	text   string
	badges bool // their text stays
	i      int
	out    strings.Builder
}

func (p *plainer) step() {
	switch c := p.text[p.i]; c {
	case '`':
		p.code()
	case '!':
		if !strings.HasPrefix(p.text[p.i:], "![") {
			p.keep(1)
			return
		}
		p.i++
		p.skip(badge(p.ahead(p.i), false))
	case '[':
		p.link()
	case '<':
		p.tag()
	case '*', '_':
		p.emphasis(c)
	case '\\':
		if p.i+1 < len(p.text) && !lex.IsWord(p.text[p.i+1]) && p.text[p.i+1] > ' ' {
			p.i++
		}
		p.keep(1)
	default:
		n := strings.IndexAny(p.text[p.i:], "`![<*_\\")
		if n < 0 {
			n = len(p.text) - p.i
		}
		p.keep(n)
	}
}

func (p *plainer) keep(n int) {
	n = min(n, len(p.text)-p.i)
	p.out.WriteString(p.text[p.i : p.i+n])
	p.i += n
}

// skip passes over a badge of n bytes, and the blanks behind one that begins the line.
func (p *plainer) skip(n int) {
	if n == 0 || p.badges {
		return
	}
	for p.i += n; p.out.Len() == 0 && p.i < len(p.text) && p.text[p.i] == ' '; p.i++ {
	}
}

// ahead is the text from i on as far as markup is followed.
func (p *plainer) ahead(i int) string { return p.text[i:min(len(p.text), i+maxSpanned)] }

// run is how often the byte at i is repeated.
func (p *plainer) run(i int) int {
	n := 1
	for i+n < len(p.text) && p.text[i+n] == p.text[i] {
		n++
	}
	return n
}

func (p *plainer) code() {
	n := p.run(p.i)
	fence := p.text[p.i : p.i+n]
	inner, _, ok := strings.Cut(p.ahead(p.i+n), fence)
	if !ok {
		p.keep(n)
		return
	}
	p.out.WriteString(inner)
	p.i += len(inner) + 2*n
}

// link is for "[": a wikilink, a link, or just a bracket.
func (p *plainer) link() {
	rest := p.ahead(p.i)
	if target, _, ok := strings.Cut(rest, "]]"); ok && strings.HasPrefix(rest, "[[") {
		p.i += len(target) + 2
		_, label, ok := strings.Cut(target, "|")
		if !ok {
			label = target[2:]
		}
		p.out.WriteString(label)
		return
	}
	end := matching(rest, '[', ']')
	if end < 0 || end+1 >= len(rest) {
		p.keep(1)
		return
	}
	size := 0
	switch rest[end+1] {
	case '(':
		size = matching(p.ahead(p.i+end+1), '(', ')') + 1
	case '[':
		size = matching(p.ahead(p.i+end+1), '[', ']') + 1
	}
	if size <= 0 {
		p.keep(1)
		return
	}
	if !p.badges && strings.HasPrefix(rest, "[![") && badge(rest[2:end], true) == end-2 {
		p.skip(end + 1 + size)
		return
	}
	// What is between the brackets may have markup too.
	p.text = p.text[:p.i] + rest[1:end] + p.text[p.i+end+1+size:]
}

var badgeURL = pattern.NewLazy(`(?i)badge|shields\.io|/workflows/|build[-_]?status|status_?icon`)

// badge is the length of an image at the beginning of a text, without its "!", that
// tells how a project fares and not what it is; 0 for others.
func badge(s string, linked bool) int {
	end := matching(s, '[', ']') + 1
	if end == 0 || end >= len(s) || s[end] != '(' {
		return 0
	}
	size := matching(s[end:], '(', ')') + 1
	url, _, _ := strings.Cut(s[end:end+size], "?")
	drawn := linked && strings.HasSuffix(strings.Trim(url, "()"), ".svg")
	if size > 0 && (drawn || badgeURL().MatchString(s[end:end+size])) {
		return end + size
	}
	return 0
}

// matching is the offset of the bracket that closes the first byte of s, or -1.
func matching(s string, open, closing byte) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case open:
			depth++
		case closing:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

func (p *plainer) tag() {
	rest := p.ahead(p.i)
	end := strings.IndexByte(rest, '>')
	if end < 0 || len(rest) < 3 || !lex.IsLetter(rest[1]) && rest[1] != '/' && rest[1] != '!' ||
		strings.IndexByte(rest[1:end], '<') >= 0 {
		p.keep(1)
		return
	}
	if strings.Contains(rest[:end], "://") && !strings.Contains(rest[:end], " ") { // an autolink
		p.out.WriteString(rest[1:end])
	}
	p.i += end + 1
}

// emphasis drops the stars and underscores that have a partner.
func (p *plainer) emphasis(c byte) {
	n := p.run(p.i)
	before, after := byte(' '), byte(' ')
	if p.i > 0 {
		before = p.text[p.i-1]
	}
	if p.i+n < len(p.text) {
		after = p.text[p.i+n]
	}
	mark := p.text[p.i : p.i+n]
	opens := after > ' ' && !lex.IsWord(before) && strings.Contains(p.ahead(p.i+n), mark)
	closes := before > ' ' && !lex.IsWord(after) && strings.Contains(p.text[max(0, p.i-maxSpanned):p.i], mark)
	if n <= 3 && (opens || closes) && (c == '*' || n < 3) {
		p.i += n
		return
	}
	p.keep(n)
}

var altText = pattern.NewLazy(`\balt="([^"]+)"`)

// headingText is a heading as it reads; for one that is only an image, what
// stands for that.
func headingText(s string) string {
	text := strings.Join(strings.Fields(plainLine(s, true)), " ")
	if m := altText().FindStringSubmatch(s); text == "" && m != nil {
		return m[1]
	}
	return text
}

var codeSpan = pattern.NewLazy("``[^`]+``|`[^`]+`")

// inlineTags are the #tags of a line, without those in code. A tag stands
// alone and has a character that is not a digit.
func inlineTags(line string) []string {
	if strings.IndexByte(line, '#') < 0 || len(line) > maxInline {
		return nil
	}
	var tags []string
	before, rest, ok := strings.Cut(withoutCode(line), "#")
	for ; ok; before, rest, ok = strings.Cut(rest, "#") {
		if before != "" && strings.IndexByte(" \t(,", before[len(before)-1]) < 0 {
			continue
		}
		tag := rest
		if end := strings.IndexFunc(rest, notInTag); end >= 0 {
			tag = rest[:end]
		}
		if strings.Trim(tag, "0123456789/-_") != "" {
			tags = append(tags, tag)
		}
	}
	return tags
}

func notInTag(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '_' && r != '/' && r != '-'
}

// wikilinks are the targets of a line's [[links]], without heading and label.
func wikilinks(line string) []string {
	if !strings.Contains(line, "[[") || len(line) > maxInline {
		return nil
	}
	var links []string
	for rest := withoutCode(line); ; {
		_, after, ok := strings.Cut(rest, "[[")
		if !ok {
			return links
		}
		target, after, ok := strings.Cut(after, "]]")
		if !ok {
			return links
		}
		if i := strings.IndexAny(target, "|#["); i >= 0 {
			target = target[:i]
		}
		if target = strings.TrimSpace(target); target != "" {
			links = append(links, target)
		}
		rest = after
	}
}

func withoutCode(line string) string {
	if strings.IndexByte(line, '`') < 0 {
		return line
	}
	return codeSpan().ReplaceAllString(line, "")
}
