package patterns

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
)

// keywords are no names of functions where one is told by its parenthesis.
var keywords = map[string]bool{
	"if": true, "for": true, "while": true, "switch": true, "return": true, "catch": true, "else": true, "do": true,
	"sizeof": true, "typeof": true, "function": true, "throw": true, "case": true, "defined": true, "foreach": true,
	"using": true, "lock": true, "await": true, "synchronized": true, "with": true, "elif": true, "elseif": true,
}

// plainNames are the kinds whose names hold dots and colons that separate nothing.
var plainNames = map[string]bool{
	"key": true, "section": true, "resource": true, "target": true, "stage": true, "label": true, "table": true,
	"namespace": true, "module": true, "package": true, "heading": true, "test": true, "rule": true,
}

// accept makes a declaration of a match, unless what follows or where it is
// says that it is none.
func (s *scanner) accept(m match, c site) bool {
	name := m.group("name")
	if m.p.word == "(" && keywords[name] && !s.isMember(c) {
		return false
	}
	if m.p.has(constructor) && s.isMember(c) && (s.continued(m.n) ||
		m.group("type") == "" && strings.TrimPrefix(name, "~") != s.decls[c.up].Name) {
		return false
	}
	e := s.extent(m)
	if m.p.has(needsBody) && e.body < 0 && !e.isFunc || m.p.has(needsFunc) && !e.isFunc || m.p.has(cFunction) &&
		!s.isCFunction(m, e) {
		return false
	}
	if c.lost {
		s.cut(m.n, c.up)
	}
	if s.Lang.style == statement || s.Lang.style == running && m.p.place != member {
		c.up = -1
	}
	d := s.newDecl(m, c, e)
	if s.Lang.clauses && s.mergeClause(d, m.n) {
		return true
	}
	s.place(d, m, e)
	return true
}

// continued reports whether line n goes on with the expression above it.
func (s *scanner) continued(n int) bool {
	before := bytes.TrimRight(s.Code[:s.Lines[n]], " \t\r\n")
	return bytes.HasSuffix(before, []byte("=>")) ||
		len(before) > 0 && strings.IndexByte("=,(?", before[len(before)-1]) >= 0
}

// A site is what is around a line.
type site struct {
	up     int  // index of the declaration around, or -1
	direct bool // with no other block between
	lost   bool // a function that seems to be around has lost its closing brace
}

// site finds what is around line n. A function around a line as far left
// as its own has missed its end, where functions hold no functions or when it
// has none.
func (s *scanner) site(n int) site {
	up, direct := s.enclosing(n)
	if s.Lang.style == braces && up >= 0 && s.decls[up].isFunc && s.Indent(n) <= s.decls[up].indent {
		body := s.decls[up].body
		if s.Lang.flat || body >= 0 && int(s.pairs.Close[body]) == len(s.Code) {
			return site{up: s.decls[up].up, direct: true, lost: true}
		}
	}
	return site{up: up, direct: direct}
}

// depth is how many declarations are around what is in up, with it.
func (s *scanner) depth(up int) int {
	if up < 0 {
		return 0
	}
	return s.decls[up].depth
}

func (s *scanner) isMember(c site) bool {
	return c.up >= 0 && c.direct && s.decls[c.up].holds && !transparent[s.decls[c.up].Kind]
}

// cut ends the function that was around line n before it.
func (s *scanner) cut(n, up int) {
	end := n
	if s.lead >= 0 {
		end = s.lead
	}
	lost, _ := s.enclosing(n)
	for lost > up {
		d := &s.decls[lost]
		d.EndLine = min(d.EndLine, s.endBefore(end, d.StartLine))
		lost = d.up
	}
}

func (s *scanner) newDecl(m match, c site, e extent) decl {
	d := decl{up: c.up, depth: s.depth(c.up) + 1, indent: s.Indent(m.n), hidden: m.p.has(hidden), body: e.body}
	d.Kind, d.Name = m.p.kind, m.group("name")
	if m.p.has(typedefName) {
		d.Name = s.nameBehind(e.end)
	}
	if d.Name == "" && !d.hidden {
		d.Name = "default"
	}
	if i := m.p.re().SubexpIndex("name"); s.Lang.named != nil && i >= 0 {
		d.Name = s.Lang.named(d.Kind, d.Name, s.Code[s.Lines[m.n]+m.at[2*i+1]:])
	}
	if e.isFunc && (d.Kind == "const" || d.Kind == "var") {
		d.Kind = "func"
	}
	d.isFunc = d.Kind == "func" || d.Kind == "method"
	if d.Kind == "func" && s.isMember(c) {
		d.Kind = "method"
	}
	d.holds = !m.p.has(closed) && (containers[d.Kind] || transparent[d.Kind] || m.p.has(holds) && !d.isFunc)
	d.open = transparent[d.Kind] && s.outermost(c.up)
	parent := m.group("parent")
	if m.p.has(ofClass) && s.class >= 0 && m.n < s.decls[s.class].EndLine {
		parent = s.decls[s.class].Name
	}
	s.qualify(&d, parent, c.up)
	s.describe(&d, m, e)
	return d
}

