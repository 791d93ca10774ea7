package lexical

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/lex"
)

// A nixFrame is a bracket or a string that is open in Nix.
type nixFrame struct {
	kind  byte  // the bracket, '"', '\'' of two, '$' of what a string interpolates
	rec   bool  // of braces: what they bind is known in them
	lets  []int // offsets of the lists of bindings that are open
	at    int
	id    int
	parts []string // of braces: names behind "{" and ",", which may be parameters
}

// A nixReader reads Nix: which files a file names, and which names it binds once.
type nixReader struct {
	text    string
	i       int
	open    []nixFrame
	ends    []int // of brackets by their id: offsets
	scopes  map[string][]nixScope
	refs    []nixUse
	paths   []use
	before  byte   // the last mark, or 'a' of a name
	word    string // the last name
	bound   string // what is bound to what is read
	inherit bool   // names of "inherit" follow
	from    bool   // and are of something
}

// A nixScope is where a name is bound, and in which bracket.
type nixScope struct {
	at        int
	start, id int  // of the list of bindings, and the bracket that it is in
	parameter bool // by a function, or from elsewhere
}

// A nixUse is a name that is used, with the name that it is a member of.
type nixUse struct {
	word

	of string
}

var nixWords = resolve.Set("let in with rec inherit if then else assert or import null true false builtins")

func (x *nixReader) read() {
	x.push('{')
	for x.i < len(x.text) {
		if k := x.top().kind; k == '"' || k == '\'' {
			x.str(k)
			continue
		}
		x.step()
	}
	for i := range x.ends {
		if x.ends[i] == 0 {
			x.ends[i] = len(x.text)
		}
	}
}

func (x *nixReader) top() *nixFrame { return &x.open[len(x.open)-1] }

func (x *nixReader) push(kind byte) {
	x.open = append(x.open, nixFrame{kind: kind, id: len(x.ends), at: x.i, rec: x.word == "rec" && x.before == 'a'})
	x.ends = append(x.ends, 0)
}

func (x *nixReader) pop() {
	if len(x.open) > 1 {
		x.ends[x.top().id] = x.i
		x.open = x.open[:len(x.open)-1]
	}
}

// str reads a string up to its end, or to what it interpolates.
func (x *nixReader) str(kind byte) {
	for x.i < len(x.text) {
		c, rest := x.text[x.i], x.text[x.i:]
		switch {
		case kind == '"' && c == '\\', strings.HasPrefix(rest, "$$"):
			x.i++
		case kind == '\'' && len(rest) > 2 && rest[:2] == "''" && strings.IndexByte("$'\\", rest[2]) >= 0:
			x.i += 2
		case strings.HasPrefix(rest, "${"):
			x.i += 2
			x.push('$')
			x.before = '$'
			return
		case kind == '"' && c == '"', kind == '\'' && strings.HasPrefix(rest, "''"):
			if x.i++; kind == '\'' {
				x.i++
			}
			x.pop()
			x.before = '"'
			return
		}
		x.i++
	}
}

// step reads one token.
func (x *nixReader) step() {
	c, rest := x.text[x.i], x.text[x.i:]
	switch {
	case c <= ' ':
		x.i++
		return
	case c == '#':
		x.i += lineLength(rest)
		return
	case strings.HasPrefix(rest, "/*"):
		x.i = lex.Past(x.text, x.i+2, "*/")
		return
	case c == '"' || strings.HasPrefix(rest, "''"):
		if x.i++; c == '\'' {
			x.i++
		}
		x.push(c)
		return
	case strings.HasPrefix(rest, "./"), strings.HasPrefix(rest, "../"):
		x.path()
		return
	case c == '<' && len(rest) > 1 && isStart(rest[1]): // a path that is looked for, or a comparison
		for x.i++; x.i < len(x.text) && (lex.IsWord(x.text[x.i]) || strings.IndexByte("./+-", x.text[x.i]) >= 0); {
			x.i++
		}
	case isStart(c):
		x.name()
		return
	case strings.IndexByte("{[(", c) >= 0:
		x.from = x.from || c == '(' && x.inherit && x.before == 'a'
		x.i++
		x.push(c)
	case strings.IndexByte("}])", c) >= 0:
		x.i++
		x.close()
	default:
		x.i++
		if c == ';' {
			x.inherit, x.from, x.bound = false, false, ""
		}
	}
	x.before = c
}

// close leaves a bracket, which may have held the parameters of a function.
func (x *nixReader) close() {
	f := *x.top()
	x.pop()
	if next := strings.TrimLeft(x.text[x.i:min(len(x.text), x.i+100)], " \t\r\n"); f.kind == '{' && next != "" &&
		(next[0] == ':' || next[0] == '@') {
		for _, name := range f.parts {
			x.bind(word{name, x.i}, true)
		}
	}
}

