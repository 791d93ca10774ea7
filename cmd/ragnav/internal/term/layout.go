package term

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"github.com/ragnav/ragnav/internal/pattern"
)

var styles = pattern.NewLazy("\x1b\\[[0-9;]*m")

// Columns is how many columns of a terminal a line takes, which may be styled:
// two for a wide character as of Chinese or an emoji, none for a mark above one.
func Columns(line string) int {
	n := 0
	for _, r := range styles().ReplaceAllString(line, "") {
		n += columnsOf(r)
	}
	return n
}

func columnsOf(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	default:
		return 1
	}
}

// first are the first characters of a text that take at most so many columns.
func first(runes []rune, columns int) []rune {
	for i, r := range runes {
		if columns -= columnsOf(r); columns < 0 {
			return runes[:i]
		}
	}
	return runes
}

// Fits reports whether a line needs no second row of the terminal.
func (s *Screen) Fits(line string) bool { return !s.Terminal || Columns(line) <= s.Width }

// Wrap is a text whose lines are broken between words so that they take at most
// so many columns, and go on behind an indent. A word that is longer stays whole:
// it is a path or a command to be copied.
func Wrap(text string, columns, indent int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if Columns(line) > columns {
			lines[i] = wrapLine(line, columns, indent)
		}
	}
	return strings.Join(lines, "\n")
}

func wrapLine(line string, columns, indent int) string {
	bare := strings.TrimLeft(line, " ")
	var b strings.Builder
	b.WriteString(line[:len(line)-len(bare)])
	at, begun, spaces := len(line)-len(bare), false, 0
	for word := range strings.SplitSeq(bare, " ") {
		n := Columns(word)
		switch {
		case begun && n > 0 && at+spaces+n > columns:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		case begun && word != "":
			b.WriteString(strings.Repeat(" ", spaces))
			at += spaces
		}
		if word != "" {
			b.WriteString(word)
			at, begun, spaces = at+n, true, 0
		}
		spaces++
	}
	return b.String()
}

// Wrapped prints a line, on a terminal wrapped between words, behind an indent.
func (s *Screen) Wrapped(line string, indent int) {
	if s.Terminal {
		line = Wrap(line, s.Width, indent)
	}
	s.Printf("%s\n", line)
}

// Pair prints two parts of a line, the second of which begins with the space
// between them: one below the other, behind an indent, where they don't fit side by
// side, and the second one wrapped between words. Nothing is cut: what it prints can
// be copied.
func (s *Screen) Pair(head, tail string, indent int) {
	if !s.Fits(head + tail) {
		tail = "\n" + Wrap(strings.Repeat(" ", indent)+strings.TrimLeft(tail, " "), s.Width, indent+2)
	}
	s.Printf("%s\n", strings.TrimRight(head+tail, " "))
}

// Row is a line that may be styled in one row of the terminal: it is cut.
func (s *Screen) Row(line string) string {
	if s.Fits(line) {
		return line
	}
	var b strings.Builder
	columns, styled := 0, false
	for len(line) > 0 {
		if m := styles().FindStringIndex(line); m != nil && m[0] == 0 {
			b.WriteString(line[:m[1]])
			styled = line[:m[1]] != reset
			line = line[m[1]:]
			continue
		}
		r, size := utf8.DecodeRuneInString(line)
		if columns += columnsOf(r); columns >= s.Width {
			break
		}
		b.WriteString(line[:size])
		line = line[size:]
	}
	if styled {
		b.WriteString(reset)
	}
	return b.String() + "…"
}

// Broken is a line that may be styled as rows of at most so many columns: anywhere,
// as a terminal breaks it.
func (s *Screen) Broken(line string, columns int) []string {
	if columns = max(columns, leastColumn); !s.Terminal || Columns(line) <= columns {
		return []string{line}
	}
	var rows []string
	var row strings.Builder
	style, at := "", 0
	for len(line) > 0 {
		if m := styles().FindStringIndex(line); m != nil && m[0] == 0 {
			if style = line[:m[1]]; style == reset {
				style = ""
			}
			row.WriteString(line[:m[1]])
			line = line[m[1]:]
			continue
		}
		r, size := utf8.DecodeRuneInString(line)
		if at += columnsOf(r); at > columns {
			if style != "" {
				row.WriteString(reset)
			}
			rows = append(rows, row.String())
			row.Reset()
			row.WriteString(style)
			at = columnsOf(r)
		}
		row.WriteString(line[:size])
		line = line[size:]
	}
	return append(rows, row.String())
}

