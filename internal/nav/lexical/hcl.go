package lexical

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/parse"
)

// A frame is a bracket, a string or a document that is open in HCL.
type frame struct {
	kind   byte     // '{', '[', '(', '"', '<' of a document, '$' of what a string interpolates, 0 of the file
	body   bool     // it holds arguments and blocks
	state  argument // of a body: what was read of a line
	head   []word   // of a body: the words and labels of the block that begins
	of     []word   // of a body: those of its own block
	bound  []string // names that are bound in it
	chain  []word   // what an index is taken of
	marker string   // that ends a document
}

// An argument is how much of one was read.
type argument byte

const (
	unread argument = iota
	named           // its name, or words of a block
	valued          // "=" too
)

// A word is a name or a label of HCL, with its offset.
type word struct {
	text string
	at   int
}

// An hclReader reads HCL: of expressions what they are made of, of blocks what they are called.
type hclReader struct {
	text    string
	i       int
	open    []frame
	refs    []use
	heads   []word // the last labels of blocks, and the names of arguments in "locals", outside of all else
	sources []use  // folders of modules, with what they are called
	aliases []use  // of providers
	values  bool   // the file gives variables
}

// A use is a name that is used, with what it is a member of; 0 offsets are never one.
type use struct {
	word
	of   facts.Expr
	kind facts.Kind
}

// hclOf reads a text.
func hclOf(path, text string) *hclReader {
	h := &hclReader{text: text, values: strings.HasSuffix(path, ".tfvars"), open: []frame{{body: true}}}
	for h.i < len(text) {
		h.step()
	}
	return h
}

func (h *hclReader) top() *frame { return &h.open[len(h.open)-1] }

// step reads one token, or a part of a string.
func (h *hclReader) step() {
	switch h.top().kind {
	case '"', '<':
		h.template()
		return
	}
	switch c, rest := h.text[h.i], h.text[h.i:]; {
	case c == '\n':
		h.i++
		if f := h.top(); f.body {
			f.state, f.head = unread, nil
		}
	case c == '#', strings.HasPrefix(rest, "//"):
		h.i += lineLength(rest)
	case strings.HasPrefix(rest, "/*"):
		end := strings.Index(rest[2:], "*/")
		if h.i += end + 4; end < 0 {
			h.i = len(h.text)
		}
	case c == '"':
		h.quote()
	case strings.HasPrefix(rest, "<<"):
		h.document()
	case strings.IndexByte("{[(", c) >= 0:
		h.enter(c)
	case strings.IndexByte("}])", c) >= 0:
		h.leave()
	case isStart(c):
		h.name()
	default:
		if f := h.top(); c == '=' && f.body && f.state == named {
			f.state, f.head = valued, f.head[:min(len(f.head), 1)]
		}
		h.i++
	}
}

func lineLength(text string) int {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return i
	}
	return len(text)
}

func isStart(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80 }

// template reads a string or document up to its end, its line's end, or what it interpolates.
func (h *hclReader) template() {
	f := h.top()
	for h.i < len(h.text) {
		c, rest := h.text[h.i], h.text[h.i:]
		switch {
		case f.kind == '"' && c == '\\':
			h.i += 2
			continue
		case strings.HasPrefix(rest, "$${"), strings.HasPrefix(rest, "%%{"):
			h.i += 3
			continue
		case strings.HasPrefix(rest, "${"), strings.HasPrefix(rest, "%{"):
			h.i += 2
			h.open = append(h.open, frame{kind: '$'})
			return
		case f.kind == '"' && (c == '"' || c == '\n'):
			if c == '"' {
				h.i++
			}
			h.open = h.open[:len(h.open)-1]
			return
		case f.kind == '<' && c == '\n':
			line := rest[1:]
			line = line[:lineLength(line)]
			if strings.Trim(line, " \t\r") == f.marker {
				h.i += 1 + len(line)
				h.open = h.open[:len(h.open)-1]
				return
			}
		}
		h.i++
	}
}

