// Package linguist is what go-enry knows of languages and files, which it has from
// github/linguist: its tables, kept as a text that is read where somebody asks, and
// its rules. To import go-enry costs every process 15 ms and 5 MB before it does
// anything. The tests compare both, and write the tables anew (-update).
package linguist

import (
	_ "embed" // for the tables
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Type is what a language is for.
type Type int

// The types, in go-enry's order.
const (
	Unknown Type = iota
	Data
	Programming
	Markup
	Prose
)

// tables are sections, each of a line "== NAME" and lines of fields between tabs.
//
//go:embed tables.txt
var tables string

// section is the lines of a section.
func section(name string) []string {
	_, rest, _ := strings.Cut(tables, "== "+name+"\n")
	rest, _, _ = strings.Cut(rest, "\n== ")
	return strings.Split(strings.TrimSuffix(rest, "\n"), "\n")
}

// listed is a section with several values to a key.
func listed(name string) func() map[string][]string {
	return sync.OnceValue(func() map[string][]string {
		lines := section(name)
		all := make(map[string][]string, len(lines))
		for _, line := range lines {
			key, values, _ := strings.Cut(line, "\t")
			all[key] = strings.Split(values, "\t")
		}
		return all
	})
}

// valued is a section with one value to a key.
func valued[V any](name string, parse func(string) V) func() map[string]V {
	return sync.OnceValue(func() map[string]V {
		lines := section(name)
		all := make(map[string]V, len(lines))
		for _, line := range lines {
			key, value, _ := strings.Cut(line, "\t")
			all[key] = parse(value)
		}
		return all
	})
}

func same(value string) string { return value }

// oneOf matches what one of the patterns of a section matches.
func oneOf(name string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("(?:" + strings.Join(section(name), ")|(?:") + ")")
	})
}

var (
	filenames     = listed("filename")
	extensions    = listed("extension")
	interpreters  = listed("interpreter")
	aliases       = valued("alias", same)
	groups        = valued("group", same)
	types         = valued("type", func(v string) Type { n, _ := strconv.Atoi(v); return Type(n) })
	shares        = valued("share", func(v string) float64 { f, _ := strconv.ParseFloat(v, 64); return f })
	documentation = oneOf("documentation")
	tests         = oneOf("test")
	vendored      = oneOf("vendored")
)

// ByFilename are the languages of files of that name, ByExtension of those with an
// extension (".go"), ByInterpreter of those that a program runs.
func ByFilename(base string) []string { return filenames()[base] }

// ByExtension is said at ByFilename.
func ByExtension(ext string) []string { return extensions()[ext] }

// ByInterpreter is said at ByFilename.
func ByInterpreter(program string) []string { return interpreters()[program] }

// ByAlias is the language of a name or alias, in any case.
func ByAlias(name string) (language string, ok bool) {
	name, _, _ = strings.Cut(name, ",")
	language, ok = aliases()[strings.ToLower(strings.ReplaceAll(name, " ", "_"))]
	return language, ok
}

// Aliases are the languages by all of their names, in lower case. They must not be
// changed.
func Aliases() map[string]string { return aliases() }

// Groups are the languages that are counted as another one, with that. They must not
// be changed.
func Groups() map[string]string { return groups() }

// TypeOf is the type of a language.
func TypeOf(language string) Type { return types()[language] }

// Share is the logarithm of how much there is of a language.
func Share(language string) float64 {
	if p, ok := shares()[language]; ok {
		return p
	}
	return math.Inf(-1)
}

// IsDocumentation reports whether a path is one of documentation.
func IsDocumentation(p string) bool { return documentation().MatchString(p) }

// IsTest reports whether a path is one of a test.
func IsTest(p string) bool { return tests().MatchString(p) }

// IsVendored reports whether a path is one of somebody else's code.
func IsVendored(p string) bool { return vendored().MatchString(p) }