// path reads the path of a file.
func (x *nixReader) path() {
	start := x.i
	for x.i < len(x.text) && (lex.IsWord(x.text[x.i]) || strings.IndexByte("./+-", x.text[x.i]) >= 0) {
		x.i++
	}
	local := ""
	if x.word == "import" && x.before == 'a' {
		local = x.bound
	}
	x.paths = append(x.paths, use{word: word{x.text[start:x.i], start}, of: facts.Name(local)})
	x.before, x.bound = '/', ""
}

func (x *nixReader) bind(w word, parameter bool) {
	f := x.top()
	start := f.at
	if n := len(f.lets); n > 0 {
		start = f.lets[n-1]
	}
	x.scopes[w.text] = append(x.scopes[w.text], nixScope{at: w.at, start: start, id: f.id, parameter: parameter})
}

// name reads a name, and what it is.
func (x *nixReader) name() {
	start := x.i
	for x.i < len(x.text) && (lex.IsWord(x.text[x.i]) || x.text[x.i] == '-' || x.text[x.i] == '\'') {
		x.i++
	}
	w, before, last, f := word{x.text[start:x.i], start}, x.before, x.word, x.top()
	x.before, x.word = 'a', w.text
	rest := strings.TrimLeft(x.text[x.i:min(len(x.text), x.i+200)], " \t\r\n")
	follows := func(mark string) bool { return strings.HasPrefix(rest, mark) }
	if before == '{' || before == ',' {
		f.parts = append(f.parts, w.text)
	}
	switch {
	case before == '.':
		if x.i-len(w.text)-1-len(last) >= 0 && strings.HasSuffix(x.text[:start], last+".") && !follows("=") {
			x.refs = append(x.refs, nixUse{w, last})
		}
		x.word = "."
	case w.text == "let":
		f.lets = append(f.lets, start)
	case w.text == "in":
		f.lets = f.lets[:max(len(f.lets)-1, 0)]
	case w.text == "inherit":
		x.inherit = true
	case nixWords[w.text]:
	case x.inherit:
		x.inherited(w, f)
	case follows(":") && !follows("::"), follows("@"):
		x.bind(w, true)
	case follows("=") && !follows("=="):
		x.bound = w.text
		if len(f.lets) > 0 || f.rec {
			x.bind(w, false)
		}
	case before == '?', follows(".") && x.isKey():
	default:
		x.refs = append(x.refs, nixUse{word: w})
	}
}

// inherited reads a name behind "inherit".
func (x *nixReader) inherited(w word, f *nixFrame) {
	switch {
	case f.kind != '{' || !x.from: // of which others are, or of the scope around: the same under the same name
		x.refs = append(x.refs, nixUse{word: w})
	case len(f.lets) > 0 || f.rec:
		x.bind(w, true)
	}
}

// isKey reports whether what is read is a path of names that something is bound to.
func (x *nixReader) isKey() bool {
	i := x.i
	for i < len(x.text) && i < x.i+200 && (lex.IsWord(x.text[i]) || strings.IndexByte(".-'", x.text[i]) >= 0) {
		i++
	}
	rest := strings.TrimLeft(x.text[i:min(len(x.text), i+50)], " \t\r\n")
	return strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==")
}

// readNix reads the facts of a file of Nix.
func readNix(r *reader, outline []parse.Symbol) {
	r.declare(outline)
	x := &nixReader{text: r.src.Text, scopes: map[string][]nixScope{}}
	x.read()
	for _, p := range x.paths {
		line, column, in := r.position(p.at)
		r.file.Imports = append(r.file.Imports, facts.Import{
			Path: p.text, Local: p.of.LastName(), In: in, Line: line, Column: column,
		})
	}
	for _, u := range x.refs {
		of := u.of
		if of == "" {
			of = u.text
		}
		scopes := x.scopes[of]
		if len(scopes) != 1 || scopes[0].parameter || u.at < scopes[0].start || u.at > x.ends[scopes[0].id] {
			continue
		}
		is, known := r.at[scopes[0].at]
		if !known && u.of == "" {
			continue
		}
		line, column, in := r.position(u.at)
		ref := facts.Ref{Name: u.text, Kind: facts.Read, In: in, Line: line, Column: column}
		if u.of == "" {
			ref.Bare, ref.Is = true, is+1
		} else {
			ref.Of = facts.Name(u.of)
		}
		r.file.Refs = append(r.file.Refs, ref)
	}
}