// Cut is a line that fits the terminal behind an indent of that many columns.
func (s *Screen) Cut(line string, indent int) string {
	line = strings.ReplaceAll(s.Safe(line), "\t", "    ")
	limit := max(20, s.Width-indent-1)
	if s.Terminal && Columns(line) > limit {
		return string(first([]rune(line), limit)) + "…"
	}
	return line
}

// Marked is a line without its indentation, as Cut would have it, with some
// places of it, in characters, in bold. The first of them is always shown.
func (s *Screen) Marked(line string, places [][2]int, indent int) string {
	runes := []rune(strings.ReplaceAll(s.Safe(line), "\t", " "))
	start := 0
	for start < len(runes) && unicode.IsSpace(runes[start]) {
		start++
	}
	end, lead, tail := len(runes), "", ""
	if limit := max(20, s.Width-indent-1); s.Terminal && Columns(string(runes[start:])) > limit {
		if len(places) > 0 && places[0][1] <= len(runes) && Columns(string(runes[start:places[0][1]])) > limit {
			start, lead = max(start, places[0][1]-limit+1), "…"
			start, limit = min(start, places[0][0]), limit-1
		}
		if end = start + len(first(runes[start:], limit)); end < len(runes) {
			tail = "…"
		}
	}
	var b strings.Builder
	at := start
	for _, p := range places {
		if p[0] >= at && p[1] <= end {
			b.WriteString(string(runes[at:p[0]]))
			b.WriteString(s.Styled(Bold, string(runes[p[0]:p[1]])))
			at = p[1]
		}
	}
	b.WriteString(string(runes[at:end]))
	return lead + b.String() + tail
}

// maxColumn is the widest cell that all other rows leave room for; leastColumn the
// narrowest last column that a terminal still has room for beside the others.
const (
	maxColumn   = 80
	leastColumn = 16
)

// Table prints rows in columns. A cell wider than maxColumn, such as a path
// that is very deep, moves what follows in its own row only. On a terminal the
// last column is wrapped between words; where there is no room for it, it stands
// below its row.
func (s *Screen) Table(rows ...[]string) {
	widths := s.widths(rows)
	for _, row := range rows {
		last := len(row) - 1
		for last > 0 && row[last] == "" {
			last--
		}
		var line strings.Builder
		for i, cell := range row[:last] {
			cell = s.Safe(cell)
			line.WriteString(cell + strings.Repeat(" ", max(0, widths[i]-Columns(cell))+len("  ")))
		}
		text := strings.TrimRight(s.Safe(row[last]), " \n")
		before := Columns(line.String())
		switch {
		case s.Fits(line.String() + text):
			s.Printf("%s\n", strings.TrimRight(line.String()+text, " \n"))
		case last > 0 && s.Width-before < leastColumn:
			row := Wrap(strings.TrimRight(line.String(), " "), s.Width, 4)
			s.Printf("%s\n%s\n", row, Wrap("    "+text, s.Width, 4))
		default:
			s.Printf("%s\n", Wrap(line.String()+text, s.Width, before))
		}
	}
}

// widths are those of the columns of a table.
func (s *Screen) widths(rows [][]string) (widths []int) {
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if n := Columns(s.Safe(cell)); n <= maxColumn {
				widths[i] = max(widths[i], n)
			}
		}
	}
	return widths
}

// TableFits reports whether no row of a table would be wrapped.
func (s *Screen) TableFits(rows ...[]string) bool {
	sum := 0
	for _, n := range s.widths(rows) {
		sum += n + len("  ")
	}
	return !s.Terminal || sum-len("  ") <= s.Width
}

// Rows is how many rows of the terminal a text takes.
func (s *Screen) Rows(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		n += 1 + max(0, Columns(strings.TrimRight(line, "\n"))-1)/max(1, s.Width)
	}
	return n
}
