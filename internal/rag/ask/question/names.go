package question

import (
	"slices"
	"strings"
	"unicode"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/pattern"
)

// Asks reports whether a text is put as questions are. What is not may be the words of a
// commit or of a comment, which say less of what they are about.
func Asks(text string) bool { return asksSomething().MatchString(text) }

var asksSomething = pattern.NewLazy(
	`(?i)\?\s*$|^\W*(?:how|what|where|which|who|whose|when|why|can|could|does|do|did|is|are|was|were|should|will|` +
		`explain|describe|tell|show|find|list)\b`)

// NamesIn are the words of a text that look like names: of code, or with a capital
// within a sentence.
func NamesIn(text string) map[string]bool {
	names := map[string]bool{}
	begins := true // a sentence
	end := 0
	for at, word := range fts.Words(text) {
		begins = begins || strings.ContainsAny(text[end:at], "\n.!?:")
		end = at + len(word)
		if len(word) > 1 && (IsCoded(word) || !begins && len(word) > 2 && unicode.IsUpper(rune(word[0]))) {
			names[word] = true
		}
		begins = false
	}
	return names
}

// IsCoded reports whether a word is written as names of code are.
func IsCoded(word string) bool { return coded().MatchString(word) }

var coded = pattern.NewLazy(`[a-z][A-Z]|_|[A-Z]{2}|[a-z]\d`)

// inOrder are the names of code in a text, as they stand.
func inOrder(text string) (names []string) {
	known := NamesIn(text)
	for _, word := range fts.Words(text) {
		if known[word] {
			names = append(names, word)
		}
	}
	return names
}

// chores are the terms of what is said of changes to any code, as commits do
// ("reduce the number of allocations"), and of what any sentence has. They don't
// tell what it is about.
var chores = func() map[string]bool {
	set := map[string]bool{}
	for _, term := range fts.Analyze(strings.Join([]string{
		"fix add remove delete drop rename replace rewrite refactor refactoring simplify clean cleanup improve",
		"improvement optimize optimise optimization reduce change update upgrade move make use avoid allow prevent",
		"ensure support handle merge revert deprecate bump adjust adjustment tweak enable disable silence limit try",
		"keep pass call return take do work need want",
		"bug bugfix issue problem error mistake typo test docs doc comment code style lint linter warning type hint",
		"import export statement switch if else constant variable function method class constructor argument",
		"parameter name prefix version dependency performance memory leak mem allocation allocate number build",
		"compile ci master main branch commit pull request description checklist feature setting public private",
		"minor small tiny better faster slow proper properly correct correctly unused unreachable missing wrong",
		"unnecessary redundant obsolete efficient deps documentation",
		"explicit explicitly direct directly temporary temporarily later now also instead more less new old first",
		"only always never nothing anything everything something actually useful here there when before after again",
		"other same some few many all any can cannot could should would must will don doesn isn aren let",
	}, " ")) {
		set[term] = true
	}
	return set
}()

// AboutSomething reports whether a word tells what a text is about.
func AboutSomething(word string) bool {
	return slices.ContainsFunc(fts.Analyze(word), func(term string) bool { return !chores[term] })
}