// quote reads what begins with a quote: the label of a block, the folder of a module, the alias of
// a provider, or a string.
func (h *hclReader) quote() {
	f := h.top()
	end := strings.IndexAny(h.text[h.i+1:], "\"\n\\$%")
	if f.body && end >= 0 && h.text[h.i+1+end] == '"' {
		w := word{h.text[h.i+1 : h.i+1+end], h.i + 1}
		switch {
		case f.state == named:
			f.head = append(f.head, w)
		case f.state == valued && len(f.of) == 2 && len(f.head) == 1:
			h.literal(f, w)
		}
		h.i += end + 2
		return
	}
	h.open = append(h.open, frame{kind: '"'})
	h.i++
}

// literal notes the value of an argument that is a string.
func (h *hclReader) literal(f *frame, w word) {
	switch block, key := f.of[0].text, f.head[0].text; {
	case block == "module" && key == "source" && strings.HasPrefix(w.text, "."):
		h.sources = append(h.sources, use{word: w, of: facts.Name(f.of[1].text)})
	case block == "provider" && key == "alias":
		h.aliases = append(h.aliases, use{word: f.of[1], of: facts.Literal(w.text)})
	}
}

// document reads the mark that begins one.
func (h *hclReader) document() {
	rest := h.text[h.i:]
	line := rest[:lineLength(rest)]
	marker := strings.Trim(strings.TrimPrefix(line[2:], "-"), " \t\r")
	h.i += 2
	if marker == "" || len(marker) > 100 || strings.ContainsAny(marker, " \"(){}[]") {
		return
	}
	h.i += len(line) - 2
	h.open = append(h.open, frame{kind: '<', marker: marker})
}

// enter reads an opening bracket.
func (h *hclReader) enter(c byte) {
	f := h.top()
	next := frame{kind: c}
	if c == '{' && f.body && f.state == named {
		next.body, next.of = true, f.head
		if len(f.head) == 2 && f.head[0].text == "dynamic" {
			next.bound = []string{f.head[1].text}
		}
		if len(h.open) == 1 && len(f.head) > 1 {
			h.heads = append(h.heads, f.head[len(f.head)-1])
		}
		if len(h.open) == 1 && len(f.head) == 1 {
			h.heads = append(h.heads, f.head[0])
		}
	}
	h.open = append(h.open, next)
	h.i++
}

// leave reads a closing bracket, and what is taken of an element.
func (h *hclReader) leave() {
	h.i++
	if len(h.open) == 1 {
		return
	}
	f := *h.top()
	h.open = h.open[:len(h.open)-1]
	if len(f.chain) > 0 {
		h.follow(f.chain)
	}
}

// ident reads the name at the offset.
func (h *hclReader) ident() word {
	start := h.i
	for h.i < len(h.text) && (isStart(h.text[h.i]) || isDigit(h.text[h.i]) || h.text[h.i] == '-') {
		h.i++
	}
	return word{h.text[start:h.i], start}
}

// name reads what begins with a name: an argument, a block, or a part of an expression.
func (h *hclReader) name() {
	f := h.top()
	w := h.ident()
	switch {
	case f.body && f.state == unread:
		f.state, f.head = named, []word{w}
		h.key(f, w)
	case f.body && f.state == named:
		f.head = append(f.head, w)
	case w.text == "for" && !f.body && f.kind != '(' && len(f.bound) == 0:
		h.loop(f)
	default:
		h.follow([]word{w})
	}
}

// meta are arguments of modules that are not of their variables.
var meta = []string{"source", "version", "count", "for_each", "providers", "depends_on"}

// key notes the name of an argument that is a variable, or a local value.
func (h *hclReader) key(f *frame, w word) {
	rest := strings.TrimLeft(h.text[h.i:min(len(h.text), h.i+200)], " \t")
	if !strings.HasPrefix(rest, "=") || strings.HasPrefix(rest, "==") {
		return
	}
	depth := len(h.open)
	switch {
	case h.values && depth == 1:
		h.refs = append(h.refs, use{w, facts.Name("var"), facts.Write})
	case len(f.of) == 0:
	case f.of[0].text == "module" && len(f.of) == 2 && !slices.Contains(meta, w.text):
		h.refs = append(h.refs, use{w, facts.Name("module").Member(f.of[1].text), facts.Write})
	case f.of[0].text == "variables" && len(f.of) == 1 && depth <= 3:
		h.refs = append(h.refs, use{w, facts.Name("var"), facts.Write})
	case f.of[0].text == "locals" && len(f.of) == 1 && depth == 2:
		h.heads = append(h.heads, w)
	}
}

