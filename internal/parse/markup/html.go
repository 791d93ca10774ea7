package markup

import (
	"html"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/lex"
	"github.com/ragnav/ragnav/internal/parse/patterns"
)

// ReadHTML lists the elements with an id, headings, forms, templates, scripts
// and styles of a page, the functions of its scripts and the rules of its
// styles. Its summary is its title.
func ReadHTML(f parse.File) parse.Outline {
	p := page{text: f.Text, lines: parse.LineOffsets(f.Text)}
	p.scan()
	for len(p.open) > 0 {
		p.closeTop(len(p.text))
	}
	p.endHeading(p.lines.Lines())
	p.symbols = fewer(p.symbols)
	p.embedded(f)
	return parse.Outline{
		Summary: strings.ToValidUTF8(parse.Fold(html.UnescapeString(p.title)), ""),
		Symbols: parse.WithGaps(f.Text, p.symbols),
	}
}

// A page is the state of reading HTML.
type page struct {
	text    string
	lines   parse.Offsets
	open    []element
	names   map[string]int // how many of open have a name
	heading part
	symbols []parse.Symbol
	title   string
	scripts [][2]int // offsets of code
	styles  [][2]int

	failures int // quotes without an end, see maxFailures
}

// A part is what follows a heading: up to the next one, or to the end of the
// element that the heading is in.
type part struct {
	symbol int // 1 + its index in symbols; 0 is none
	depth  int // number of elements around the heading
}

// An element is one that is open.
type element struct {
	name   string
	symbol int // index in symbols, or -1
	text   int // offset behind its tag
}

// void are the elements without an end tag.
var void = map[string]bool{
	"area": true, "base": true, "br": true, "col": true, "embed": true, "hr": true, "img": true, "input": true,
	"link": true, "meta": true,
	"param": true, "source": true, "track": true, "wbr": true,
}

// rawText are the elements in which a "<" begins no tag.
var rawText = map[string]bool{"script": true, "style": true, "textarea": true, "title": true}

func (p *page) scan() {
	p.names = map[string]int{}
	for i := 0; i < len(p.text); {
		j := strings.IndexByte(p.text[i:], '<')
		if j < 0 {
			return
		}
		i = p.tag(i + j)
	}
}

// tag reads what begins with the "<" at an offset and returns where to go on.
func (p *page) tag(i int) int {
	rest := p.text[i:]
	switch {
	case strings.HasPrefix(rest, "<!--"):
		return lex.Past(p.text, i+4, "-->")
	case strings.HasPrefix(rest, "<%"):
		return lex.Past(p.text, i, "%>")
	case strings.HasPrefix(rest, "<?"):
		return lex.Past(p.text, i, "?>")
	case strings.HasPrefix(rest, "</"):
		end := nameEnd(p.text, i+2)
		p.closeNamed(strings.ToLower(p.text[i+2:end]), lex.Past(p.text[:min(len(p.text), end+patterns.MaxMatched)], end, ">"))
		return end
	}
	end := nameEnd(p.text, i+1)
	if end == i+1 {
		return i + 1
	}
	name := strings.ToLower(p.text[i+1 : end])
	attrs, end := p.attributes(end)
	if rawText[name] {
		return p.raw(name, attrs, i, end)
	}
	symbol := p.list(name, attrs, i, end)
	if !void[name] && p.text[end-2] != '/' && len(p.open) < maxOpen {
		p.open = append(p.open, element{name, symbol, end})
		p.names[name]++
	}
	return end
}

// maxOpen is how many elements are followed into each other.
const maxOpen = 2000

// raw reads an element of which the text has no tags.
func (p *page) raw(name string, attrs attributes, start, end int) int {
	stop := rawEnd(p.text, end, name)
	switch body := p.text[end:stop]; name {
	case "title":
		if p.title == "" {
			p.title = body
		}
		return stop
	case "script":
		if isScript(attrs.kind) && strings.TrimSpace(body) != "" {
			p.scripts = append(p.scripts, [2]int{end, stop})
		}
	case "style":
		p.styles = append(p.styles, [2]int{end, stop})
	}
	if n := p.list(name, attrs, start, end); n >= 0 {
		p.symbols[n].EndLine = p.lines.LineAt(max(min(lex.Past(p.text, stop, ">"), len(p.text))-1, start))
	}
	return stop
}

// rawEnd is the offset of an element's end tag from an offset on, or the end
// of the text.
func rawEnd(text string, i int, name string) int {
	for i < len(text) {
		j := strings.Index(text[i:], "</")
		if j < 0 {
			break
		}
		i += j
		if end := i + 2 + len(name); end <= len(text) && strings.EqualFold(text[i+2:end], name) {
			return i
		}
		i += 2
	}
	return len(text)
}

func isScript(kind string) bool {
	return kind == "" || kind == "module" || strings.Contains(kind, "javascript") ||
		strings.Contains(kind, "ecmascript") ||
		strings.Contains(kind, "babel") || strings.Contains(kind, "jsx") || strings.Contains(kind, "typescript")
}

// closeNamed is for an end tag that ends at an offset: it closes the innermost
// element of its name and those within that were left open.
func (p *page) closeNamed(name string, end int) {
	if p.names[name] == 0 {
		return
	}
	for {
		top := p.open[len(p.open)-1]
		p.closeTop(end)
		if top.name == name {
			return
		}
	}
}

func (p *page) closeTop(end int) {
	top := p.open[len(p.open)-1]
	p.open = p.open[:len(p.open)-1]
	p.names[top.name]--
	line := p.lines.LineAt(max(end-1, 0))
	if len(p.open) < p.heading.depth {
		p.endHeading(line)
	}
	if top.symbol < 0 {
		return
	}
	s := &p.symbols[top.symbol]
	s.EndLine = max(line, s.StartLine)
	if s.Kind == "heading" {
		p.nameHeading(s, top.text, end)
	}
}

// endHeading ends the part of the last heading with a line.
func (p *page) endHeading(line int) {
	if n := p.heading.symbol; n > 0 {
		p.symbols[n-1].EndLine = max(p.symbols[n-1].EndLine, line)
	}
	p.heading = part{}
}
