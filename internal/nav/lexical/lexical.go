// Package lexical finds what the text of one file says about names (facts.File)
// in languages that have no grammar here: what is declared by the patterns of
// package patterns, and where else names stand in code. What a function binds
// itself is left out as far as a few common forms tell.
package lexical

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/lex"
	"github.com/ragnav/ragnav/internal/parse/patterns"
)

// Speaks reports whether files of a language, as go-enry names it, are read by Extract.
func Speaks(language string) bool { return dialects()[language] != nil }

// Languages are those that Extract reads, as go-enry names them, in order.
func Languages() []string { return slices.Sorted(maps.Keys(dialects())) }

// Extract returns the facts of a file of one of Languages.
func Extract(path, language, text string) facts.File {
	f := facts.File{Path: path, Language: language}
	d := dialects()[language]
	if d == nil {
		return f
	}
	out, src := d.outlined(parse.File{Path: path, Language: language, Text: text})
	r := &reader{code: code{d, src}, file: &f, at: map[int]int{}}
	f.Package = out.Package
	if d.read != nil {
		d.read(r, out.Symbols)
		return f
	}
	r.declare(out.Symbols)
	r.imports()
	s := scanner{code: r.code, at: r.at, around: r.enclosing()}
	s.scan()
	r.all = s.all
	r.fields()
	b := &binder{reader: r, bound: map[int]map[string]string{}}
	b.bind()
	(&referrer{b}).refer()
	return f
}

// outlined is the outline of a file, and its text with what is code in it, as far as that is asked for.
func (d *dialect) outlined(f parse.File) (parse.Outline, *lex.Source) {
	if d.outline != nil {
		return d.outline(f), lex.Blank(f.Text, lex.NewLexis())
	}
	return patterns.Read(f, patterns.Named(f.Language))
}

// A reader reads one file.
type reader struct {
	code

	file   *facts.File
	at     map[int]int // symbols by the offset of their name
	all    []token     // in order of position
	inside []int       // see enclosing
	names  []word      // of declarations, in order of position, where a reader of its own found them
}

// declare makes the symbols of an outline.
func (r *reader) declare(symbols []parse.Symbol) {
	known := map[string]int{}
	for _, s := range symbols {
		if s.Kind == "chunk" {
			continue
		}
		sym := facts.Symbol{
			Name: s.Name, Qualified: s.Qualified, Kind: s.Kind, Parent: -1, StartLine: s.StartLine, EndLine: s.EndLine,
			Exported: s.Exported, Line: s.StartLine, Column: 1,
		}
		if at, ok := known[s.Parent]; ok && s.Parent != "" {
			sym.Parent = at
		}
		if i := r.nameOf(s); i >= 0 {
			sym.Line = r.src.Lines.LineAt(i)
			sym.Column = i - r.src.Lines[sym.Line-1] + 1
			r.at[i] = len(r.file.Symbols)
		}
		if _, ok := known[s.Qualified]; !ok {
			known[s.Qualified] = len(r.file.Symbols)
		}
		r.file.Symbols = append(r.file.Symbols, sym)
	}
}

// nameOf is the offset of the name of a declaration in its code, or -1.
func (r *reader) nameOf(s parse.Symbol) int {
	name := s.Name
	if i := strings.LastIndexAny(name, ".:#"); i >= 0 && i+1 < len(name) {
		name = name[i+1:]
	}
	from, to := r.src.Lines[s.StartLine-1], r.src.Lines[min(s.EndLine, r.src.Lines.Lines())]
	if r.names != nil {
		return r.noted(name, from, to)
	}
	for from < to {
		i := bytes.Index(r.src.Code[from:to], []byte(name))
		if i < 0 {
			return -1
		}
		i += from
		if _, taken := r.at[i]; !taken && !r.isLetter(r.src.Code, i-1) && !r.isLetter(r.src.Code, i+len(name)) {
			return i
		}
		from = i + 1
	}
	return -1
}

// maxNames is how many names are looked at for that of one declaration, which stands near its start.
const maxNames = 500

// noted is the offset of the first of the names between two offsets that is so called, or -1.
func (r *reader) noted(name string, from, to int) int {
	i, _ := slices.BinarySearchFunc(r.names, from, func(w word, from int) int { return w.at - from })
	for end := min(len(r.names), i+maxNames); i < end && r.names[i].at < to; i++ {
		if _, taken := r.at[r.names[i].at]; !taken && r.names[i].text == name {
			return r.names[i].at
		}
	}
	return -1
}

// enclosing is the innermost symbol around each line, from 0, or -1.
func (r *reader) enclosing() []int {
	out := make([]int, len(r.src.Class)+1)
	for i := range out {
		out[i] = -1
	}
	for i, s := range r.file.Symbols { // what is inside comes later
		for line := s.StartLine; line <= s.EndLine && line <= len(out); line++ {
			out[line-1] = i
		}
	}
	return out
}

// imports reads what a file imports, line by line.
func (r *reader) imports() {
	if r.importing == nil {
		return
	}
	re := r.importing()
	path, as, export := re.SubexpIndex("path"), re.SubexpIndex("as"), re.SubexpIndex("export")
	for n := range r.src.Class {
		if r.src.Class[n]&lex.HasCode == 0 || r.src.Class[n]&(lex.InString|lex.InComment) != 0 {
			continue
		}
		line := r.src.RawLine(n)
		for _, m := range re.FindAllStringSubmatchIndex(line[:min(len(line), patterns.MaxMatched)], -1) {
			x := facts.Import{Path: line[m[2*path]:m[2*path+1]], In: -1, Line: n + 1, Column: m[2*path] + 1}
			if as >= 0 && m[2*as] >= 0 {
				x.Local = line[m[2*as]:m[2*as+1]]
			}
			x.Export = r.reexports || export >= 0 && m[2*export] >= 0
			r.file.Imports = append(r.file.Imports, x)
		}
	}
}

// position is where an offset is, and the innermost symbol around it, or -1.
func (r *reader) position(at int) (line, column, in int) {
	if r.inside == nil {
		r.inside = r.enclosing()
	}
	line = r.src.Lines.LineAt(at)
	return line, at - r.src.Lines[line-1] + 1, r.inside[line-1]
}
