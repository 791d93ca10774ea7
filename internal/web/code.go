package web

import (
	"html/template"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

const (
	pageLines = 400  // lines of a file on one page
	lineBytes = 2000 // of a line that are shown
	// colourTime bounds how long a text is read for its colours, which takes some
	// milliseconds unless an expression of its language is slow. What is left has none.
	colourTime = time.Second
)

// A span is a part of a line in one colour; class is that of the style sheet.
type span struct{ class, text string }

// coloured splits a text into lines of spans, as its language wants it.
func coloured(file, language, text string) [][]span {
	lexer := lexerOf(file, language)
	if lexer == nil {
		return plain(text)
	}
	tokens, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root"}, text)
	if err != nil {
		return plain(text)
	}
	var lines painter
	end, rest := time.Now().Add(colourTime), text
	for n, token := 1, tokens(); token != chroma.EOF; n, token = n+1, tokens() {
		if !strings.HasPrefix(rest, token.Value) { // the lexer changed the text
			return plain(text)
		}
		lines.add(classOf(token.Type), token.Value)
		rest = rest[len(token.Value):]
		if n%64 == 0 && time.Now().After(end) {
			break
		}
	}
	lines.add("", rest)
	return lines.lines
}

func lexerOf(file, language string) chroma.Lexer {
	if l := lexers.Get(language); l != nil && language != "" {
		return l
	}
	return lexers.Match(file)
}

// plain is the lines of a text without colours.
func plain(text string) [][]span {
	var lines painter
	lines.add("", text)
	return lines.lines
}

// A painter gathers spans into lines.
type painter struct {
	lines [][]span
	open  bool // the last line has not ended
}

func (p *painter) add(class, text string) {
	for part := range strings.Lines(text) {
		line, ended := strings.CutSuffix(part, "\n")
		if !p.open {
			p.lines = append(p.lines, nil)
		}
		p.open = !ended
		last := &p.lines[len(p.lines)-1]
		if n := len(*last); n > 0 && ((*last)[n-1].class == class || strings.TrimSpace(line) == "") {
			(*last)[n-1].text += line
		} else if line != "" {
			*last = append(*last, span{class, line})
		}
	}
}

// classOf is one of the few colours of the style sheet.
func classOf(t chroma.TokenType) string {
	switch {
	case t == chroma.KeywordType, t.InSubCategory(chroma.NameBuiltin), t == chroma.NameClass:
		return "t"
	case t == chroma.NameFunction, t == chroma.NameFunctionMagic, t == chroma.NameAttribute, t == chroma.NameDecorator:
		return "f"
	case t == chroma.NameTag, t.InCategory(chroma.Keyword), t == chroma.OperatorWord, t == chroma.GenericHeading,
		t == chroma.GenericSubheading:
		return "k"
	case t.InSubCategory(chroma.LiteralNumber):
		return "m"
	case t.InCategory(chroma.Literal):
		return "s"
	case t.InCategory(chroma.Comment):
		return "c"
	}
	return ""
}

// cutLine keeps what is shown of a line, and tells how many bytes are not.
func cutLine(line []span) (shown []span, more int) {
	left := lineBytes
	for i, s := range line {
		if len(s.text) <= left {
			left -= len(s.text)
			continue
		}
		end := left
		for end > 0 && !utf8.RuneStart(s.text[end]) {
			end--
		}
		more = len(s.text) - end
		for _, rest := range line[i+1:] {
			more += len(rest.text)
		}
		return append(slices.Clone(line[:i]), span{s.class, s.text[:end]}), more
	}
	return line, 0
}

// trimmed is a line without the white space at its beginning.
func trimmed(line []span) []span {
	for i, s := range line {
		if text := strings.TrimLeft(s.text, " \t"); text != "" {
			return append([]span{{s.class, text}}, line[i+1:]...)
		}
	}
	return nil
}

// markup is the HTML of a line: the only place where text becomes HTML without
// a template. Marks are places in the line, in order and apart.
func markup(line []span, marks []place) template.HTML {
	var b strings.Builder
	at := 0
	for _, s := range line {
		if s.class != "" {
			b.WriteString(`<i class=` + s.class + `>`)
		}
		for rest := s.text; rest != ""; {
			marked, n := within(marks, at)
			n = min(n, len(rest))
			if marked {
				b.WriteString("<mark>")
			}
			b.WriteString(escape(rest[:n]))
			if marked {
				b.WriteString("</mark>")
			}
			rest, at = rest[n:], at+n
		}
		if s.class != "" {
			b.WriteString("</i>")
		}
	}
	return template.HTML(b.String())
}

// A place is a part of a line, from a byte to before another.
type place struct{ from, to int }

// within tells whether a byte is in one of some places, and how many bytes on
// that changes.
func within(marks []place, at int) (marked bool, n int) {
	for _, m := range marks {
		if at < m.from {
			return false, m.from - at
		}
		if at < m.to {
			return true, m.to - at
		}
	}
	return false, math.MaxInt
}

// escape makes text what it is in HTML. Controls that change how the text
// around them reads are shown, so that code is read as it is compiled.
func escape(text string) string {
	return template.HTMLEscapeString(hidden.Replace(text))
}

// hidden shows the characters that turn the direction of text or can't be seen.
var hidden = strings.NewReplacer(
	"\u202a", "⟪LRE⟫", "\u202b", "⟪RLE⟫", "\u202c", "⟪PDF⟫", "\u202d", "⟪LRO⟫", "\u202e", "⟪RLO⟫",
	"\u2066", "⟪LRI⟫", "\u2067", "⟪RLI⟫", "\u2068", "⟪FSI⟫", "\u2069", "⟪PDI⟫", "\u200b", "⟪ZWSP⟫", "\x00", "␀", "\r", "",
)
