package ask

import (
	"context"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/rag/ask/extract"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// An arranger puts first what a question names or cites.
type arranger struct{ finder }

// maxAbsent is how many words an answer says that nothing has.
const maxAbsent = 3

// ofAvailability is a question whether there is something, or whether it is supported;
// what that is stands behind.
var ofAvailability = pattern.NewLazy(`(?i)^\W*(?:(?:is|are) there\s+(?:an?\s+|any\s+|some\s+)?|(?:does|do|can|could|has|have|` +
	`is|are|will|did)\s.*?\b(?:support(?:s|ed)?|have|has|provides?|offers?|includes?|contains?|handles?|implements?|` +
	`(?:works?|comes?|ships?|integrates?|compatible) with|available (?:for|on|in|as))\s+)(.*)$`)

// absent are the words of a question that no file and no document has: names, and what it
// is asked of whether there is any. That such a word stands nowhere is the answer, or else
// tells that what is found is about the rest of the question.
func (a arranger) absent(replies map[models.Level]search.Response) []string {
	files, hasFiles := replies[models.LevelFile]
	docs, hasDocs := replies[models.LevelDoc]
	question := a.asked.req.Query
	if !hasFiles || !hasDocs || a.asked.tongue != nil || a.asked.about.after != "" ||
		!asksSomething().MatchString(question) || strings.Contains(question, "\n") {
		return nil
	}
	names, object := namesIn(question), available(question)
	var all []string
	for _, w := range wordsOf(files, docs) {
		if w.share > 0 || len(w.text) < 3 || len(all) == maxAbsent {
			continue
		}
		terms := fts.Analyze(w.text)
		chore := slices.ContainsFunc(terms, func(t string) bool { return chores[t] })
		if names[w.text] || !chore && strings.Contains(object, w.text) {
			all = append(all, w.text)
		}
	}
	return all
}

// available is what a question asks of whether there is any, or "".
func available(question string) string {
	if m := ofAvailability().FindStringSubmatch(question); m != nil {
		return m[1]
	}
	return ""
}

// mentioned puts first what tells of the name that is asked of whether it is supported,
// where none of the first quotes has it: documents do before code.
func (a arranger) mentioned(ctx context.Context, quotes []extract.Quote) ([]extract.Quote, error) {
	object, name := available(a.asked.req.Query), ""
	for word := range namesIn(a.asked.req.Query) {
		if strings.Contains(object, word) && (name == "" || strings.Index(object, word) < strings.Index(object, name)) {
			name = word
		}
	}
	has := func(q extract.Quote) bool { return strings.Contains(strings.ToLower(q.Text), strings.ToLower(name)) }
	if name == "" || len(quotes) == 0 || slices.ContainsFunc(quotes[:min(always, len(quotes))], has) {
		return quotes, nil
	}
	for _, level := range []models.Level{models.LevelDoc, models.LevelSymbol} {
		if !a.notes.step(0, "level "+string(level)+" was searched for "+name) {
			return quotes, nil
		}
		first, err := a.firstOf(ctx, name, level)
		if err != nil {
			return nil, err
		}
		if len(first) > 0 && has(first[0]) {
			others := slices.DeleteFunc(slices.Clone(quotes), first[0].Overlaps)
			return append(first, others[:min(len(others), a.notes.citations-1)]...), nil
		}
	}
	return quotes, nil
}

// firstOf quotes the best that a search finds.
func (a arranger) firstOf(ctx context.Context, text string, level models.Level) ([]extract.Quote, error) {
	resp, err := a.searchedFor(ctx, text, level)
	if err != nil {
		return nil, err
	}
	found := places(resp)
	found = found[:min(1, len(found))]
	docs, err := a.read.documents(ctx, found)
	if err != nil {
		return nil, err
	}
	quotes, err := a.read.read(ctx, found, docs)
	return quotes[:min(1, len(quotes))], err
}
