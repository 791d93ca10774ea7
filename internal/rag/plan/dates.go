package plan

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/pattern"
)

// A span is the time from one day up to another, which is not in it. A zero time
// is open.
type span struct {
	from, to time.Time
	or       *span // another time that is meant too
}

const (
	months = `january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|` +
		`jun|jul|aug|sept|sep|oct|nov|dec`
	weekdays = `monday|tuesday|wednesday|thursday|friday|saturday|sunday`
	iso      = `(?:19|20)\d{2}-\d{2}(?:-\d{2}(?:t\d{2}:\d{2}(?::\d{2})?z?)?)?`
	year     = `(?:19|20)\d{2}`
	number   = `\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|couple of|few`
	unit     = `days?|weeks?|months?|quarters?|years?`
	// moment is a day, week, month, season or year by itself, or a part of it.
	moment = part + `?(?:` + whole + `)`
	whole  = decade + `|` + quarter + `|` + numbered + `|` + season + `|(?:the )?(?:summer|autumn|winter)|` + iso +
		`|\d{1,2}\.\d{1,2}\.` + year + `|(?:` + months + `)\.? \d{1,2}(?:st|nd|rd|th)?(?:,? ` + year + `)?|\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:` + months + `)(?: ` +
		year + `)?|(?:` + months + `)(?: (?:of )?` + year + `)?|` + year +
		`|` + weekdays + `|today|yesterday|the day before yesterday|(?:this|last|past|previous) ` +
		`(?:day|week|weekend|month|quarter|year|` + weekdays + `)|(?:` + number + `) (?:` + unit + `) ago`
)

// timed are the phrases that speak of a time. The first groups of each are the
// negation and the verb that says which date is meant, the others are moments.
var timed = []struct {
	pattern pattern.Lazy
	span    func(parts []string, today time.Time) (span, bool)
}{
	{
		phrase(`(?:between|from) (` + moment + `) (?:and|to|until|till|through) (` + moment + `)`),
		between,
	},
	{phrase(`(?:after|later than) (` + moment + `),?` + beforeThat), afterAndBefore},
	{phrase(`since (` + moment + `),?` + beforeThat), sinceAndBefore},
	{phrase(`(?:between |in |from |during |for |of )?(?:the years? )?(` + year + `)(?:` + dash +
		`| to | through | until )(` + year + `|\d{2})`), years},
	{phrase(`(?:older|earlier) than (` + number + `) (` + unit + `)`), func(m []string, today time.Time) (span, bool) {
		n, ok := count(m[0])
		return span{to: back(today, n, m[1])}, ok
	}},
	{phrase(`(?:newer|later) than (` + number + `) (` + unit + `)`), func(m []string, today time.Time) (span, bool) {
		n, ok := count(m[0])
		return span{from: back(today, n, m[1])}, ok
	}},
	{phrase(`(?:in |over |during |within |from |since |for |of )?(?:the )?(?:last|past|previous) (` + number + `) (` +
		unit + `)`), func(m []string, today time.Time) (span, bool) {
		n, ok := count(m[0])
		return span{from: back(today, n, m[1])}, ok
	}},
	{
		phrase(`(?:(?:since|starting) (` + moment + `)|from (` + moment + `) on(?:wards?)?)`),
		func(m []string, today time.Time) (span, bool) {
			s, ok := at(m[0], today)
			return span{from: s.from}, ok
		},
	},
	{phrase(`(?:after|later than|newer than) (` + moment + `)`), func(m []string, today time.Time) (span, bool) {
		s, ok := at(m[0], today)
		return span{from: s.to}, ok
	}},
	{
		phrase(`(?:before|earlier than|older than|prior to) (` + moment + `)`),
		func(m []string, today time.Time) (span, bool) {
			s, ok := at(m[0], today)
			return span{to: s.from}, ok
		},
	},
	{phrase(`(?:until|till|up to|by) (` + moment + `)`), func(m []string, today time.Time) (span, bool) {
		s, ok := at(m[0], today)
		return span{to: s.to}, ok
	}},
	{
		phrase(`(?:either )?(?:in|on|during|within|of|from|for) (?:the )?(` + moment +
			`) (?:or|and) (?:(?:in|on|from) )?(?:the )?(` + moment + `)`),
		func(m []string, today time.Time) (span, bool) {
			shareYear(m)
			a, okA := at(m[0], today)
			b, okB := at(m[1], today)
			a.or = &b
			return a, okA && okB
		},
	},
	{phrase(`(?:(?:in|on|at|during|of|from|for) (?:the )?)?(` + part + `(?:` + whole + `))`), single},
	{phrase(`(?:in|on|during|within|of|from|for) (?:the )?(` + moment + `)`), single},
	{phrase(`(` + season + `|` + numbered + ` (?:of )?` + year + `|q[1-4][ /]?` + year + `|` + year + `[ -/]?q[1-4]|h[12] ` + year +
		`|` + iso + `|today|yesterday|the day before yesterday|(?:this|last|past|previous) ` +
		`(?:week|weekend|month|quarter|year|` + weekdays + `)|(?:` + number + `) (?:` + unit + `) ago)`), single},
}

