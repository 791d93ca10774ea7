// Package term writes to terminals: colours, tables, and text that can't harm them.
package term

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

// A Screen prints readable replies. On a terminal it may use colour and cuts
// long lines; piped it prints plain text.
type Screen struct {
	Out, Err io.Writer
	Terminal bool // out is one
	Progress bool // err is one
	Colour   bool
	Width    int
	Height   int   // of the terminal; 0 if it is not known
	Failed   error // the first failure to write to out
}

// New looks at what out and err are. NO_COLOR in the environment, when
// not empty, forbids colour (https://no-color.org).
func New(out, err io.Writer, getenv func(string) string) *Screen {
	s := &Screen{Out: out, Err: err, Terminal: isTerminal(out), Progress: isTerminal(err), Width: defaultWidth}
	s.Colour = s.Terminal && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
	if f, ok := out.(*os.File); ok && s.Terminal {
		if w, h, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			s.Width, s.Height = w, h
		}
	}
	return s
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}

// Printf prints to the standard output.
func (s *Screen) Printf(format string, args ...any) {
	if _, err := fmt.Fprintf(s.Out, format, args...); err != nil && s.Failed == nil {
		s.Failed = fmt.Errorf("write the output: %w", err)
	}
}

// Note prints a line beside the reply, on the error stream.
func (s *Screen) Note(format string, args ...any) {
	_, _ = fmt.Fprintf(s.Err, "ragnav: %s\n", s.Safe(fmt.Sprintf(format, args...)))
}

// The styles of a terminal. Colours are of the fixed 216, each as readable on
// white as on black (4.1:1 or more): of a terminal's own 16, green, yellow
// and cyan are usually too light for white (2.2:1, 1.7:1, 2.0:1 in xterm).
const (
	Bold    = "\x1b[1m"
	Dim     = "\x1b[2m"
	Green   = "\x1b[38;5;28m"
	Red     = "\x1b[38;5;161m"
	Amber   = "\x1b[38;5;130m"
	Cyan    = "\x1b[38;5;30m" // of code in prose
	Magenta = "\x1b[38;5;163m"
	reset   = "\x1b[0m"
)

// Styled is text in a style, where colour is allowed.
func (s *Screen) Styled(style, text string) string {
	if !s.Colour || text == "" {
		return text
	}
	return style + text + reset
}

var styles = regexp.MustCompile("\x1b\\[[0-9;]*m")

// Fits reports whether a line needs no second row of the terminal.
func (s *Screen) Fits(line string) bool {
	return !s.Terminal || utf8.RuneCountInString(styles.ReplaceAllString(line, "")) <= s.Width
}

// Row is a line that may be styled, and its tail, in one row of the terminal: the
// line is cut.
func (s *Screen) Row(line, tail string) string {
	if s.Fits(line + tail) {
		return line + tail
	}
	width := max(20, s.Width-utf8.RuneCountInString(styles.ReplaceAllString(tail, "")))
	var b strings.Builder
	columns := 0
	for len(line) > 0 {
		if m := styles.FindStringIndex(line); m != nil && m[0] == 0 {
			b.WriteString(line[:m[1]])
			line = line[m[1]:]
			continue
		}
		_, size := utf8.DecodeRuneInString(line)
		if columns++; columns < width {
			b.WriteString(line[:size])
		}
		line = line[size:]
	}
	return b.String() + "…" + tail
}

// Safe is text of a repository as a terminal may see it: control characters
// could rewrite the screen or the user's input, and those that override the
// direction of text show other code than there is, so they become "�" there.
func (s *Screen) Safe(text string) string {
	if !s.Terminal && !s.Progress {
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

// Cut is a line that fits the terminal behind an indent of that many columns.
func (s *Screen) Cut(line string, indent int) string {
	line = strings.ReplaceAll(s.Safe(line), "\t", "    ")
	limit := max(20, s.Width-indent-1)
	if runes := []rune(line); s.Terminal && len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return line
}

// Marked is a line without its indentation, as cut would have it, with some
// places of it, in characters, in bold.
func (s *Screen) Marked(line string, places [][2]int, indent int) string {
	runes := []rune(s.Safe(line))
	start := 0
	for start < len(runes) && unicode.IsSpace(runes[start]) {
		start++
	}
	end, tail := len(runes), ""
	if limit := max(20, s.Width-indent-1); s.Terminal && end-start > limit {
		end, tail = start+limit, "…"
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
	return strings.ReplaceAll(b.String(), "\t", "    ") + tail
}

// maxColumn is the widest cell that all other rows leave room for.
const maxColumn = 80

// Table prints rows in columns. A cell wider than maxColumn, such as a path
// that is very deep, moves what follows in its own row only.
func (s *Screen) Table(rows ...[]string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if n := utf8.RuneCountInString(s.Safe(cell)); n <= maxColumn {
				widths[i] = max(widths[i], n)
			}
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			cell = s.Safe(cell)
			line.WriteString(cell)
			line.WriteString(strings.Repeat(" ", max(0, widths[i]-utf8.RuneCountInString(cell))+len("  ")))
		}
		s.Printf("%s\n", strings.TrimRight(line.String(), " \n"))
	}
}

// Counted is "1 file", "1,204 files", "2 repositories".
func Counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		noun = stem + "ie"
	}
	return Thousands(n) + " " + noun + "s"
}

// Thousands is a number with commas.
func Thousands(n int) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Text is *p, or "" for nil.
func Text(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}

// Rows is how many rows of the terminal a text takes.
func (s *Screen) Rows(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		n += 1 + max(0, utf8.RuneCountInString(strings.TrimRight(line, "\n"))-1)/max(1, s.Width)
	}
	return n
}
