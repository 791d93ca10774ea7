package intent

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// wantsTests reports whether a text asks for tests or examples: "tests of the
// router", "router tests", "where is it tested". One that only mentions them is about
// the code that they are of, or that runs them: "how are failed tests retried", a
// commit's "add tests", "helpers for testing".
func wantsTests(text string) bool {
	if !testWords().MatchString(text) {
		return ofTests().MatchString(text)
	}
	words := strings.Fields(strings.ToLower(text))
	switch {
	case len(words) == 1, testsOf().MatchString(text):
		return true
	case isMeans().MatchString(text):
		return false
	case len(words) >= sentence:
		return asks().MatchString(text) && isTested().MatchString(text)
	}
	last, before := strings.TrimRight(words[len(words)-1], "?.!"), words[len(words)-2]
	many := strings.HasSuffix(last, "s") || !slices.Contains(oneOf, before)
	return isTested().MatchString(text) || many && testWords().MatchString(last)
}

// onlyTests reports whether a text asks for tests and for nothing else, nor how they are
// run: "tests for the router", "unit tests of Mux", "test retry policy".
func onlyTests(text string) bool {
	if !strings.Contains(text, "est") && !strings.Contains(text, "pec") || areRun().MatchString(text) {
		return false
	}
	words := strings.Fields(text)
	return len(words) > 1 && (testsFor().MatchString(text) || len(words) <= topicWords && testsBehind().MatchString(text))
}

var (
	testsFor = pattern.NewLazy(`(?i)^\W*(?:(?:where|what) (?:are|is) )?(?:(?:find|show|list|all|the|unit|integration|e2e) ){0,3}` +
		`(?:unit[ -]?)?(?:tests?|specs?|test cases?) (?:for|of|covering)\b`)
	testsBehind = pattern.NewLazy(`(?i)\S (?:unit |integration )?(?:tests?|specs?)\W*$|^tests? \S+(?: \S+)?$`)
	areRun      = pattern.NewLazy(`(?i)\b(?:runs?|running|skip(?:s|ped)?|execut(?:e|es|ed|ing)|fail(?:s|ed|ing)?|` +
		`helpers?|how|load|stress|performance|smoke|speed)\b`)
)

// oneOf are words before a test that any one of them is meant by: "skip a test".
var oneOf = []string{"a", "an", "the", "each", "every", "this", "that", "one", "any"}

var (
	testsOf = pattern.NewLazy(`(?i)^\W*(?:[\w-]+\s+){0,4}(?:tests?|benchmarks?|mocks?|examples?|samples?|demos?|` +
		`tutorials?|fixtures?)\s+(?:of|for|that|which|covering|about)\b`)
	isMeans  = pattern.NewLazy(`(?i)\b(?:for|in|during|while|when|by)\s(?:[\w-]+\s+)?(?:tests?|testing)\W*$`)
	isTested = pattern.NewLazy(`(?i)\btested\b|\b(?:unit|integration|regression|e2e|fuzz|property)[ -]?tests?\b|` +
		`\bhow\s+(?:to|(?:do|can|should)\s+(?:i|we|you))\s+(?:unit[ -]?)?(?:test|mock|benchmark|fuzz)\b`)
)
