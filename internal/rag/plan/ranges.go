package plan

import (
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/pattern"
)

// Ranges of days that name their month once: "between 3 and 9 May", "the 3rd to the
// 9th of May 2024", "3-9 May", "from May 3 to 9". A may in lower case is a verb,
// unless a year follows.
const (
	day    = `(?:the )?(\d{1,2})(?:st|nd|rd|th)?`
	to     = ` (?:and|to|until|till|through) `
	during = `(?:(?:on|in|from|between|during) )?`
	month  = `((?:january|february|march|april|june|july|august|september|october|november|december|jan|feb|mar|apr|` +
		`jun|jul|aug|sept|sep|oct|nov|dec|(?-i:May))(?:,? ` + year + `)?|may,? ` + year + `)`
	ending = `((?:,? ` + year + `)?)\b( (?:of )?(?:` + months + `)\b)?`
)

var (
	daysOf = []pattern.Lazy{
		pattern.NewLazy(`(?i)\b(?:between|from) ` + day + to + day + ` (?:of )?` + month + `\b`),
		pattern.NewLazy(`(?i)\b` + during + day + dash + day + ` (?:of )?` + month + `\b`),
	}
	// The last group is another month, of a range that names both.
	monthDays = []pattern.Lazy{
		pattern.NewLazy(`(?i)\b(?:between|from) (` + months + `) ` + day + to + day + ending),
		pattern.NewLazy(`(?i)\b` + during + `(` + months + `) ` + day + dash + day + ending),
	}
)

// spelledOut gives both days of a range their month.
func spelledOut(text string) string {
	for _, p := range daysOf {
		text = p().ReplaceAllString(text, "between $1 $3 and $2 $3")
	}
	for _, p := range monthDays {
		text = p().ReplaceAllStringFunc(text, func(said string) string {
			m := p().FindStringSubmatch(said)
			if m[5] != "" {
				return said
			}
			return "between " + m[1] + " " + m[2] + m[4] + " and " + m[1] + " " + m[3] + m[4]
		})
	}
	return text
}

// shareYear gives the first of two moments the year of the second.
func shareYear(m []string) {
	if given := ofYear().FindString(m[1]); given != "" && !ofYear().MatchString(m[0]) && monthOf(m[0]) > 0 {
		m[0] += " " + given
	}
}

// between is from one moment to the end of another. Of two without a year the
// later is the one that follows the earlier: by the calendar in the same year, even
// if its end is still to come, else in the next.
func between(m []string, today time.Time) (span, bool) {
	shareYear(m)
	a, okA := at(m[0], today)
	b, okB := at(m[1], today)
	if !okA || !okB {
		return span{}, false
	}
	if !a.from.Before(b.to) && ofMonth(m[0]) && ofMonth(m[1]) {
		if next := b.from.AddDate(1, 0, 0); next.Year() == a.from.Year() && !next.Before(a.from) {
			b.to = b.to.AddDate(1, 0, 0)
		} else {
			a.from = a.from.AddDate(-1, 0, 0)
		}
	}
	return span{from: a.from, to: b.to}, a.from.Before(b.to)
}

// beforeThat is the end of a time whose beginning was said before.
const beforeThat = ` (?:and |but )?(?:` + written + ` )?(?:before|earlier than|prior to) (` + moment + `)`

// afterAndBefore is the time behind a moment, up to another.
func afterAndBefore(m []string, today time.Time) (span, bool) {
	a, ok := at(m[0], today)
	return upTo(a.to, m[1], today, ok)
}

func sinceAndBefore(m []string, today time.Time) (span, bool) {
	a, ok := at(m[0], today)
	return upTo(a.from, m[1], today, ok)
}

// upTo is the time from a day up to a moment, which is the next one if it names a
// month and no year.
func upTo(from time.Time, m string, today time.Time, known bool) (span, bool) {
	b, ok := at(m, today)
	if !ok || !known {
		return span{}, false
	}
	if ofMonth(m) {
		b.from = b.from.AddDate(from.Year()-b.from.Year(), 0, 0)
		if !b.from.After(from) {
			b.from = b.from.AddDate(1, 0, 0)
		}
	}
	return span{from: from, to: b.from}, from.Before(b.from)
}

var named = pattern.NewLazy(`(?i)\b(?:` + months + `)\b`)

// ofMonth reports whether a moment names a month and no year.
func ofMonth(m string) bool {
	return named().MatchString(m) && !ofYear().MatchString(strings.ToLower(m))
}
