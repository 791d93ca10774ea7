package data

import (
	"strings"
	"sync"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/lex"
	"github.com/ragnav/ragnav/internal/parse/patterns"
)

var yamlLexis = sync.OnceValue(func() *lex.Lexis { return lex.NewLexis(lex.WordComment("#")) })

// ReadYAML lists what a file's documents declare, see yamlDocument.symbols.
func ReadYAML(f parse.File) parse.Outline {
	y := yamlFile{Source: lex.Blank(f.Text, yamlLexis()), path: strings.ToLower(f.Path), skip: noSkip}
	for n := range y.Class {
		y.line(n)
	}
	y.endDocument()
	symbols := y.symbols()
	scan := patterns.Source{Source: y.Source, Lang: &patterns.Language{}}
	return parse.Outline{Summary: scan.LeadingComment(symbols), Symbols: symbols}
}

// maxKeyDepth is how deep mappings are followed: to the operationId of an
// OpenAPI operation.
const maxKeyDepth = 4

// noSkip is an indentation that no line exceeds.
const noSkip = 1 << 30

// A yamlFile is the state of reading the lines of YAML.
type yamlFile struct {
	*lex.Source
	path      string // in lower case
	documents []yamlDocument
	keys      []yamlKey // of the document at hand
	open      []int     // indexes in keys of those around the line at hand
	skip      int       // what is indented more belongs to a value or a sequence
	last      int       // last line, from 0, with anything on it
	first     int       // line of the document at hand
	sequence  bool      // it is one of items
}

// A yamlKey is a key of a mapping, at most maxKeyDepth deep.
type yamlKey struct {
	name, value string // without quotes; the value as far as it is on the line
	line, end   int    // from 0
	indent      int
	parent      int // index, or -1
	depth       int // 1 for a key of the document
}

func (y *yamlFile) line(n int) {
	raw := strings.TrimRight(y.RawLine(n), " \t\r")
	text := strings.TrimLeft(raw, " \t")
	if text == "" {
		return
	}
	if raw == "---" || raw == "..." || strings.HasPrefix(raw, "--- ") {
		y.endDocument()
		y.first = n
		return
	}
	indent := y.Indent(n)
	if indent > y.skip {
		y.last = n
		return
	}
	if text[0] == '#' || strings.HasPrefix(text, "{{") || strings.HasPrefix(text, "{%") { // a line of a template
		return
	}
	y.skip = noSkip
	if text == "-" || strings.HasPrefix(text, "- ") {
		y.last, y.skip = n, indent
		y.sequence = y.sequence || len(y.keys) == 0
		return
	}
	if strings.IndexByte("}])", text[0]) < 0 {
		y.leave(indent)
	}
	y.last = n
	y.key(n, indent, text)
}

// key is for a line that may be "name: value".
func (y *yamlFile) key(n, indent int, text string) {
	name, value, ok := keyAndValue(text[:min(len(text), patterns.MaxMatched)])
	if !ok {
		return
	}
	k := yamlKey{name: name, value: value, line: n, end: n, indent: indent, parent: -1, depth: len(y.open) + 1}
	if len(y.open) > 0 {
		k.parent = y.open[len(y.open)-1]
	}
	if value != "" || k.depth == maxKeyDepth {
		y.skip = indent
	}
	y.keys = append(y.keys, k)
	y.open = append(y.open, len(y.keys)-1)
}

// leave ends the keys that are no less indented.
func (y *yamlFile) leave(indent int) {
	for n := len(y.open); n > 0 && y.keys[y.open[n-1]].indent >= indent; n-- {
		y.keys[y.open[n-1]].end = y.last
		y.open = y.open[:n-1]
	}
}

func (y *yamlFile) endDocument() {
	y.leave(-1)
	if len(y.keys) > 0 || y.sequence {
		y.documents = append(y.documents, yamlDocument{keys: y.keys, first: y.first, end: y.last})
	}
	y.keys, y.skip, y.sequence = nil, noSkip, false
}

// keyAndValue parts a line; a value is without anchor, tag and comment.
func keyAndValue(text string) (name, value string, ok bool) {
	if strings.IndexByte("{}[],&*!|>%@`?#:", text[0]) >= 0 {
		return "", "", false
	}
	from := 0
	if text[0] == '"' || text[0] == '\'' {
		j := strings.IndexByte(text[1:], text[0])
		if j < 0 {
			return "", "", false
		}
		from = j + 2
	}
	at := colon(text, from)
	if at < 0 {
		return "", "", false
	}
	name = strings.Trim(strings.TrimSpace(text[:at]), `"'`)
	if name == "" || strings.Contains(name, " #") {
		return "", "", false
	}
	value = strings.TrimSpace(text[at+1:])
	for value != "" && (value[0] == '&' || value[0] == '!') {
		_, value, _ = strings.Cut(value, " ")
		value = strings.TrimSpace(value)
	}
	if strings.HasPrefix(value, "#") {
		value = ""
	} else if i := strings.Index(value, " #"); i >= 0 {
		value = strings.TrimSpace(value[:i])
	}
	return strings.ToValidUTF8(name, ""), strings.ToValidUTF8(value, ""), true
}

// colon is the offset of the colon that ends a key, or -1.
func colon(text string, from int) int {
	for i := from; i < len(text); i++ {
		if text[i] == ':' && (i+1 == len(text) || text[i+1] == ' ' || text[i+1] == '\t') {
			return i
		}
	}
	return -1
}
