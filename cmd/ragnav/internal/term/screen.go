// Package term writes to terminals: colours, tables, and text that can't harm them.
package term

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

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
	if w, h := sizeOf(out, s.Terminal); w > 0 {
		s.Width, s.Height = w, h
	} else if w, _ := sizeOf(err, s.Progress); w > 0 {
		s.Width = w
	}
	return s
}

// sizeOf is the size of a terminal; 0 if it is none, or doesn't tell.
func sizeOf(w io.Writer, terminal bool) (columns, rows int) {
	f, ok := w.(*os.File)
	if !ok || !terminal {
		return 0, 0
	}
	columns, rows, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0, 0
	}
	return columns, rows
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

// Note prints a line beside the reply, on the error stream; on a terminal wrapped
// between words.
func (s *Screen) Note(format string, args ...any) {
	text := "ragnav: " + s.Safe(fmt.Sprintf(format, args...))
	if s.Progress {
		text = Wrap(text, s.Width, 2)
	}
	_, _ = fmt.Fprintln(s.Err, text)
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
