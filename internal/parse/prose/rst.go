package prose

import (
	"strings"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/pattern"
)

var (
	rstRole   = pattern.NewLazy(":[\\w.:+-]+:`~?!?([^`<>]*?)(?:\\s*<[^`<>]*>)?`")
	rstLink   = pattern.NewLazy("`([^`<>]+?)\\s*(?:<[^`<>]*>)?`__?")
	rstTarget = pattern.NewLazy(`^\s*\.\. (?:_[^:]+:|\|[^|]+\||contents::|toctree::|image::|highlight::)`)
)

// parseRST reads reStructuredText. The levels of headings are those of their
// lines' styles in order of appearance.
func parseRST(f parse.File) parse.Outline {
	lines := parse.SplitLines(f.Text)
	b := &sectionBuilder{file: f.Path}
	var styles []string
	for n := 0; n < len(lines); n++ {
		if end := rstCommentEnd(lines, n); end > n {
			n = end - 1
			continue
		}
		title, style, height := rstTitle(lines, n)
		if height == 0 {
			b.prose(rstPlain(lines[n]), n+1)
			continue
		}
		level := 0
		for level < len(styles) && styles[level] != style {
			level++
		}
		if level == len(styles) {
			styles = append(styles, style)
		}
		b.heading(min(level+1, 6), title, n+1)
		n += height - 1
	}
	total := parse.Lines(f.Text)
	return b.outline(total, total)
}

// rstCommentEnd is the line behind the comment that begins on line n, or n.
func rstCommentEnd(lines []string, n int) int {
	rest, ok := strings.CutPrefix(strings.TrimRight(lines[n], " \t\r"), "..")
	if !ok || rest != "" && rest[0] != ' ' || strings.Contains(rest, "::") || strings.HasPrefix(rest, " _") ||
		strings.HasPrefix(rest, " [") {
		return n
	}
	end := n + 1
	for i := end; i < len(lines); i++ {
		switch line := strings.TrimRight(lines[i], "\r"); {
		case strings.TrimSpace(line) == "":
		case line[0] == ' ' || line[0] == '\t':
			end = i + 1
		default:
			return end
		}
	}
	return end
}

// rstTitle is the heading that begins on line n: its text, its style, and
// how many lines it takes; 0 when there is none.
func rstTitle(lines []string, n int) (title, style string, height int) {
	line := func(i int) string {
		if i >= len(lines) {
			return ""
		}
		return strings.TrimRight(lines[i], " \t\r")
	}
	if over := ruler(line(n)); over != 0 {
		text := strings.TrimSpace(line(n + 1))
		if text != "" && ruler(line(n+1)) == 0 && line(n+2) == line(n) && utf8.RuneCountInString(text) <= len(line(n)) {
			return rstHeading(text), string(over) + "over", 3
		}
		return "", "", 0
	}
	text, under := line(n), line(n+1)
	if text == "" || text[0] == ' ' || text[0] == '\t' || strings.HasPrefix(text, "..") {
		return "", "", 0
	}
	if c := ruler(under); c != 0 && len(under) >= min(utf8.RuneCountInString(text), 4) &&
		(n == 0 || line(n-1) == "" || ruler(line(n-1)) != 0) {
		return rstHeading(text), string(c), 2
	}
	return "", "", 0
}

// ruler is the character that a line under or over a heading is made of, or 0.
func ruler(line string) byte {
	if len(line) < 2 || strings.IndexByte("=-~^\"'#*+`:._<>!$%&,/;?@\\|", line[0]) < 0 ||
		strings.Trim(line, line[:1]) != "" {
		return 0
	}
	if len(line) == 2 && (line == ".." || line == "::") {
		return 0
	}
	return line[0]
}

func rstHeading(s string) string {
	return strings.Join(strings.Fields(strings.Trim(headingText(rstPlain(s)), "`")), " ")
}

// rstPlain is a line as it reads, roles and links as their text.
func rstPlain(line string) string {
	if rstTarget().MatchString(line) {
		return ""
	}
	if strings.IndexByte(line, '`') < 0 || len(line) > maxInline {
		return line
	}
	line = rstRole().ReplaceAllString(line, "$1")
	return rstLink().ReplaceAllString(line, "$1")
}
