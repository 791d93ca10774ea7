package term

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxProse is the width of text that is read with ease, in columns.
const maxProse = 100

// Markdown prints Markdown on a terminal as it comes, in pieces: words wrapped,
// code in its colours and without fences. Piped it prints the text as it is.
// Blank lines at its end are not printed.
type Markdown struct {
	*Screen

	pending string          // of a word, or of a line whose kind is not known yet
	fence   string          // that is open, with its indentation and language cut off
	code    strings.Builder // of the block
	lang    string
	blanks  int // lines that were not printed yet

	within       bool // a line that has begun
	column, hang int  // where the next word goes; where the next row begins
	heading      bool
	strong, tick bool // what is open in this line
}

// Feed prints one more piece.
func (m *Markdown) Feed(text string) {
	if !m.Terminal {
		text = m.pending + text
		shown := strings.TrimRight(text, "\n")
		m.pending = text[len(shown):]
		m.Printf("%s", m.Safe(shown))
		return
	}
	m.pending += m.Safe(text)
	for m.step() {
	}
}

// End prints what is left of the last line, and ends it.
func (m *Markdown) End() {
	if m.Terminal {
		if m.pending != "" || m.within {
			m.Feed("\n")
		}
		if m.fence != "" {
			m.block()
		}
	} else {
		m.Printf("\n")
	}
	*m = Markdown{Screen: m.Screen}
}

// step prints a line of code or a word of prose, if there is a whole one.
func (m *Markdown) step() bool {
	line, rest, whole := strings.Cut(m.pending, "\n")
	switch {
	case m.fence != "" && whole:
		m.pending = rest
		if strings.TrimSpace(line) == m.fence {
			m.block()
		} else {
			m.code.WriteString(line + "\n")
		}
		return true
	case m.fence != "":
		return false
	case !m.within:
		return m.begin(line, rest, whole)
	}
	return m.word()
}

// begin looks at how a line begins, as soon as that tells what it is.
func (m *Markdown) begin(line, rest string, whole bool) bool {
	bare := strings.TrimLeft(line, " ")
	indent := len(line) - len(bare)
	if whole && bare == "" {
		m.pending = rest
		m.blanks++
		return true
	}
	first, _, spaced := strings.Cut(bare, " ")
	if ticks := len(bare) - len(strings.TrimLeft(bare, "`")); ticks >= 3 {
		if whole {
			m.fence, m.lang, m.pending = bare[:ticks], strings.TrimSpace(bare[ticks:]), rest
		}
		return whole
	}
	if !whole && !spaced {
		return false
	}
	m.space()
	m.within, m.column, m.hang = true, 0, indent
	m.pending = m.pending[indent:]
	switch {
	case first != "" && strings.Trim(first, "#") == "":
		m.heading, m.pending = true, m.pending[len(first):]
	case first == "-" || first == "*" || first != "." && strings.TrimLeft(first, "0123456789") == ".":
		m.put(strings.Repeat(" ", indent) + first)
		m.hang, m.pending = indent+len(first)+1, m.pending[len(first):]
	default:
		m.put(strings.Repeat(" ", indent))
	}
	return true
}

// space prints the blank lines that were held back.
func (m *Markdown) space() {
	m.Printf("%s", strings.Repeat("\n", m.blanks))
	m.blanks = 0
}

// word prints the next word of a line, if it has ended, or the line's end.
func (m *Markdown) word() bool {
	text := strings.TrimLeft(m.pending, " ")
	end := strings.IndexAny(text, " \n")
	if end < 0 {
		return false
	}
	spaced := len(text) < len(m.pending) && m.column > 0 && m.column != m.hang
	if word := text[:end]; word != "" {
		columns := m.columns(word)
		if width := min(m.Width, maxProse); m.column > m.hang && m.column+columns+1 > width {
			m.Printf("\n%s", strings.Repeat(" ", m.hang))
			m.column, spaced = m.hang, false
		}
		if m.column < m.hang || spaced {
			m.put(" ")
		}
		m.Printf("%s", m.inline(word))
		m.column += columns
	}
	m.pending = text[end:]
	if text[end] == '\n' {
		m.Printf("\n")
		m.pending = text[end+1:]
		m.within, m.heading, m.strong, m.tick = false, false, false, false
	}
	return true
}

func (m *Markdown) put(text string) {
	m.Printf("%s", text)
	m.column += Columns(text)
}

// columns is how many a word takes.
func (m *Markdown) columns(word string) int {
	strong, tick := m.strong, m.tick
	n := Columns(m.inline(word))
	m.strong, m.tick = strong, tick
	return n
}

// inline is a word in the style of where it stands. Marks of code and of what is
// strong go where colour tells the same.
func (m *Markdown) inline(word string) string {
	if !m.Colour {
		return word
	}
	var b, run strings.Builder
	flush := func() {
		style := ""
		switch {
		case m.tick:
			style = Cyan
		case m.strong || m.heading:
			style = Bold
		}
		if style == "" {
			b.WriteString(run.String())
		} else {
			b.WriteString(m.Styled(style, run.String()))
		}
		run.Reset()
	}
	for i := 0; i < len(word); {
		switch r, size := utf8.DecodeRuneInString(word[i:]); {
		case r == '`':
			flush()
			m.tick = !m.tick
			i++
		case !m.tick && strings.HasPrefix(word[i:], "**"):
			flush()
			m.strong = !m.strong
			i += 2
		default:
			if unicode.IsPrint(r) || r == unicode.ReplacementChar {
				run.WriteRune(r)
			}
			i += size
		}
	}
	flush()
	return b.String()
}

// block prints a block of code. What stands behind a line "…" goes on elsewhere in
// its file, and has colours of its own.
func (m *Markdown) block() {
	m.space()
	for i, part := range strings.Split("\n"+strings.TrimRight(m.code.String(), " \n")+"\n", "\n…\n") {
		if i > 0 {
			m.Printf("  …\n")
		}
		for _, line := range m.Code("", m.lang, strings.Trim(part, "\n")) {
			m.Printf("%s\n", strings.TrimRight("  "+line, " "))
		}
	}
	m.fence, m.lang = "", ""
	m.code.Reset()
}
