package plan

import (
	"strconv"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/pattern"
)

// Parts of the calendar that have no bounds on it: seasons, and the early, middle
// and late thirds and the halves of what has. Spring and fall are other things
// too, so that they need a year, or "this" or "last".
const (
	which  = `(?:this|last|past|previous) `
	season = `(?:` + which + `(?:spring|summer|autumn|fall|winter)|(?:spring|summer|autumn|fall|winter) (?:of )?` + year +
		`)`
	part = `(?:(?:early|mid|late)[ -](?:in )?(?:the )?|(?:the )?(?:beginning|start|middle|end|first half|second ` +
		`half|week) of (?:the )?|(?:the )?` + nth + ` of (?:the )?)`
	nth     = `(?:(?:first|second|third|fourth|1st|2nd|3rd|4th|last) week|(?:first|last) day)`
	quarter = `(?:q[1-4](?:[ /]?(?:of )?` + year + `)?|` + year + `[ -/]?q[1-4]|h[12] (?:of )?` + year + `)`
	// numbered is a week by its number in a year.
	numbered = `week \d{1,2}\b(?:,? (?:of )?` + year + `)?`
	decade   = `(?:19|20)\d0s`
	dash     = ` ?[-–—] ?`
)

// seasons begin in these months. Winter is of the year that it ends in.
var seasons = map[string]time.Month{
	"spring": time.March, "summer": time.June, "autumn": time.September,
	"fall": time.September, "winter": time.December,
}

// seasonOf is a season of a year, this one, the last that has ended, or the last
// that has begun.
func seasonOf(m string, today time.Time) (span, bool) {
	words := strings.Fields(m)
	name := words[0]
	if _, ok := seasons[name]; !ok && len(words) > 1 {
		name = words[1]
	}
	month, ok := seasons[name]
	if !ok {
		return span{}, false
	}
	of := func(y int) span {
		if month == time.December {
			y--
		}
		from := time.Date(y, month, 1, 0, 0, 0, 0, time.UTC)
		return span{from: from, to: from.AddDate(0, 3, 0)}
	}
	if y, err := strconv.Atoi(words[len(words)-1]); err == nil {
		return of(y), true
	}
	this := words[0] == "this"
	for y := today.Year() + 1; ; y-- {
		s := of(y)
		ended, began := !s.to.After(today), !s.from.After(today)
		switch {
		case this && (y == today.Year() || began), words[0] == name && began, !this && ended:
			return s, true
		}
	}
}

var partly = pattern.NewLazy(
	`^(?:the )?(early|mid|late|beginning|start|middle|end|first half|second half|` + nth + `)[ -](?:(?:of|in) )?(?:the )?`)

// partOf takes a part of a moment apart.
func partOf(m string) (part, moment string, ok bool) {
	at := partly().FindStringSubmatchIndex(m)
	if at == nil {
		return "", m, false
	}
	return m[at[2]:at[3]], m[at[1]:], true
}

// part is a third of a span, by months where it has three, a half, a day, or seven
// days counted from its first.
func (s span) part(name string) span {
	which, unit, _ := strings.Cut(name, " ")
	switch {
	case name == "first half":
		return span{from: s.from, to: s.cut(1, 2)}
	case name == "second half":
		return span{from: s.cut(1, 2), to: s.to}
	case name == "early", name == "beginning", name == "start":
		return span{from: s.from, to: s.cut(1, 3)}
	case name == "mid", name == "middle":
		return span{from: s.cut(1, 3), to: s.cut(2, 3)}
	case name == "last week":
		return span{from: s.to.AddDate(0, 0, -7), to: s.to}
	case name == "last day":
		return span{from: s.to.AddDate(0, 0, -1), to: s.to}
	case name == "first day":
		return span{from: s.from, to: s.from.AddDate(0, 0, 1)}
	case unit == "week":
		from := s.from.AddDate(0, 0, 7*(ordinals[which]-1))
		return span{from: from, to: from.AddDate(0, 0, 7)}
	}
	return span{from: s.cut(2, 3), to: s.to}
}

var weekNumber = pattern.NewLazy(`^week (\d{1,2})(?:,? (?:of )?(\d{4}))?$`)

// weekOf is a week by its number in a year, from Monday, as ISO 8601 counts them:
// January 4 is in the first. Without a year it is the last one that has begun; a year
// may have no week 53.
func weekOf(m string, today time.Time) (span, bool) {
	said := weekNumber().FindStringSubmatch(m)
	if said == nil {
		return span{}, false
	}
	n, _ := strconv.Atoi(said[1]) // digits
	y, given := today.Year(), said[2] != ""
	if given {
		y, _ = strconv.Atoi(said[2])
	}
	of1 := func(y int) time.Time { return ago(time.Date(y, 1, 4, 0, 0, 0, 0, time.UTC), 0, "week").from }
	of := func(y int) span {
		from := of1(y).AddDate(0, 0, 7*(n-1))
		return span{from: from, to: from.AddDate(0, 0, 7)}
	}
	has := func(y int) bool { return n >= 1 && of(y).from.Before(of1(y+1)) }
	if given {
		return of(y), has(y)
	}
	for y++; n >= 1 && n <= 53 && (!has(y) || of(y).from.After(today)); {
		y--
	}
	return of(y), has(y)
}

var ordinals = map[string]int{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4,
}

// cut is the day at a share of a span.
func (s span) cut(n, of int) time.Time {
	months := 12*(s.to.Year()-s.from.Year()) + int(s.to.Month()-s.from.Month())
	if s.from.Day() == 1 && s.to.Day() == 1 && months*n%of == 0 {
		return s.from.AddDate(0, months*n/of, 0)
	}
	return s.from.AddDate(0, 0, int(s.to.Sub(s.from).Hours()/24)*n/of)
}

// years is the span from one year to the end of another, which may have its last
// two digits only.
func years(m []string, today time.Time) (span, bool) {
	if len(m[1]) == 2 {
		m[1] = m[0][:2] + m[1]
	}
	a, errA := strconv.Atoi(m[0])
	b, errB := strconv.Atoi(m[1])
	first := func(y int) time.Time { return time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC) }
	return span{from: first(a), to: first(b + 1)}, errA == nil && errB == nil && a < b && a >= 1970 && b <= today.Year()+1
}

// decadeOf is the ten years that "2010s" are.
func decadeOf(m string) (span, bool) {
	y, err := strconv.Atoi(strings.TrimSuffix(m, "s"))
	from := time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC)
	return span{from: from, to: from.AddDate(10, 0, 0)}, err == nil && strings.HasSuffix(m, "s")
}
