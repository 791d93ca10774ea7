//go:build cgo

package treesitter

import (
	"embed"
	"maps"
	"slices"
	"strings"
	"sync"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/bash"
	"github.com/smacker/go-tree-sitter/c"
	"github.com/smacker/go-tree-sitter/cpp"
	"github.com/smacker/go-tree-sitter/csharp"
	"github.com/smacker/go-tree-sitter/elixir"
	"github.com/smacker/go-tree-sitter/java"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/kotlin"
	"github.com/smacker/go-tree-sitter/lua"
	"github.com/smacker/go-tree-sitter/php"
	"github.com/smacker/go-tree-sitter/python"
	"github.com/smacker/go-tree-sitter/ruby"
	"github.com/smacker/go-tree-sitter/rust"
	"github.com/smacker/go-tree-sitter/scala"
	"github.com/smacker/go-tree-sitter/swift"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/treesitter/plain"
	"github.com/ragnav/ragnav/internal/treesitter/query"
)

//go:embed queries/*.scm queries/bindings/*.scm
var queries embed.FS

// A language is one row of the table. CONTRIBUTING.md says how to add one.
type language struct {
	names      []string // as go-enry gives them
	query      string   // file in queries, without extension
	grammar    func() *sitter.Language
	separators string                   // characters that part a name like A::B into what is around and itself
	tail       string                   // ends a declaration without body
	opening    string                   // begins the body where the query does not tell it
	maximum    int                      // number of symbols above which they say nothing; 0 is no limit
	prepare    func(text string) string // hides from the grammar what it cannot read; keeps every offset
	repair     func(text string) string // the same for a text with many errors
	// mend is given a prepared text and the errors in it, and hides more.
	mend func(text string, wrong [][2]int) string
	// unclosed is in place of prepare, for a text with any error: it closes brackets, hides what is newer.
	unclosed func(text string) string
	// closing is what a source is parsed with behind it, "" most often.
	closing func(source string) string
	macros  bool // prepare hides macros, which are used where they stand
	markup  bool // prepare hides names too: what a file says about names is read from what it leaves
	rename  func(name string) string
	exports func(o *outliner, d *decl, s parse.Symbol) bool

	compiled map[parse.Want]func() (*compiled, error)
	bindings func() (*query.Query, error) // nil without a walker and without a query of what is bound
}

func rows() []*language {
	return []*language{
		{names: []string{"Python"}, query: "python", grammar: python.GetLanguage, unclosed: plain.ClosePython, exports: notUnderscore},
		{names: []string{"JavaScript", "JSX"}, query: "javascript", grammar: javascript.GetLanguage, separators: ".", rename: jsName, exports: jsExports},
		{names: []string{"TypeScript"}, query: "typescript", grammar: typescript.GetLanguage, separators: ".", prepare: plain.TypeScript, rename: jsName, exports: jsExports},
		{names: []string{"TSX"}, query: "typescript", grammar: tsx.GetLanguage, separators: ".", prepare: plain.TSX, rename: jsName, exports: jsExports},
		{names: []string{"Vue"}, query: "typescript", grammar: typescript.GetLanguage, separators: ".", prepare: plain.Vue, unclosed: plain.VueScript, markup: true, rename: jsName, exports: without()},
		{names: []string{"Svelte"}, query: "typescript", grammar: typescript.GetLanguage, separators: ".", prepare: plain.Svelte, unclosed: plain.SvelteScript, markup: true, rename: jsName, exports: without()},
		{names: []string{"Astro"}, query: "typescript", grammar: typescript.GetLanguage, separators: ".", prepare: plain.Astro, unclosed: plain.AstroScript, markup: true, rename: jsName, exports: without()},
		{names: []string{"Java"}, query: "java", grammar: java.GetLanguage, exports: publicExports},
		{names: []string{"Rust"}, query: "rust", grammar: rust.GetLanguage, separators: ":", prepare: plain.Rust, macros: true, mend: plain.MendRust, rename: rustName, exports: rustExports},
		{names: []string{"C"}, query: "c", grammar: c.GetLanguage, prepare: plain.C, macros: true, mend: plain.MendC, repair: plain.OneBranch, exports: without("static")},
		{names: []string{"C++"}, query: "cpp", grammar: cpp.GetLanguage, separators: ":", prepare: plain.CPP, macros: true, mend: plain.MendC, repair: plain.OneBranch, exports: cppExports},
		{names: []string{"C#"}, query: "csharp", grammar: csharp.GetLanguage, prepare: plain.CSharp, repair: plain.OneBranch, exports: publicExports},
		{names: []string{"Ruby"}, query: "ruby", grammar: ruby.GetLanguage, tail: "end", separators: ":", exports: notUnderscore},
		{names: []string{"Elixir"}, query: "elixir", grammar: elixir.GetLanguage, separators: ".", tail: "end", exports: without("defp", "defmacrop", "defguardp", "@typep")},
		{names: []string{"PHP"}, query: "php", grammar: php.GetLanguage, prepare: plain.PHP, exports: without("private", "protected")},
		{names: []string{"Shell"}, query: "bash", grammar: bash.GetLanguage, exports: notUnderscore},
		{names: []string{"Kotlin"}, query: "kotlin", grammar: kotlin.GetLanguage, prepare: plain.Kotlin, unclosed: plain.NewerKotlin, exports: without("private", "internal", "protected")},
		{names: []string{"Scala"}, query: "scala", grammar: scala.GetLanguage, unclosed: plain.Scala, exports: without("private", "protected")},
		{names: []string{"Swift"}, query: "swift", grammar: swift.GetLanguage, prepare: plain.Swift, closing: plain.CloseSwift, opening: "{", separators: ".", exports: without("private", "fileprivate")},
		{names: []string{"Lua"}, query: "lua", grammar: lua.GetLanguage, prepare: plain.Lua, tail: "end", separators: ".:", exports: without("local")},
	}
}

// table is the rows by name in lower case.
var table = sync.OnceValue(func() map[string]*language {
	all := make(map[string]*language)
	for _, row := range rows() {
		row.compiled = map[parse.Want]func() (*compiled, error){
			parse.WantSymbols: row.compileWith(parse.WantSymbols), parse.WantReferences: row.compileWith(parse.WantReferences),
		}
		row.bindings = row.compileBindings()
		for _, name := range row.names {
			all[strings.ToLower(name)] = row
		}
	}
	return all
})

// Languages are the names of the languages in this build, in lower case.
func Languages() []string { return slices.Sorted(maps.Keys(table())) }

// Speaks reports whether there is a grammar in this build for a language.
func Speaks(language string) bool { return table()[strings.ToLower(language)] != nil }
