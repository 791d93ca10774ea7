package question

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/pattern"
)

// A question for how two things differ, and a name as it is written in one.
var (
	ofDifference = pattern.NewLazy(`(?i)(?:\bdifferen(?:ce|ces|t)\b.*?\bbetween\s+(.+?)\s+and\s+(.+?)|` +
		`\bhow (?:does|do|is|are)\s+(.+?)\s+(?:differ|different) from\s+(.+?)|^\W*(.+?)\s+(?:vs\.?|versus)\s+(.+?))\W*$`)
	nameBeside = pattern.NewLazy("(?i)^(?:(?:the|an?|using|calling)\\s+)?(?:(?:class|function|method|option|type|" +
		"setting|macro|struct)\\s+)?[`\"']?([\\w.:#$]+?)(?:\\(\\))?[`\"']?(?:\\s+(?:class|function|method|option|type|" +
		"setting|macro|struct)e?s?)?$")
)

// Differing are the names that the question asks the difference of, of which there are two or
// none.
func (q Question) Differing() []string {
	if q.About.After != "" {
		return nil
	}
	return differing(q.Query)
}

// differing are the names that a question asks the difference of.
func differing(question string) (names []string) {
	m := ofDifference().FindStringSubmatch(question)
	for _, side := range m[min(1, len(m)):] {
		if name := nameBeside().FindStringSubmatch(strings.TrimSpace(side)); name != nil {
			names = append(names, name[1])
		}
	}
	if len(names) != 2 || strings.EqualFold(names[0], names[1]) {
		return nil
	}
	return names
}

// maxAbsent is how many words an answer says that nothing has.
const maxAbsent = 3

// Absent are those words of a question, of which nothing has any, that are told: names, and
// what it is asked of whether there is any. That such a word stands nowhere is the answer, or
// else tells that what is found is about the rest of the question.
func (q Question) Absent(nowhere []string) (all []string) {
	if q.Language != nil || q.About.After != "" || !Asks(q.Query) ||
		strings.Contains(q.Query, "\n") {
		return nil
	}
	names, object := NamesIn(q.Query), available(q.Query)
	for _, w := range nowhere {
		if len(w) < 3 || len(all) == maxAbsent {
			continue
		}
		chore := slices.ContainsFunc(fts.Analyze(w), func(t string) bool { return chores[t] })
		if names[w] || !chore && strings.Contains(object, w) {
			all = append(all, w)
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

// ofAvailability is a question whether there is something, or whether it is supported;
// what that is stands behind.
var ofAvailability = pattern.NewLazy(`(?i)^\W*(?:(?:is|are) there\s+(?:an?\s+|any\s+|some\s+)?|(?:does|do|can|could|has|have|` +
	`is|are|will|did)\s.*?\b(?:support(?:s|ed)?|have|has|provides?|offers?|includes?|contains?|handles?|implements?|` +
	`(?:works?|comes?|ships?|integrates?|compatible) with|available (?:for|on|in|as))\s+)(.*)$`)

// Sought is the first name that it is asked of whether there is any, or "".
func (q Question) Sought() (name string) {
	object := available(q.Query)
	for word := range NamesIn(q.Query) {
		if strings.Contains(object, word) && (name == "" || strings.Index(object, word) < strings.Index(object, name)) {
			name = word
		}
	}
	return name
}