func single(m []string, today time.Time) (span, bool) { return at(m[0], today) }

// phrase is a pattern of whole words, with a verb before it that tells the date.
func phrase(words string) pattern.Lazy {
	return pattern.NewLazy(
		`(?i)(?:^|[\s(])(?:(?:that |which |is |are |were |was |have been |has been )*(not |never |aren't |weren't ))?` +
			`(?:(?:that |which |i |we |did |were |was |have been |has been ` +
			`)*(created?|written|wrote|write|added?|made?|modif(?:ied|y)|changed?|updated?|edit(?:ed)?|touch(?:ed)?|revised?) ` +
			`)?(?:` +
			words + `)(?:$|[\s.,;:?!)])`)
}

// dates takes the phrases of time out of a text.
func dates(text string, today time.Time) (rest string, found []filter.Condition) {
	for _, t := range timed {
		for {
			m := t.pattern().FindStringSubmatchIndex(text)
			if m == nil {
				break
			}
			var parts []string
			for i := 6; i < len(m); i += 2 {
				if m[i] >= 0 {
					parts = append(parts, strings.ToLower(text[m[i]:m[i+1]]))
				}
			}
			s, ok := t.span(parts, today)
			if !ok {
				break
			}
			field := filter.CreatedDate
			if m[4] >= 0 && changes(text[m[4]:m[5]]) {
				field = filter.ModifiedDate
			}
			all := s.conditions(field)
			if m[2] >= 0 {
				all = []filter.Condition{{Operator: filter.Not, Parts: []filter.Condition{{Operator: filter.And, Parts: all}}}}
			}
			found = append(found, all...)
			end := m[1]
			for end > m[0]+1 && strings.ContainsAny(text[end-1:end], " .,;:?!)\n\t") {
				end--
			}
			text = text[:m[0]] + " " + text[end:]
		}
	}
	return text, found
}

func changes(verb string) bool {
	verb = strings.ToLower(verb)
	return slices.ContainsFunc([]string{"modif", "change", "update", "edit", "touch", "revise"},
		func(stem string) bool { return strings.HasPrefix(verb, stem) })
}

func (s span) conditions(field filter.Field) []filter.Condition {
	if other := s.or; other != nil {
		s.or = nil
		return []filter.Condition{{Operator: filter.Or, Parts: []filter.Condition{
			{Operator: filter.And, Parts: s.conditions(field)}, {Operator: filter.And, Parts: other.conditions(field)},
		}}}
	}
	var all []filter.Condition
	if !s.from.IsZero() {
		all = append(all, filter.Condition{Field: field, Operator: filter.Gte, Value: s.from.Format(time.RFC3339)})
	}
	if !s.to.IsZero() {
		all = append(all, filter.Condition{Field: field, Operator: filter.Lt, Value: s.to.Format(time.RFC3339)})
	}
	return all
}

// at is the span of a moment, in lower case. A month or day without a year is the
// last one that has begun.
func at(m string, today time.Time) (span, bool) {
	today = time.Date(today.Year(), today.Month(), today.Day(), 0, 0, 0, 0, time.UTC)
	day := func(t time.Time) (span, bool) { return span{from: t, to: t.AddDate(0, 0, 1)}, true }
	switch m {
	case "today":
		return day(today)
	case "yesterday":
		return day(today.AddDate(0, 0, -1))
	case "the day before yesterday":
		return day(today.AddDate(0, 0, -2))
	}
	m = strings.TrimPrefix(m, "the ")
	if name, moment, ok := partOf(m); ok {
		s, ok := at(moment, today)
		return s.part(name), ok
	}
	if s, ok := weekOf(m, today); ok {
		return s, true
	}
	if moment, ok := strings.CutPrefix(m, "week of "); ok {
		s, ok := at(moment, today)
		return ago(s.from, 0, "week"), ok
	}
	if s, ok := decadeOf(m); ok {
		return s, true
	}
	if s, ok := seasonOf(m, today); ok {
		return s, true
	}
	words := strings.Fields(m)
	if words[len(words)-1] == "ago" {
		n, ok := count(strings.Join(words[:len(words)-2], " "))
		return ago(today, n, words[len(words)-2]), ok
	}
	if len(words) == 1 && strings.Contains(weekdays, words[0]) {
		return relative(today, true, words[0])
	}
	switch words[0] {
	case "this", "last", "past", "previous":
		return relative(today, words[0] == "this", words[1])
	}
	return calendar(m, today)
}

// relative is this or the last day of the week, week, month, quarter or year.
func relative(today time.Time, this bool, name string) (span, bool) {
	for d := 1; d <= 7; d++ {
		if t := today.AddDate(0, 0, -(d - 1)); this && strings.EqualFold(t.Weekday().String(), name) {
			return span{from: t, to: t.AddDate(0, 0, 1)}, true
		}
		if t := today.AddDate(0, 0, -d); !this && strings.EqualFold(t.Weekday().String(), name) {
			return span{from: t, to: t.AddDate(0, 0, 1)}, true
		}
	}
	whole := ago(today, 0, name)
	if !this {
		whole = ago(today, 1, name)
	}
	return whole, !whole.from.IsZero()
}

