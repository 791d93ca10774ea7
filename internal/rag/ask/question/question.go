// Package question tells what a question asks for by its words alone: who uses something, how
// two things differ, how a repository is built, what an earlier answer was about, and in what
// language. Package intent tells what a search asks for.
package question

import (
	"strings"

	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/rag/ask/extract"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search/intent"
)

// A Question is what is asked. Make one with New.
type Question struct {
	Query    string
	Filter   string       // of repositories
	Level    models.Level // where to look; by default the question decides
	About    Subject      // of a question that follows others
	Language Language     // nil for English
	OfTask   bool         // how a repository is built, tested or run, whatever it is about
}

// New is a question about the repositories that a filter means, by default at the level that
// the question decides, after the turns that were before it in a conversation.
func New(query, filter string, level models.Level, said []Turn) Question {
	return Question{
		Query: query, Filter: filter, Level: level, About: subjectOf(query, said), Language: languageOf(query),
	}
}

// Text is the query; of one that follows others, with what they were about, and of
// one that is not in English, without what says nothing. What stands in other words in
// repositories is asked in these.
func (q Question) Text() string {
	switch {
	case q.About.After != "":
	case ofChanges().MatchString(q.Query):
		return "changelog, release notes"
	case !intent.AboutProject(q.Query, q.Filter):
		if m := ofParts().FindStringSubmatch(q.Query); m != nil {
			return "how is " + m[1] + " structured"
		}
	}
	if said := q.Language.without(q.Query); q.About.After == "" && said != "" {
		return said
	}
	if q.About.After == "" {
		return q.Query
	}
	question := extract.Cut(q.About.After, 1000) + "\n" + q.Query
	if q.About.Name != "" && (asksTests().MatchString(q.Query) || asksUsers().MatchString(q.Query)) {
		question = q.Query
	}
	return strings.TrimSpace(question + " " + q.About.Name)
}

var (
	ofParts = pattern.NewLazy(`(?i)^\W*what (?:are|is) (?:the )?(?:(?:main|key|core|central|major|important|most) )*` +
		`(?:parts|components|building blocks|pieces|layers) (?:of|in) (.*\w)\W*$`)
	ofChanges = pattern.NewLazy(`(?i)^\W*what(?:'s|’s| is| has| have| was| were)? (?:been )?(?:changed|new)` +
		`(?: recently| lately| (?:in|since) (?:the )?(?:last|latest|newest|previous) (?:\w+ )?\w+)?\W*$`)
)

// Relations reports whether tests of something are asked for, what uses it, or what it uses,
// which a graph tells.
func (q Question) Relations() (tests, users, used bool) {
	users = asksUsers().MatchString(q.Query) && !mayUse().MatchString(q.Query)
	return asksTests().MatchString(q.Query), users, asksUsed().MatchString(q.Query)
}

// MayName are the words that may be names of symbols: any where there are few, as in "who
// calls close?".
func (q Question) MayName() map[string]bool {
	names := map[string]bool{}
	few, code := len(fts.Analyze(q.Query)) <= fewTerms, NamesIn(q.Query)
	for _, word := range fts.Words(q.Query) {
		names[word] = few || code[word]
	}
	return names
}

// Message is the message that the question is about, nil of one that follows others.
func (q Question) Message() Message {
	if q.About.After != "" {
		return nil
	}
	return messageOf(q.Query)
}

// OfItself reports whether a question begins as one about the repository itself.
func (q Question) OfItself() bool { return ofItself().MatchString(q.Text()) }

// ofItself begins a question about the repository that is asked: others may fit it better,
// but it is not about them.
var ofItself = pattern.NewLazy(`(?i)^\W*(?:is|are|does|do|did|can|could|has|have|will|was)\s+(?:it|its|this|these|` +
	`the (?:project|library|package|program|tool|application|framework|crate|gem))\b`)

// AsksOfItself reports whether a question is about the repository itself: what it is
// about, or what every repository has, and no other thing.
func (q Question) AsksOfItself() bool {
	return q.OfTask ||
		intent.AboutProject(q.Text(), q.Filter) || intent.AboutEntry(q.Text(), q.Filter) ||
		ofAny().MatchString(q.Text())
}

var ofAny = pattern.NewLazy(`(?i)^\W*(?:` + little + `\W+)*(?:licen[cs]e[ds]?|version|dependenc(?:y|ies)|change ?log|` +
	`release notes|maintainers?|authors?|contribut(?:e|ing|ors?)|entry ?points?|install(?:ed|ation)?|built?|build|` +
	`compiled?)(?:\W+` + little + `)*\W*$`)

// little is a word that says nothing of what a question is about.
const little = `(?:please|can|could|you|give|show|tell|me|us|an?|short|brief|quick|what|which|where|how|who|is|are|was|were|` +
	`does|do|did|the|this|its?|i|we|one|have|has|needs?|of|for|on|in|to|under|by|with|from|get|find|current|latest|main|` +
	`overall|number|files?|defined|set|kept|stored|listed|written|used?|uses|depends?|code|architecture|released)`

// InFilter reports whether a repository is one that is asked about.
func (q Question) InFilter(id models.RepoID) bool {
	some, err := filter.Repositories([]models.RepoID{id}, q.Filter)
	return err == nil && len(some) > 0
}