var firstWord = parse.NewHead(`^\W*(\w+)`)

// nameBehind is the first word behind an offset: of the type in
// "typedef struct {…} name;".
func (s Source) nameBehind(offset int) string {
	from := min(offset+1, len(s.Code))
	m := firstWord().FindSubmatch(s.Code[from:min(from+200, len(s.Code))])
	if m == nil {
		return ""
	}
	return string(m[1])
}

// qualify sets the names that depend on what is around the declaration.
func (s *scanner) qualify(d *decl, parent string, up int) {
	if parent = strings.Join(s.parts(withoutAngles(parent), "."), "."); parent == "" && up >= 0 {
		parent = s.decls[up].path
	}
	if s.Lang.separators != "" && !plainNames[d.Kind] {
		if parts := s.parts(d.Name, ""); len(parts) > 1 {
			last := len(parts) - 1
			parent, d.Name = parse.Qualify(parent, strings.Join(parts[:last], ".")), parts[last]
		}
	}
	d.Parent, d.Qualified = parent, parse.Qualify(parent, d.Name)
	if s.Lang.around != nil {
		if parent = s.Lang.around(parent); up < 0 {
			d.Parent = parent
		}
		d.Qualified = parse.Qualify(parent, d.Name)
	}
	d.path = d.Qualified
	if d.Kind == "namespace" || d.Kind == "package" {
		d.path = parent
	}
}

// parts are the names between the language's separators and the others given.
func (s Source) parts(name, others string) []string {
	return strings.FieldsFunc(name, func(r rune) bool {
		return strings.ContainsRune(s.Lang.separators, r) || strings.ContainsRune(others, r)
	})
}

// withoutAngles is a name without its type arguments.
func withoutAngles(name string) string {
	for {
		i := strings.LastIndexByte(name, '<')
		if i < 0 {
			return name
		}
		_, after, _ := strings.Cut(name[i:], ">")
		name = name[:i] + after
	}
}

// mergeClause adds a further equation, when nothing documents it apart, to the
// function it belongs to.
func (s *scanner) mergeClause(d decl, n int) bool {
	i := len(s.decls) - 1
	if i < 0 || s.lead >= 0 || s.decls[i].Qualified != d.Qualified || s.decls[i].Kind != d.Kind {
		return false
	}
	if declared := !s.decls[i].defined && strings.HasPrefix(s.decls[i].Signature, "-"); s.stop(n) && !declared {
		return false
	}
	s.decls[i].defined = true
	if s.Lang.style == indented && !slices.Contains(s.stack, i) {
		s.stack = append(s.stack, i)
	}
	return true
}

// stop reports whether the code before line n ended a function, see Language.stop.
func (s *scanner) stop(n int) bool {
	before := bytes.TrimRight(s.Code[:s.Lines[n]], " \t\r\n")
	return s.Lang.stop != 0 && len(before) > 0 && before[len(before)-1] == s.Lang.stop
}

// place adds a declaration and notes where it ends, or that it is open. Those that run
// to the next one end before it, unless it is a member of theirs.
func (s *scanner) place(d decl, m match, e extent) {
	for i := len(s.decls) - 1; i >= 0 && i != d.up; i = s.decls[i].up {
		if s.decls[i].pending {
			s.decls[i].EndLine, s.decls[i].pending = s.endBefore(d.StartLine-1, s.decls[i].StartLine), false
		}
	}
	s.decls = append(s.decls, d)
	i := len(s.decls) - 1
	if m.p.has(toTerminator) {
		s.class = i
	}
	switch {
	case s.Lang.style == indented:
		s.stack = append(s.stack, i)
	case s.Lang.style == running || m.p.has(noEnd):
		s.decls[i].pending = true
		if d.up < 0 || s.Lang.style != running {
			s.stack = append(s.stack[:0], i)
		}
	case e.body >= 0:
		s.own(e.body, i)
	}
}

func isHeader(file string) bool {
	ext := strings.ToLower(path.Ext(file))
	return slices.Contains([]string{".h", ".hh", ".hpp", ".hxx", ".h++", ".inc", ".ipp"}, ext)
}
