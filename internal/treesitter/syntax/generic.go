package syntax

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// Speaks reports whether there is a walker for a language.
func Speaks(language string) bool { return starters[strings.ToLower(language)] != nil }

// kindsOf are the kinds of references of an outline.
var kindsOf = map[string]facts.Kind{
	parse.RefCall: facts.Call, parse.RefType: facts.Type, parse.RefImport: facts.Imported, parse.RefExtends: facts.Extends,
	parse.RefRead: facts.Read,
}

// FromOutline makes facts of an outline with references, for languages that
// have no walker: names without types.
func FromOutline(file parse.File, out parse.Outline) facts.File {
	f := facts.File{Path: file.Path, Language: file.Language, Package: out.Package}
	lines := parse.LineOffsets(file.Text)
	byName := make(map[string]int, len(out.Symbols))
	for i, s := range out.Symbols {
		sym := facts.Symbol{
			Name: s.Name, Qualified: s.Qualified, Kind: s.Kind, Parent: -1, StartLine: s.StartLine, EndLine: s.EndLine,
			Exported: s.Exported,
		}
		if at, ok := byName[s.Parent]; ok && s.Parent != "" {
			sym.Parent = at
		}
		sym.Line, sym.Column = named(file.Text, lines, s)
		if _, ok := byName[s.Qualified]; !ok {
			byName[s.Qualified] = i
		}
		f.Symbols = append(f.Symbols, sym)
	}
	for _, r := range out.References {
		if r.Name == "" { // what a grammar puts where a name is missing
			continue
		}
		kind := kindsOf[r.Kind]
		if kind == facts.Imported {
			f.Imports = append(f.Imports, facts.Import{Path: r.Name, In: -1, Line: r.Line, Column: r.Column})
			continue
		}
		ref := facts.Ref{Name: r.Name, Kind: kind, In: r.Symbol, Line: r.Line, Column: r.Column, Bare: r.Of == ""}
		switch r.Of {
		case "self", "this", "super", "base", "parent", "static", "$this":
			if c := classOf(f.Symbols, r.Symbol); c >= 0 {
				ref.Of = facts.SymbolAt(c).Value()
			}
		default:
			if binder.PlainName(r.Of) {
				ref.Of = facts.Dotted(r.Of)
			}
		}
		if kind == facts.Extends && r.Symbol >= 0 {
			f.Symbols[r.Symbol].Bases = append(f.Symbols[r.Symbol].Bases,
				facts.Base{Kind: facts.Extends, Of: facts.Name(r.Name)})
		}
		f.Refs = append(f.Refs, ref)
	}
	return f
}

// named finds the name of a symbol in the lines of its declaration.
func named(text string, lines parse.Offsets, s parse.Symbol) (line, column int) {
	for line = s.StartLine; line <= s.EndLine && line <= len(lines); line++ {
		end := len(text)
		if line < len(lines) {
			end = lines[line]
		}
		from := lines[line-1]
		if i := wordIn(text[from:end], s.Name); i >= 0 && !isComment(text[from:end]) {
			return line, i + 1
		}
	}
	return s.StartLine, 1
}

func isComment(line string) bool {
	line = strings.TrimSpace(line)
	return slices.ContainsFunc([]string{"//", "#", "*", "/*", "--"},
		func(mark string) bool { return strings.HasPrefix(line, mark) })
}

// wordIn is where a name is in a line as a word of its own, or -1.
func wordIn(line, name string) int {
	for from := 0; ; {
		i := strings.Index(line[from:], name)
		if i < 0 || name == "" {
			return -1
		}
		i += from
		end := i + len(name)
		if (i == 0 || !binder.IsWord(line[i-1])) && (end == len(line) || !binder.IsWord(line[end])) {
			return i
		}
		from = i + 1
	}
}

func classOf(symbols []facts.Symbol, i int) int {
	for ; i >= 0; i = symbols[i].Parent {
		if binder.Types[symbols[i].Kind] {
			return i
		}
	}
	return -1
}
