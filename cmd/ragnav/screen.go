package main

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-isatty"
	"golang.org/x/term"
)

// defaultWidth is the width of a terminal that does not tell its own.
const defaultWidth = 100

// A screen prints readable replies. On a terminal it may use colour and cuts
// long lines; piped it prints plain text.
type screen struct {
	out, err io.Writer
	terminal bool // out is one
	progress bool // err is one
	colour   bool
	width    int
	height   int   // of the terminal; 0 if it is not known
	failed   error // the first failure to write to out
}

// newScreen looks at what out and err are. NO_COLOR in the environment, when
// not empty, forbids colour (https://no-color.org).
func newScreen(out, err io.Writer, getenv func(string) string) *screen {
	s := &screen{out: out, err: err, terminal: isTerminal(out), progress: isTerminal(err), width: defaultWidth}
	s.colour = s.terminal && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
	if f, ok := out.(*os.File); ok && s.terminal {
		if w, h, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			s.width, s.height = w, h
		}
	}
	return s
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}

func (s *screen) printf(format string, args ...any) {
	if _, err := fmt.Fprintf(s.out, format, args...); err != nil && s.failed == nil {
		s.failed = fmt.Errorf("write the output: %w", err)
	}
}

// note prints a line beside the reply, on the error stream.
func (s *screen) note(format string, args ...any) {
	_, _ = fmt.Fprintf(s.err, "ragnav: %s\n", s.safe(fmt.Sprintf(format, args...)))
}

// The styles of a terminal.
const (
	bold  = "\x1b[1m"
	dim   = "\x1b[2m"
	green = "\x1b[32m"
	red   = "\x1b[31m"
	amber = "\x1b[33m"
	reset = "\x1b[0m"
)

// styled is text in a style, where colour is allowed.
func (s *screen) styled(style, text string) string {
	if !s.colour || text == "" {
		return text
	}
	return style + text + reset
}

var styles = regexp.MustCompile("\x1b\\[[0-9;]*m")

// fits reports whether a line needs no second row of the terminal.
func (s *screen) fits(line string) bool {
	return !s.terminal || utf8.RuneCountInString(styles.ReplaceAllString(line, "")) <= s.width
}

// safe is text of a repository as a terminal may see it: control characters
// could rewrite the screen or the user's input, and those that override the
// direction of text show other code than there is, so they become "�" there.
func (s *screen) safe(text string) string {
	if !s.terminal && !s.progress {
		return text
	}
	return strings.Map(func(r rune) rune {
		if r != '\t' && r != '\n' && unicode.IsControl(r) || overrides(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// overrides reports whether a character embeds, overrides or isolates the
// direction of the text behind it, or ends that (Unicode Standard Annex 9).
func overrides(r rune) bool { return '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069' }

// cut is a line that fits the terminal behind an indent of that many columns.
func (s *screen) cut(line string, indent int) string {
	line = strings.ReplaceAll(s.safe(line), "\t", "    ")
	limit := max(20, s.width-indent-1)
	if runes := []rune(line); s.terminal && len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return line
}

// marked is a line without its indentation, as cut would have it, with some
// places of it, in characters, in bold.
func (s *screen) marked(line string, places [][2]int, indent int) string {
	runes := []rune(s.safe(line))
	start := 0
	for start < len(runes) && unicode.IsSpace(runes[start]) {
		start++
	}
	end, tail := len(runes), ""
	if limit := max(20, s.width-indent-1); s.terminal && end-start > limit {
		end, tail = start+limit, "…"
	}
	var b strings.Builder
	at := start
	for _, p := range places {
		if p[0] >= at && p[1] <= end {
			b.WriteString(string(runes[at:p[0]]))
			b.WriteString(s.styled(bold, string(runes[p[0]:p[1]])))
			at = p[1]
		}
	}
	b.WriteString(string(runes[at:end]))
	return strings.ReplaceAll(b.String(), "\t", "    ") + tail
}

// maxColumn is the widest cell that all other rows leave room for.
const maxColumn = 80

// table prints rows in columns. A cell wider than maxColumn, such as a path
// that is very deep, moves what follows in its own row only.
func (s *screen) table(rows ...[]string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if n := utf8.RuneCountInString(s.safe(cell)); n <= maxColumn {
				widths[i] = max(widths[i], n)
			}
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			cell = s.safe(cell)
			line.WriteString(cell)
			line.WriteString(strings.Repeat(" ", max(0, widths[i]-utf8.RuneCountInString(cell))+len("  ")))
		}
		s.printf("%s\n", strings.TrimRight(line.String(), " \n"))
	}
}

// counted is "1 file", "1,204 files", "2 repositories".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		noun = stem + "ie"
	}
	return thousands(n) + " " + noun + "s"
}

func thousands(n int) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// text is *p, or "" for nil.
func text(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}
