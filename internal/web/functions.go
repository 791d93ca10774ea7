package web

import (
	"cmp"
	"fmt"
	"html/template"
	"regexp"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/web/address"
)

// functions are those of templates.
var functions = template.FuncMap{
	"asset":      assetURL,
	"say":        say,
	"repoURL":    address.Repo,
	"fileURL":    address.File,
	"linesURL":   address.Lines,
	"fresh":      newMark,
	"ago":        func(at *string) When { return newWhen(deref(at), time.Now()) },
	"at":         func(at string) *string { return &at },
	"short":      func(commit *string) string { return short(deref(commit)) },
	"shorten":    short,
	"number":     number,
	"plural":     plural,
	"reason":     reason,
	"reasons":    reasons,
	"bytes":      size,
	"keys":       keys,
	"pages":      pages,
	"examples":   examples,
	"levelTitle": func(l models.Level) string { return labels[l] },
}

// say is a message in the words of people: commands for what the page has not, labels of
// forms for fields of a request, and nothing of what only a program would do next, or what
// the page has done.
func say(message any) string {
	text, ok := message.(string)
	if pointer, isPointer := message.(*string); isPointer {
		text, ok = deref(pointer), true
	}
	if !ok {
		return ""
	}
	return people.Say(forPrograms.ReplaceAllString(text, ""))
}

var (
	people      = op.Commands(func(field string) string { return cmp.Or(filters[field], field) })
	filters     = map[string]string{"repo_filter": "the repository filter", "path_filter": "the path filter"}
	forPrograms = regexp.MustCompile(`; (explore_structure lists what there is|read it with \x60ragnav file\x60|` +
		`go on with (start_line \d+ or )?cursor [^\s;]+)`)
)

// A Mark says how fresh something is.
type Mark struct{ Class, Text, Help string }

func newMark(state models.Freshness) Mark {
	switch state {
	case models.Fresh:
		return Mark{"fresh", "fresh", "What is shown is what is in the folder now."}
	case models.Stale:
		return Mark{"stale", "stale", "Not all of the folder is indexed as it is; some may be missing, or shown as it was."}
	case models.Unknown:
	}
	return Mark{"unknown", "freshness unknown", "The index could not be compared with the folder."}
}

// A When is a time for people: how long ago, and exactly.
type When struct{ Exact, Ago string }

func newWhen(at string, now time.Time) When {
	t, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return When{}
	}
	return When{t.UTC().Format("2006-01-02 15:04:05 UTC"), ago(now.Sub(t))}
}

func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return plural(int(d.Minutes()), "minute") + " ago"
	case d < 48*time.Hour:
		return plural(int(d.Hours()), "hour") + " ago"
	}
	return plural(int(d.Hours()/24), "day") + " ago"
}

// plural counts things: "1 file", "2 files", "3 repositories".
func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	if stem, ok := strings.CutSuffix(one, "y"); ok && one != "day" {
		one = stem + "ie"
	}
	return number(n) + " " + one + "s"
}

// size is a number of bytes for people.
func size(n int64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f kB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}

// number has commas between thousands.
func number(n int) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// A Link is an entry of a menu.
type Link struct{ Label, URL string }

// pages are those in the head of every page.
func pages() []Link {
	return []Link{{"Files", "/files"}, {"Ask", "/ask"}, {"Jobs", "/jobs"}, {"Status", "/status"}}
}

// A Key is what keys of the page do.
type Key struct {
	Keys []string
	Does string
}

func keys() []Key {
	return []Key{
		{[]string{"/", "s"}, "search"},
		{[]string{"t"}, "find a file"},
		{[]string{"l"}, "go to a line, or to what a name stands for"},
		{[]string{"j", "k"}, "next and previous result"},
		{[]string{"o"}, "open the result"},
		{[]string{"y"}, "copy the address, with the commit"},
		{[]string{"Esc"}, "close the uses of a name"},
		{[]string{"?"}, "these keys"},
	}
}

// An Example is a query to begin with.
type Example struct{ Text, Help string }

func examples() []Example {
	return []Example{
		{"where are retries decided", "by what it does, in any words"},
		{"ServeHTTP", "by name"},
		{`"not modified"`, "an exact phrase"},
		{`/func \w+Handler/ lang:go`, "a regular expression, in one language"},
		{"timeout file:internal -file:*_test.go", "in some files, and not in others"},
		{"sym:Parse or sym:Decode", "symbols of these names; kind:, repo: and tag: select, too"},
	}
}
