package markup

import (
	"html"
	"path"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/lex"
	"github.com/ragnav/ragnav/internal/parse/patterns"
	"github.com/ragnav/ragnav/internal/pattern"
)

// attributes are those of a tag that outlines are made of.
type attributes struct{ id, name, kind, source, action string }

func (a *attributes) set(name, value string) {
	switch strings.ToLower(name) {
	case "id":
		a.id = value
	case "name":
		a.name = value
	case "type":
		a.kind = strings.ToLower(value)
	case "src":
		a.source = value
	case "action":
		a.action = value
	}
}

// attributes reads a tag from behind its name, and returns the offset behind
// its ">".
func (p *page) attributes(i int) (a attributes, end int) {
	for i < len(p.text) && p.text[i] != '>' {
		start := i
		i = nameEnd(p.text, i)
		if i == start {
			i++
			continue
		}
		name := p.text[start:i]
		for i < len(p.text) && p.text[i] <= ' ' {
			i++
		}
		if i >= len(p.text) || p.text[i] != '=' {
			continue
		}
		for i++; i < len(p.text) && p.text[i] <= ' '; {
			i++
		}
		start = i
		i = p.valueEnd(i)
		a.set(name, plainValue(p.text[start:i]))
	}
	return a, min(i+1, len(p.text))
}

// valueEnd is the offset behind the value of an attribute. A quote without an
// end nearby is a character like others.
func (p *page) valueEnd(i int) int {
	if i < len(p.text) && (p.text[i] == '"' || p.text[i] == '\'') {
		window := p.text[:min(len(p.text), i+lex.MaxSpan)]
		if p.failures > lex.MaxFailures {
			window = p.text[:min(len(p.text), i+patterns.MaxMatched)]
		}
		if end, ok := lex.ClosingAt(window, i+1, p.text[i:i+1], false); ok {
			return end
		}
		p.failures++
	}
	for i < len(p.text) && p.text[i] > ' ' && p.text[i] != '>' {
		i++
	}
	return i
}

// plainValue is a value without quotes; none when a template fills it in, or
// when it is too long for a name.
func plainValue(value string) string {
	value = strings.Trim(value, `"'`)
	if len(value) > maxSelector || strings.ContainsAny(value, "{<\r\n") {
		return ""
	}
	return strings.TrimSpace(html.UnescapeString(value))
}

// nameEnd is the offset behind the name of a tag or attribute, which may be
// empty.
func nameEnd(text string, i int) int {
	for i < len(text) && (lex.IsWord(text[i]) || strings.IndexByte("-:.@#", text[i]) >= 0) {
		i++
	}
	return i
}

// list adds the element that starts at an offset when there is something to
// call it by, and returns the index of its symbol or -1.
func (p *page) list(tag string, a attributes, start, end int) int {
	s := parse.Symbol{Kind: "element", Name: a.id, Exported: a.id != ""}
	switch {
	case len(tag) == 2 && tag[0] == 'h' && tag[1] >= '1' && tag[1] <= '6':
		s.Kind, s.Name, s.Exported = "heading", tag, false
	case tag == "form":
		s.Kind, s.Name = tag, parse.FirstOf(a.id, a.name, a.action, tag)
	case tag == "template":
		s.Kind, s.Name = tag, parse.FirstOf(a.id, a.name, tag)
	case tag == "style", tag == "script" && (a.source == "" && isScript(a.kind) || a.id != ""):
		s.Kind, s.Name = tag, parse.FirstOf(a.id, a.name, path.Base(a.source), tag)
	case tag == "a" && a.id == "":
		s.Name = a.name
	}
	if s.Name == "" {
		return -1
	}
	s.Qualified, s.Signature = s.Name, parse.Fold(p.text[start:min(end, start+2*patterns.MaxHead)])
	s.StartLine = p.lines.LineAt(start)
	s.EndLine = p.lines.LineAt(end - 1)
	p.symbols = append(p.symbols, s)
	if s.Kind == "heading" {
		p.endHeading(s.StartLine - 1)
		p.heading = part{len(p.symbols), len(p.open)}
	}
	return len(p.symbols) - 1
}

// maxHeading is how much of an element in bytes is taken for its heading.
const maxHeading = 1000

var anyTag = pattern.NewLazy(`<[^<>]*>`)

// nameHeading calls a heading by the text between two offsets. Without text it
// keeps the name of its tag, and is not listed.
func (p *page) nameHeading(s *parse.Symbol, start, end int) {
	text := parse.Fold(html.UnescapeString(anyTag().ReplaceAllString(p.text[start:min(end, start+maxHeading)], "")))
	if text = strings.ToValidUTF8(text, ""); text == "" {
		return
	}
	s.Name, s.Qualified = text, text
	s.Signature = parse.Fold(s.Signature + " " + text)
}
