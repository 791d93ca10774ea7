package lexical

import (
	"slices"
	"sync"

	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/data"
	"github.com/ragnav/ragnav/internal/pattern"
)

// A dialect says what of a text is a name, and what binds one, in some languages.
type dialect struct {
	languages []string        // as go-enry gives them
	letters   string          // characters of names besides letters, digits, "_" and what is not ASCII
	of        []string        // what stands between something and its member; of two that end alike the longer first
	modules   bool            // a capital letter before a dot begins the name of a module; other dots are none of members
	typed     bool            // a name behind a type is declared by it
	capitals  bool            // names that begin with a capital letter are variables
	equations bool            // patterns before "=", "->" and "<-" bind
	prefix    bool            // "(name …" is a call
	atoms     bool            // a name that is not called, and has no mark before it, is a value of its own
	keys      bool            // {name} and name => are keys of a map
	words     map[string]bool // names of the language, which a member may have too
	sigils    string          // a name behind one of them is a variable
	importing pattern.Lazy    // groups path and, perhaps, as and export; nil: what is imported is not known
	reexports bool            // what is imported is known to who imports the file, too
	inline    bool            // other code stands on the lines of imports

	read    func(r *reader, outline []parse.Symbol) // finds all instead, where a language has a reader of its own
	outline func(f parse.File) parse.Outline        // where it is not that of patterns
}

// perlWords are functions of Perl that are called without brackets.
const perlWords = `
abs bless chomp chop chr close defined die do each eof eval exists exit goto grep hex index join keys last lc lcfirst
length local map next no oct open ord package pop pos print printf push quotemeta read redo ref return reverse rindex
say scalar shift sort splice split sprintf sub substr tie time uc ucfirst undef unlink unshift untie use values wantarray
warn write and or not if unless while until for foreach else elsif our my state base parent`

// table are the dialects. To add one, write a row; patterns must know the language.
func table() []*dialect {
	return slices.Concat(curly(), functional(), scripts(), interfaces())
}

func curly() []*dialect {
	include := pattern.NewLazy(`^\s*#\s*(?:include|import)\s+["<](?P<path>[^">]+)`)
	return []*dialect{
		{
			languages: []string{"Dart"}, of: []string{"?..", "..", "?.", "!.", "."}, typed: true,
			words: resolve.Set("get set operator int double bool num dynamic void late required covariant show hide on"),
			importing: pattern.NewLazy(
				`^\s*(?:import|(?P<export>export|part(?:\s+of)?))\s+['"](?P<path>[^'"]+)['"](?:[^;]*\bas\s+(?P<as>\w+))?`),
		},
		{
			languages: []string{"Groovy", "Gradle"}, of: []string{"?.", "*.", "."}, typed: true,
			importing: pattern.NewLazy(`^\s*import\s+(?:static\s+)?(?P<path>[\w.]+)(?:\s+as\s+(?P<as>\w+))?`),
		},
		{
			languages: []string{"Solidity"}, of: []string{"."}, typed: true, reexports: true,
			importing: pattern.NewLazy(`^\s*import\s+(?:[^"']*\sfrom\s+)?["'](?P<path>[^"']+)["'](?:\s+as\s+(?P<as>\w+))?`),
		},
		{
			languages: []string{"GLSL", "HLSL", "Metal", "OpenCL", "Cuda"}, of: []string{"->", "::", "."}, typed: true,
			importing: include, reexports: true,
		},
		{
			languages: []string{"Objective-C", "Objective-C++"}, read: readObjC, importing: include, reexports: true,
		},
		{
			languages: []string{"Zig"}, of: []string{"."}, inline: true,
			importing: pattern.NewLazy(`(?:const|var)\s+(?P<as>\w+)\s*=\s*@import\("(?P<path>[^"]+)"\)`),
		},
	}
}

