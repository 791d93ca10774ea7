//go:build cgo

package treesitter

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"

	sitter "github.com/smacker/go-tree-sitter"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/treesitter/query"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// compiled is a query of symbols that is ready to run.
type compiled struct {
	query      *query.Query
	captures   []capture
	grammar    query.Grammar
	kinds      []string // names of the grammar's
	looked     looked   // at by the query
	everything looked
}

func compile(source string, g query.Grammar) (*compiled, error) {
	q, err := query.Compile(source, g)
	if err != nil {
		return nil, err
	}
	c := &compiled{query: q, captures: captures(q), grammar: g, looked: lookedAt(q, g), everything: lookedAt(nil, g)}
	for _, k := range g.Kinds {
		c.kinds = append(c.kinds, k.Name)
	}
	return c, nil
}

// referenceMark is the line of a query file behind which the patterns are
// that find references.
const referenceMark = "; references\n"

// compileWith compiles what is wanted of a language's query.
func (l *language) compileWith(want parse.Want) func() (*compiled, error) {
	return sync.OnceValues(func() (*compiled, error) {
		b, err := queries.ReadFile("queries/" + l.query + ".scm")
		if err != nil {
			return nil, err
		}
		source := string(b)
		if want == parse.WantSymbols {
			source, _, _ = strings.Cut(source, referenceMark)
		}
		c, err := compile(source, vocabulary(l))
		if err != nil {
			return nil, fmt.Errorf("queries/%s.scm: %w", l.query, err)
		}
		return c, nil
	})
}

// A Parser parses one text at a time.
type Parser struct {
	languages map[string]*language
	parser    *sitter.Parser
	alone     bool // it is made for each file
}

// New returns a Parser.
func New() *Parser {
	return &Parser{languages: table(), parser: sitter.NewParser()}
}

// NewAlone returns a Parser that is the only one of its process, now and later.
// It is faster: see useArena.
func NewAlone() *Parser {
	if !useArena() {
		return New()
	}
	return &Parser{languages: table(), alone: true}
}

// begin is called before a file is looked at, end afterwards.
func (p *Parser) begin() {
	if p.alone {
		beginArena()
		p.parser = sitter.NewParser()
	}
}

func (p *Parser) end() {
	if p.alone {
		p.parser.Close()
		endArena()
	}
}

// drop gives up a tree. That of a Parser alone goes with its file, which saves
// looking for all of its nodes.
func (p *Parser) drop(tree *sitter.Tree) {
	if p.alone {
		runtime.SetFinalizer(tree.BaseTree, nil)
		return
	}
	tree.Close()
}

// Shares of a text that may be syntax errors: above the first it is looked
// at again in other ways, above the second it is given up.
const (
	manyErrors = 0.05
	maxErrors  = 0.5
)

// Outline parses a file. The text must have passed Guard. It returns
// ErrUnknown and ErrBroken.
func (p *Parser) Outline(f parse.File, want parse.Want) (parse.Outline, error) {
	lang := p.languages[strings.ToLower(f.Language)]
	if lang == nil {
		return parse.Outline{}, ErrUnknown
	}
	c, err := lang.compiled[want]()
	if err != nil {
		return parse.Outline{}, err
	}
	source := f.Text
	if lang.prepare != nil {
		source = lang.prepare(source)
	}
	p.begin()
	defer p.end()
	p.parser.SetLanguage(lang.grammar())
	all, err := lang.best(f.Text, source, func(source string) (*found, error) { return p.run(c, lang, f.Text, source) })
	if err != nil {
		return parse.Outline{}, err
	}
	if all.errors > 0 && float64(all.garbled()) > maxErrors*float64(len(f.Text)) {
		return parse.Outline{}, ErrBroken
	}
	o := outliner{found: all, lang: lang, path: f.Path, lines: parse.LineOffsets(f.Text)}
	return o.outline(), nil
}

// best looks at a prepared text, and where there are errors at others in its place, and
// returns what has the fewest: the text without brackets that nobody closed; without
// what stands where the errors are; where there are many, the text as it is, as it may
// be what was hidden that makes them, and the prepared one after the language's repair,
// mended too.
func (l *language) best(text, prepared string, look func(source string) (*found, error)) (*found, error) {
	all, err := look(prepared)
	if err != nil || all.errors == 0 {
		return all, err
	}
	try := func(source string) {
		if again, err := look(source); err == nil && again.errors < all.errors {
			all = again
		}
	}
	if l.unclosed != nil {
		if closed := l.unclosed(text); closed != prepared {
			try(closed)
		}
	}
	mend := func() {
		if l.mend != nil && all.errors > 0 {
			if mended := l.mend(all.source, all.offsets()); mended != all.source {
				try(mended)
			}
		}
	}
	mend()
	if many := manyErrors * float64(len(prepared)); float64(all.errors) > many {
		mended := all
		if l.prepare != nil && prepared != text {
			try(text)
		}
		if l.repair != nil {
			try(l.repair(prepared))
		}
		if all != mended {
			mend()
		}
	}
	return all, nil
}

// run parses source, in which offsets are those of text.
func (p *Parser) run(c *compiled, lang *language, text, source string) (*found, error) {
	f := &found{text: text, source: source}
	return f, p.parse(lang, source, c, c.looked, func(nodes []binder.Node) { f.collect(c, nodes) })
}

// parse calls do with the nodes of a source that are looked at, which are good until it
// returns. What the source was closed with is in none of them.
func (p *Parser) parse(lang *language, source string, c *compiled, what looked, do func([]binder.Node)) error {
	p.parser.Reset()
	whole := source
	if lang.closing != nil {
		whole += lang.closing(source)
	}
	// A context that can be cancelled makes the binding fail for ever after.
	tree, err := p.parser.ParseCtx(context.Background(), nil, []byte(whole))
	if err != nil {
		return fmt.Errorf("tree-sitter: %w", err)
	}
	defer p.drop(tree)
	return flatten(tree.RootNode(), c.grammar.Fields, what, func(nodes []binder.Node) {
		if end := int32(len(source)); len(whole) > len(source) { //nolint:gosec // a text has at most 2 MiB
			for i := range nodes {
				nodes[i].Start, nodes[i].End = min(nodes[i].Start, end), min(nodes[i].End, end)
			}
		}
		do(nodes)
	})
}

// compileBindings compiles the query of what a language binds and uses, if it
// has one; package syntax says what its captures mean (syntax.Match).
func (l *language) compileBindings() func() (*query.Query, error) {
	name := "queries/bindings/" + l.query + ".scm"
	source, err := queries.ReadFile(name)
	if err != nil {
		return nil
	}
	return sync.OnceValues(func() (*query.Query, error) {
		q, err := query.Compile(string(source), vocabulary(l))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return q, nil
	})
}
