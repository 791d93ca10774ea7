package prose

import (
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/pattern"
)

// maxFrontMatter is the number of lines within which front matter ends.
const maxFrontMatter = 200

// frontMatter reads the block of metadata that a Markdown document may begin
// with, YAML between "---" or TOML between "+++", and returns how many lines
// it takes; 0 when there is none.
func frontMatter(lines []string) (metadata, int) {
	var meta metadata
	if len(lines) == 0 {
		return meta, 0
	}
	fence := strings.TrimRight(lines[0], " \t\r")
	if fence != "---" && fence != "+++" {
		return meta, 0
	}
	for n := 1; n < min(len(lines), maxFrontMatter); n++ {
		if line := strings.TrimRight(lines[n], " \t\r"); line == fence || fence == "---" && line == "..." {
			meta.read(lines[1:n], map[string]string{"---": ":", "+++": "="}[fence])
			return meta, n + 1
		}
	}
	return meta, 0
}

// read takes the keys it knows from the top level of YAML or TOML. Values may
// be on the key's line, or on the further indented lines below it.
func (m *metadata) read(lines []string, separator string) {
	for n := 0; n < len(lines); {
		key, value, ok := strings.Cut(lines[n], separator)
		n++
		if !ok || key == "" || strings.ContainsAny(key[:1], " \t-#") {
			continue
		}
		values := []string{strings.TrimSpace(value)}
		for n < len(lines) && (lines[n] == "" || strings.ContainsAny(lines[n][:1], " \t-]\"'")) {
			values = append(values, strings.TrimSpace(lines[n]))
			n++
		}
		m.set(strings.ToLower(strings.Trim(key, ` "'`)), values)
	}
}

func (m *metadata) set(key string, values []string) {
	m.links = appendNew(m.links, wikilinks(strings.Join(values, " "))...)
	switch key = strings.NewReplacer(" ", "", "_", "", "-", "").Replace(key); key {
	case "title":
		m.title = scalar(strings.TrimLeft(strings.Join(values, " "), "|>-+ "))
	case "aliases", "alias":
		m.aliases = appendNew(m.aliases, list(values)...)
	case "tags", "tag":
		m.tags = appendNew(m.tags, named(list(apart(values)))...)
	case "keywords", "categories", "category", "topics":
		m.tags = appendNew(m.tags, named(list(values))...)
	case "date", "created", "createdat", "createddate", "datecreated", "creationdate", "published", "pubdate",
		"publishdate":
		if m.created == "" || key != "date" {
			m.created = date(values[0])
		}
	case "modified", "modifiedat", "modifieddate", "datemodified", "updated", "updatedat", "dateupdated", "lastupdated",
		"lastmod", "lastmodified":
		m.modified = date(values[0])
	}
}

// named has the name of a note in place of a link to it: vaults file notes under others.
func named(tags []string) []string {
	for i, tag := range tags {
		if links := wikilinks(tag); len(links) == 1 {
			tags[i] = path.Base(links[0])
		}
	}
	return tags
}

// apart puts commas between the words of a line: tags have no spaces.
func apart(values []string) []string {
	if len(values) != 1 || strings.ContainsAny(values[0], `,[]"'#`) {
		return values
	}
	return []string{strings.Join(strings.Fields(values[0]), ",")}
}

// scalar is a YAML or TOML value without its quotes or comment.
func scalar(s string) string {
	s = strings.TrimSpace(s)
	if end := quoteEnd(s); end > 0 {
		if s[0] == '\'' {
			return strings.ReplaceAll(s[1:end], "''", "'")
		}
		if text, err := strconv.Unquote(s[:end+1]); err == nil {
			return text
		}
		return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(s[1:end])
	}
	if i := strings.Index(s, " #"); i >= 0 {
		s = strings.TrimSpace(s[:i])
	}
	if s == "null" || s == "~" {
		return ""
	}
	return s
}

// quoteEnd is where the quote closes that a value begins with, 0 if there is none: a
// quote twice, or in double quotes one behind a backslash, is part of the value.
func quoteEnd(s string) int {
	if s == "" || s[0] != '"' && s[0] != '\'' {
		return 0
	}
	for i := 1; i < len(s); i++ {
		switch {
		case s[0] == '"' && s[i] == '\\':
			i++
		case s[i] == s[0] && s[0] == '\'' && strings.HasPrefix(s[i+1:], "'"):
			i++
		case s[i] == s[0]:
			return i
		}
	}
	return 0
}

// list reads "[a, b]", "a, b" and lines of "- a". A comma within quotes is none.
func list(values []string) []string {
	var items []string
	for _, value := range values {
		value = strings.Trim(strings.TrimPrefix(value, "- "), "[]")
		for value != "" {
			value = strings.TrimLeft(value, "[] ")
			start := quoteEnd(value)
			end := strings.IndexByte(value[start:], ',')
			if end < 0 {
				end = len(value) - start
			}
			if item := strings.TrimPrefix(scalar(strings.Trim(value[:start+end], "[] ")), "#"); item != "" {
				items = append(items, item)
			}
			value = strings.TrimPrefix(value[start+end:], ",")
		}
	}
	return items
}

// dateLayouts are the forms of dates that front matter is known to have.
var dateLayouts = []string{
	time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 -07:00",
	"2006-01-02 15:04:05 MST",
	"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02", "2006/01/02",
	"2006.01.02", "2.1.2006", "2.1.2006 15:04", "2006-1-2",
	time.RFC1123Z, time.RFC1123, time.ANSIC, time.UnixDate, "January 2, 2006", "Jan 2, 2006", "2 January 2006",
	"2 Jan 2006",
	"Monday, January 2 2006, 3:04:05 pm", "Monday, January 2 2006",
}

var ordinal = pattern.NewLazy(`\b(\d{1,2})(?:st|nd|rd|th)\b`)

// date is a date as RFC 3339 in UTC, or empty when it has no known form. A
// date without zone is taken as UTC. It may be a link to the note of a day.
func date(s string) string {
	s = ordinal().ReplaceAllString(strings.Trim(scalar(s), "[]"), "$1")
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, s); err == nil && t.Year() >= 1 && t.Year() <= 9999 {
			return t.UTC().Format(time.RFC3339)
		}
	}
	return unixDate(s)
}

// unixDate is a date in seconds or milliseconds since 1970, from 2001 on: fewer digits
// are a year, a day or a number of something.
func unixDate(s string) string {
	n, err := strconv.ParseInt(s, 10, 64)
	switch {
	case err != nil || n < 0:
	case len(s) == 10:
		return time.Unix(n, 0).UTC().Format(time.RFC3339)
	case len(s) == 13:
		return time.UnixMilli(n).UTC().Format(time.RFC3339)
	}
	return ""
}

var datedName = pattern.NewLazy(`^(\d{4})-?(\d{2})-?(\d{2})(?:\d{4}|\d{6})?(?:\D|$)`)

// nameDate is the day that the name of a note begins with, as RFC 3339, or empty:
// 2026-03-09.md, 202603091530 Title.md.
func nameDate(file string) string {
	m := datedName().FindStringSubmatch(path.Base(file))
	if m == nil || m[1] < "1970" || m[1] > "2099" {
		return ""
	}
	return date(m[1] + "-" + m[2] + "-" + m[3])
}