// loop reads the names that "for" binds.
func (h *hclReader) loop(f *frame) {
	for range 3 {
		for h.i < len(h.text) && strings.IndexByte(" \t\r\n,", h.text[h.i]) >= 0 {
			h.i++
		}
		if h.i == len(h.text) || !isStart(h.text[h.i]) {
			return
		}
		w := h.ident()
		if w.text == "in" {
			return
		}
		f.bound = append(f.bound, w.text)
	}
}

// maxChain is how many names of what is taken from one tell what that is.
const maxChain = 4

// follow reads the members that are taken of a name, which may go on behind an index.
func (h *hclReader) follow(chain []word) {
	for h.i < len(h.text) {
		rest := h.text[h.i:]
		switch {
		case rest[0] == '.' && len(rest) > 1 && isStart(rest[1]):
			h.i++
			if w := h.ident(); len(chain) < maxChain {
				chain = append(chain, w)
				h.taken(chain)
			}
		case strings.HasPrefix(rest, ".*"), strings.HasPrefix(rest, "[*]"):
			h.i += 2
			if rest[0] == '[' {
				h.i++
			}
		case rest[0] == '[':
			h.open = append(h.open, frame{kind: '[', chain: chain})
			h.i++
			return
		case rest[0] == '.' && len(rest) > 1 && isDigit(rest[1]):
			h.i += 2
		default:
			return
		}
	}
}

// inner are roots of expressions that stand for no block.
var inner = []string{"each", "count", "self", "path", "terraform"}

// taken notes what the last name of a chain is.
func (h *hclReader) taken(chain []word) {
	root, n := chain[0].text, len(chain)
	last := chain[n-1]
	of := ""
	switch {
	case slices.Contains(inner, root) || h.isBound(root):
		return
	case root == "data" || root == "ephemeral" || root == "source":
		if n == 3 {
			of = root + "." + chain[1].text
		}
	case root == "module" && n == 3:
		of = "module." + chain[1].text
	case n == 2 && h.isProvider():
		h.refs = append(h.refs, use{chain[0], facts.Dotted("provider." + last.text), facts.Read})
		return
	case n == 2:
		of = root
	}
	if of != "" {
		h.refs = append(h.refs, use{last, facts.Dotted(of), facts.Read})
	}
}

// isProvider reports whether the value of "provider" or "providers" is read.
func (h *hclReader) isProvider() bool {
	for n := len(h.open) - 1; n >= max(0, len(h.open)-3); n-- {
		if f := &h.open[n]; f.body {
			return f.state == valued && len(f.head) == 1 && strings.TrimSuffix(f.head[0].text, "s") == "provider"
		}
	}
	return false
}

// maxBinding is how many brackets around a name are asked whether they bind it.
const maxBinding = 50

func (h *hclReader) isBound(name string) bool {
	for n := len(h.open) - 1; n >= max(0, len(h.open)-maxBinding); n-- {
		if slices.Contains(h.open[n].bound, name) {
			return true
		}
	}
	return false
}

// readHCL reads the facts of a file of HCL.
func readHCL(r *reader, outline []parse.Symbol) {
	h := hclOf(r.file.Path, r.src.Text)
	r.names = h.heads
	r.declare(outline)
	for _, s := range h.sources {
		line, column, in := r.position(s.at)
		r.file.Imports = append(r.file.Imports, facts.Import{
			Path: s.text, Local: s.of.LastName(), In: in, Line: line, Column: column - 1, // with its quote
		})
	}
	for _, a := range h.aliases {
		if i, ok := r.at[a.at]; ok {
			r.file.Symbols[i].Type = a.of
		}
	}
	for _, u := range h.refs {
		line, column, in := r.position(u.at)
		r.file.Refs = append(r.file.Refs, facts.Ref{
			Name: u.text, Kind: u.kind, Of: u.of, In: in, Line: line, Column: column,
		})
	}
}
