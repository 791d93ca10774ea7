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
		`half|week) of (?:the )?)`
	quarter = `(?:q[1-4](?:[ /]?(?:of )?` + year + `)?|` + year + `[ -/]?q[1-4]|h[12] (?:of )?` + year + `)`
	decade  = `(?:19|20)\d0s`
	dash    = ` ?[-–—] ?`
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
		return span{from, from.AddDate(0, 3, 0)}
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
	`^(?:the )?(early|mid|late|beginning|start|middle|end|first half|second half)[ -](?:(?:of|in) )?(?:the )?`)

// partOf takes a part of a moment apart.
func partOf(m string) (part, moment string, ok bool) {
	at := partly.FindStringSubmatchIndex(m)
	if at == nil {
		return "", m, false
	}
	return m[at[2]:at[3]], m[at[1]:], true
}

// part is a third of a span, by months where it has three, or a half.
func (s span) part(name string) span {
	switch name {
	case "first half":
		return span{s.from, s.cut(1, 2)}
	case "second half":
		return span{s.cut(1, 2), s.to}
	case "early", "beginning", "start":
		return span{s.from, s.cut(1, 3)}
	case "mid", "middle":
		return span{s.cut(1, 3), s.cut(2, 3)}
	}
	return span{s.cut(2, 3), s.to}
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
	return span{first(a), first(b + 1)}, errA == nil && errB == nil && a < b && a >= 1970 && b <= today.Year()+1
}

// decadeOf is the ten years that "2010s" are.
func decadeOf(m string) (span, bool) {
	y, err := strconv.Atoi(strings.TrimSuffix(m, "s"))
	from := time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC)
	return span{from, from.AddDate(10, 0, 0)}, err == nil && strings.HasSuffix(m, "s")
}