func functional() []*dialect {
	return []*dialect{
		{
			languages: []string{"Haskell", "PureScript", "Elm", "Idris"}, letters: "'", of: []string{"."}, modules: true,
			equations: true,
			importing: pattern.NewLazy(
				`^import\s+(?:safe\s+)?(?:qualified\s+)?(?P<path>[\w.]+)(?:\s+qualified)?(?:\s+as\s+(?P<as>[\w.]+))?`),
		},
		{
			languages: []string{"OCaml", "Reason", "Standard ML", "F#"}, letters: "'", of: []string{"."}, equations: true,
			importing: pattern.NewLazy(`^\s*(?:open!?|include)\s+(?P<path>[A-Z][\w.]*)`),
		},
		{
			languages: []string{"Erlang"}, letters: "@", of: []string{":"}, capitals: true, atoms: true,
			importing: pattern.NewLazy(`^-(?:import\(\s*|include(?:_lib)?\(\s*")(?P<path>[\w@./]+)`),
		},
		{
			languages: []string{"Clojure"}, letters: "-!?*<>=+&%$.'", of: []string{"/"}, prefix: true, inline: true,
			importing: pattern.NewLazy(`[\[(\s](?P<path>[a-z][\w*+!?-]*(?:\.[\w*+!?-]+)+)(?:\s+:as(?:-alias)?\s+(?P<as>[\w.-]+))?`),
		},
		{
			languages: []string{"Common Lisp", "Emacs Lisp", "Scheme", "Racket", "Fennel", "Janet"},
			letters:   "-!?*<>=+&%$.~^/", of: []string{"::", ":"}, prefix: true,
		},
	}
}

func scripts() []*dialect {
	return []*dialect{
		{
			languages: []string{"Nim"}, of: []string{"."},
			importing: pattern.NewLazy(`^\s*(?:import|from|include)\s+(?P<path>[\w./]+)`),
		},
		{
			languages: []string{"Perl", "Raku"}, of: []string{"->", "::"}, sigils: "$@%", keys: true,
			words:     resolve.Set(perlWords),
			importing: pattern.NewLazy(`^\s*use\s+(?P<path>[A-Z][\w:]*)`),
		},
		{languages: []string{"R"}, letters: ".", of: []string{":::", "::", "$", "@"}},
		{
			languages: []string{"Julia"}, letters: "!", of: []string{"."},
			importing: pattern.NewLazy(`^\s*(?:using|import)\s+\.*(?P<path>[\w.]+)`),
		},
		{languages: []string{"PowerShell"}, letters: "-", of: []string{"::", "."}, sigils: "$"},
		{languages: []string{"Vim Script"}, letters: ":#", of: []string{"."}},
		{languages: []string{"CMake"}, letters: "-."},
		{languages: []string{"Crystal"}, letters: "?!", of: []string{"::", "."}},
		{
			languages: []string{"Starlark", "Cython", "GDScript"}, of: []string{"."},
			importing: pattern.NewLazy(`^\s*(?:from|c?import)\s+(?P<path>[\w.]+)(?:\s+as\s+(?P<as>\w+))?`),
		},
		{languages: []string{"Luau", "MoonScript"}, of: []string{":", "."}},
	}
}

// interfaces are languages that describe data and services.
func interfaces() []*dialect {
	return []*dialect{
		{
			languages: []string{"Protocol Buffer"}, of: []string{"."},
			importing: pattern.NewLazy(`^\s*import\s+(?:public\s+|weak\s+)?"(?P<path>[^"]+)"`),
		},
		{languages: []string{"GraphQL"}},
		{languages: []string{"HCL"}, read: readHCL},
		{languages: []string{"Nix"}, letters: "-'", read: readNix},
		{
			languages: []string{"SQL", "PLpgSQL", "PLSQL", "TSQL", "SQLPL"}, read: readSQL, outline: data.ReadSQL,
		},
		{languages: []string{"Thrift", "FlatBuffers", "Cap'n Proto"}, of: []string{"."}},
	}
}

var dialects = sync.OnceValue(func() map[string]*dialect {
	all := map[string]*dialect{}
	for _, d := range table() {
		for _, language := range d.languages {
			all[language] = d
		}
	}
	return all
})
