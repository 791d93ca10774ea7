package ask

import (
	"strings"

	"github.com/ragnav/ragnav/internal/fts"
)

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

// telling counts the words that are about something.
func telling(words []asked) (n int) {
	for _, w := range words {
		for _, term := range fts.Analyze(w.text) {
			if !chores[term] {
				n++
				break
			}
		}
	}
	return n
}