// ago is the day, week (from Monday), month, quarter or year that was n of them
// before.
func ago(today time.Time, n int, unit string) span {
	month := time.Date(today.Year(), today.Month(), 1, 0, 0, 0, 0, time.UTC)
	switch strings.TrimSuffix(unit, "s") {
	case "day":
		t := today.AddDate(0, 0, -n)
		return span{from: t, to: t.AddDate(0, 0, 1)}
	case "week":
		t := today.AddDate(0, 0, -(int(today.Weekday())+6)%7-7*n)
		return span{from: t, to: t.AddDate(0, 0, 7)}
	case "weekend":
		t := today.AddDate(0, 0, 5-(int(today.Weekday())+6)%7-7*n)
		return span{from: t, to: t.AddDate(0, 0, 2)}
	case "month":
		t := month.AddDate(0, -n, 0)
		return span{from: t, to: t.AddDate(0, 1, 0)}
	case "quarter":
		t := month.AddDate(0, -(int(today.Month())-1)%3-3*n, 0)
		return span{from: t, to: t.AddDate(0, 3, 0)}
	case "year":
		t := time.Date(today.Year()-n, 1, 1, 0, 0, 0, 0, time.UTC)
		return span{from: t, to: t.AddDate(1, 0, 0)}
	}
	return span{}
}

// back is the day n units before today.
func back(today time.Time, n int, unit string) time.Time {
	today = time.Date(today.Year(), today.Month(), today.Day(), 0, 0, 0, 0, time.UTC)
	switch strings.TrimSuffix(unit, "s") {
	case "day":
		return today.AddDate(0, 0, -n)
	case "week":
		return today.AddDate(0, 0, -7*n)
	case "month":
		return today.AddDate(0, -n, 0)
	case "quarter":
		return today.AddDate(0, -3*n, 0)
	}
	return today.AddDate(-n, 0, 0)
}

var numbers = map[string]int{
	"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
	"ten": 10, "twelve": 12, "couple of": 2, "few": 3,
}

func count(word string) (int, bool) {
	if n, ok := numbers[word]; ok {
		return n, true
	}
	n, err := strconv.Atoi(word)
	return n, err == nil
}

var ofYear = pattern.NewLazy(`\b` + year + `\b`)

var calendarWords = pattern.NewLazy(`[qh][1-4]|[a-z]+|\d+`)

// calendar is a date as people write it: 2026-03-09, march 9, 9th of march 2026,
// march 2026, q1 2026, q1, 2026.
func calendar(m string, today time.Time) (span, bool) {
	if from, to, ok := filter.Instants(strings.ToUpper(m)); ok {
		return parsed(from, to)
	}
	if t, err := time.Parse("2.1.2006", m); err == nil {
		return span{from: t, to: t.AddDate(0, 0, 1)}, true
	}
	y, month, day, quarter, half := 0, time.Month(0), 0, 0, 0
	for _, word := range calendarWords().FindAllString(m, -1) {
		switch n, err := strconv.Atoi(word); {
		case err == nil && len(word) == 4:
			y = n
		case err == nil:
			day = n
		case word[0] == 'q' && len(word) == 2:
			quarter = int(word[1] - '0')
		case word[0] == 'h' && len(word) == 2:
			half = int(word[1] - '0')
		case monthOf(word) > 0:
			month = monthOf(word)
		}
	}
	given := y
	if y == 0 {
		y = today.Year()
	}
	var s span
	switch {
	case half > 0:
		s.from = time.Date(y, time.Month(6*half-5), 1, 0, 0, 0, 0, time.UTC)
		s.to = s.from.AddDate(0, 6, 0)
	case quarter > 0:
		s.from = time.Date(y, time.Month(3*quarter-2), 1, 0, 0, 0, 0, time.UTC)
		s.to = s.from.AddDate(0, 3, 0)
	case day > 0:
		s.from = time.Date(y, month, day, 0, 0, 0, 0, time.UTC)
		s.to = s.from.AddDate(0, 0, 1)
	default:
		s.from = time.Date(y, month, 1, 0, 0, 0, 0, time.UTC)
		s.to = s.from.AddDate(0, 1, 0)
	}
	if given == 0 && s.from.After(today) {
		s.from, s.to = s.from.AddDate(-1, 0, 0), s.to.AddDate(-1, 0, 0)
	}
	return s, quarter > 0 || half > 0 || month > 0 && (day == 0 || s.from.Day() == day)
}

func parsed(from, to string) (span, bool) {
	a, errA := time.Parse(time.RFC3339, from)
	b, errB := time.Parse(time.RFC3339, to)
	return span{from: a, to: b}, errA == nil && errB == nil
}

// monthOf is the month that a word of three letters or more begins.
func monthOf(word string) time.Month {
	for m := time.January; m <= time.December; m++ {
		if len(word) >= 3 && strings.HasPrefix(strings.ToLower(m.String()), word[:3]) {
			return m
		}
	}
	return 0
}
