package question

import (
	"slices"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/rag/search/intent"
)

// AsksStructure reports whether a question asks how something is structured.
func AsksStructure(question string) bool { return ofStructure().MatchString(question) }

// AsksWork reports whether a question asks for what code does, and names none of it.
func AsksWork(question string) bool {
	q := intent.Of(question)
	return work().MatchString(question) && !AsksStructure(question) && !q.Lone
}

// AsHow is a question for what code does as one how it does that, which a search for
// symbols answers by functions: where, when and why something is done, and what then
// happens, is told where it is done.
func AsHow(question string) string {
	if ofLocking().MatchString(question) {
		question += " mutex lock"
	}
	if at := howDoI().FindStringIndex(question); at != nil {
		return question[at[1]:]
	}
	m := otherThanHow().FindStringSubmatchIndex(question)
	if m == nil || !AsksWork(question) || intent.Of(question).Kinds != nil {
		return question
	}
	verb := "does"
	if m[2] >= 0 {
		verb = question[m[2]:m[3]]
	}
	return "how " + verb + question[m[1]:]
}

var (
	work = pattern.NewLazy(`(?i)^\W*(?:how (?:is|are|does|do|did|was|were|can|will|should)|(?:where|when|why) ` + aux +
		`|` + happens + `|which (?:function|method))\b`)
	otherThanHow = pattern.NewLazy(`(?i)^\W*(?:(?:where|when|why) (` + aux + `)|` + happens + `)\b`)
	howDoI       = pattern.NewLazy(`(?i)^\W*how (?:do|can|could|should|would|must) (?:i|you|we|one|people|users?)\s+`)
	// ofLocking is a question for what keeps threads apart, which code calls by other words.
	ofLocking = pattern.NewLazy(`(?i)\bthread[- ]?safe|\bsafe\b.*\b(?:threads?|goroutines?|concurren\w+)\b|` +
		`\b(?:where|how)\b.*\b(?:locked|guarded|synchroni[sz]ed)\b|\b(?:data )?race conditions?\b`)
	ofStructure = pattern.NewLazy(`(?i)\b(?:structured|organi[sz]ed|designed|architected|defined|declared)\W*$`)
)

const (
	aux     = `(?:is|are|does|do|did|was|were|can|will|should|would)`
	happens = `what happens (?:when|if|while|after|before|to)`
)

// LimitTerms are those of a question for a limit or a default that say which one; nil of others.
func LimitTerms(question string) []string {
	if !ofLimit().MatchString(question) {
		return nil
	}
	return append([]string{}, slices.DeleteFunc(fts.Analyze(question), func(term string) bool {
		return limitSaid[term]
	})...)
}

var ofLimit = pattern.NewLazy(`(?i)^\W*(?:(?:what(?:'s|’s)?|which)\b.*\b(?:defaults?|maximum|minimum|max|min|limit)\b|` +
	`how (?:long|large|big|many|much|deep|often|high)\b)`)

// limitSaid are terms that say only that a question is for a limit.
var limitSaid = func() map[string]bool {
	set := map[string]bool{}
	for _, term := range fts.Analyze("default defaults maximum minimum max min limit limits value what which is are " +
		"how long large big many much deep often") {
		set[term] = true
	}
	return set
}()
