//go:build cgo

package treesitter

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/treesitter/syntax"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// Facts are what a file says about names. The text must have passed Guard. It
// returns ErrUnknown and ErrBroken.
func (p *Parser) Facts(f parse.File) (facts.File, error) {
	r, err := p.read(f)
	if err != nil {
		return facts.File{}, err
	}
	return r.facts(f, r.outliner.outline()), nil
}

// Both are what Outline finds, without references, and Facts, of one parse. Of a
// language whose facts come from references there are none.
func (p *Parser) Both(f parse.File) (parse.Outline, *facts.File, error) {
	if lang := p.languages[strings.ToLower(f.Language)]; lang != nil && lang.symbolsDo(f.Language) {
		if r, err := p.read(f); err == nil {
			out := r.outliner.outline()
			return out, new(r.facts(f, out)), nil
		}
	}
	out, err := p.Outline(f, parse.WantSymbols)
	return out, nil, err
}

// symbolsDo reports that facts need no references of an outline.
func (l *language) symbolsDo(name string) bool { return syntax.Speaks(name) || l.bindings != nil }

// Locals are the names of a file that mean something in a part of it only, under
// the same rules.
func (p *Parser) Locals(f parse.File) ([]facts.Local, error) {
	r, err := p.read(f)
	if err != nil {
		return nil, err
	}
	r.outliner.outline()
	return syntax.Locals(f.Path, f.Language, r.tree, r.outliner.declared()), nil
}

// A reading is a file as it was parsed.
type reading struct {
	outliner *outliner
	tree     *binder.Tree
}

// facts are those of the file whose outline that is.
func (r reading) facts(f parse.File, out parse.Outline) facts.File {
	result, ok := syntax.Facts(f.Path, f.Language, r.tree, r.outliner.declared(), out.Package)
	if !ok {
		result = syntax.FromOutline(f, out)
	}
	return result
}

// read parses a file.
func (p *Parser) read(f parse.File) (reading, error) {
	lang := p.languages[strings.ToLower(f.Language)]
	if lang == nil {
		return reading{}, ErrUnknown
	}
	want := parse.WantSymbols
	if !lang.symbolsDo(f.Language) {
		want = parse.WantReferences
	}
	c, err := lang.compiled[want]()
	if err != nil {
		return reading{}, err
	}
	source := f.Text
	if lang.prepare != nil {
		source = lang.prepare(source)
	}
	p.begin()
	defer p.end()
	p.parser.SetLanguage(lang.grammar())
	trees := map[*found]*binder.Tree{}
	all, err := lang.best(f.Text, source, func(source string) (*found, error) {
		looked, tree, err := p.look(c, lang, f.Text, source)
		trees[looked] = tree
		return looked, err
	})
	if err != nil {
		return reading{}, err
	}
	if all.errors > 0 && float64(all.garbled()) > maxErrors*float64(len(f.Text)) {
		return reading{}, ErrBroken
	}
	tree := trees[all]
	tree.Hidden = hiddenNames(f.Text, all.source, lang)
	return reading{&outliner{found: all, lang: lang, path: f.Path, lines: parse.LineOffsets(f.Text)}, tree}, nil
}

// hiddenNames are the offsets of names in a text that its preparation put spaces for,
// outside of the definitions of macros.
func hiddenNames(text, source string, lang *language) (all []int) {
	if text == source || len(text) != len(source) || !lang.macros {
		return nil
	}
	start, defines := 0, false
	for line := range strings.Lines(text) {
		defines = defines || isDefinition(line)
		if !defines && line != source[start:start+len(line)] {
			all = appendNames(all, text, source, start, start+len(line))
		}
		defines = defines && strings.HasSuffix(strings.TrimRight(line, " \t\r\n"), "\\")
		start += len(line)
	}
	return all
}

// isDefinition reports whether a line begins the definition of a macro.
func isDefinition(line string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "#")
	return ok && strings.HasPrefix(strings.TrimLeft(rest, " \t"), "define")
}

// appendNames adds the offsets of names between two that source has spaces for.
func appendNames(all []int, text, source string, from, to int) []int {
	for i := from; i < to; i++ {
		if !isLetter(text[i]) {
			continue
		}
		if source[i] == ' ' {
			all = append(all, i)
		}
		for i+1 < to && (isLetter(text[i+1]) || text[i+1] >= '0' && text[i+1] <= '9') {
			i++
		}
	}
	return all
}

func isLetter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }

// look parses source, in which offsets are those of text, and keeps the tree.
func (p *Parser) look(c *compiled, lang *language, text, source string) (*found, *binder.Tree, error) {
	f := &found{text: text, source: source}
	if lang.markup {
		text = source
	}
	t := &binder.Tree{Text: text, Kinds: c.kinds, Fields: c.grammar.Fields}
	err := p.parse(lang, source, c, c.everything, func(nodes []binder.Node) { t.Nodes = slices.Clone(nodes) })
	if err != nil {
		return nil, nil, err
	}
	f.collect(c, t.Nodes)
	if lang.bindings != nil {
		t.Bound = true
		t.Matches, err = matches(lang, source, t.Nodes)
	}
	return f, t, err
}
