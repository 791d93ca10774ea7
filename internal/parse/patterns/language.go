package patterns

import (
	"strings"
	"sync"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/lex"
)

// A Language is one row of the table by which declarations are found in
// languages without a parser of their own. To add one, write a row and a
// golden file in testdata/outline.
type Language struct {
	names    []string // as go-enry gives them
	lexis    *lex.Lexis
	style    blockStyle
	patterns []pattern

	brackets   string         // kinds that are matched: allBrackets, bracesOnly or noBrackets
	directives bool           // has lines like #if, see matchBrackets
	flat       bool           // functions hold no functions
	newline    bool           // a statement ends with its line
	terminator string         // ends declarations of the block style statement
	header     string         // characters that end a declaration's head, if not by its block style
	keep       bool           // one line declarations of an indented block style count too
	decorator  parse.LazyHead // lines that belong to the declaration below them
	joins      parse.LazyHead // lines as far left as the declaration that continue it
	closer     parse.LazyHead // lines as far left as the declaration that end it
	pkg        parse.LazyHead // first group: Outline.Package
	innerDoc   string         // opens a comment inside of a module that documents it
	docstrings bool           // a declaration's documentation is the string it begins with
	exported   func(d *decl) bool
	separators string                     // characters that part a name like A::B into what is around and itself
	clauses    bool                       // equations of one function follow each other
	stop       byte                       // ends a function whose equations end otherwise
	around     func(parent string) string // how what is around a declaration is called elsewhere; nil: as it is written
	// the whole name of a declaration of a kind, by what its pattern found and the code behind that; may be nil
	named   func(kind, name string, behind []byte) string
	maximum int // number of symbols above which they say nothing; 0 is no limit
}

// A blockStyle says where declarations end.
type blockStyle int

const (
	braces    blockStyle = iota // at the brace that closes the body, or with the statement
	indented                    // before the next line as far left, or with it when it is the closer
	running                     // before the next declaration
	statement                   // at the language's terminator
)

// A pattern finds one kind of declaration by its first line.
type pattern struct {
	kind string
	re   parse.LazyHead // has the group "name", or no name is needed
	word string         // must be on the line; saves most of the matching
	place
	flags patternFlags
}

// A place says where a pattern applies.
type place int

const (
	anywhere place = iota
	top            // outside of every declaration but namespaces and modules
	member         // directly in the body of a type
	outer          // top or member
)

type patternFlags int

const (
	needsBody    patternFlags = 1 << iota // not a declaration without block
	needsFunc                             // the value must be a function
	raw                                   // matches the line with its strings
	hidden                                // no symbol: only names what is in it
	holds                                 // its body has members, whatever its kind
	closed                                // its body has none
	further                               // its head goes on with the indented lines below
	constructor                           // without the group "type" it must be named like the type; no part of a value
	cFunction                             // ends in "(", and what follows the parameters must fit
	noEnd                                 // runs to the next declaration, see running
	headerOnly                            // with cFunction: without body only in header files
	typedefName                           // the name comes behind the body
	wholeLine                             // ends with its line and the continuations of that
	toTerminator                          // runs to the language's terminator
	ofClass                               // belongs to what runs to the terminator around it
	none                                  // no declaration; further patterns are not tried
)

// containers are the kinds whose functions are methods.
var containers = map[string]bool{
	"class": true, "struct": true, "interface": true, "trait": true, "enum": true, "union": true,
	"object": true, "protocol": true, "extension": true, "contract": true, "service": true, "impl": true, "record": true,
}

// transparent are the kinds whose declarations count as top-level ones.
var transparent = map[string]bool{"namespace": true, "module": true, "package": true, "label": true}

// shorthand is what the table's regular expressions are written with.
var shorthand = strings.NewReplacer(
	"{name}", `(?P<name>{id})`,
	"{path}", `(?P<name>{id}(?:(?:\.|::|\\){id})*)`,
	"{id}", `[A-Za-z_$\x{80}-\x{10FFFF}][\w$\x{80}-\x{10FFFF}]*`,
	"{generics}", `(?:<[^(){};=]*?>)?`,
	"{at}", `(?:@[\w.]+(?:\([^()]*\))?\s+)*`,
)

// expression is a regular expression of the table, in shorthand.
func expression(re string) parse.LazyHead {
	return parse.NewHead(shorthand.Replace(shorthand.Replace(re)))
}

// in makes a pattern; word may be empty.
func in(where place, kind, word, re string, flags ...patternFlags) pattern {
	p := pattern{kind: kind, word: word, place: where, re: expression(re)}
	for _, f := range flags {
		p.flags |= f
	}
	return p
}

func (p *pattern) has(f patternFlags) bool { return p.flags&f != 0 }

// languages is the table by name in lower case.
var languages = sync.OnceValue(func() map[string]*Language {
	table := make(map[string]*Language)
	rows := [][]*Language{
		scriptLanguages(), shellLanguages(), cLanguages(), webLanguages(), jvmLanguages(), curlyLanguages(),
		functionalLanguages(), dataLanguages(), interfaceLanguages(),
	}
	for _, group := range rows {
		for _, row := range group {
			for _, name := range row.names {
				table[strings.ToLower(name)] = row
			}
		}
	}
	return table
})

// Named is the row of a language, or nil.
func Named(name string) *Language { return languages()[strings.ToLower(name)] }

func publicByWord(word string) func(d *decl) bool {
	re := expression(`\b(?:` + word + `)\b`)
	return func(d *decl) bool { return re().MatchString(d.Signature) }
}

func notByWord(word string) func(d *decl) bool {
	re := expression(`\b(?:` + word + `)\b`)
	return func(d *decl) bool { return !re().MatchString(d.Signature) && notUnderscore(d) }
}

func notUnderscore(d *decl) bool { return !strings.HasPrefix(d.Name, "_") }
