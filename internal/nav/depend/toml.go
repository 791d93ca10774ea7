package depend

import (
	"regexp"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// A setting is a key with its value as it is written, lists and tables on
// several lines joined.
type setting struct{ section, key, value string }

// settings reads as much of TOML and of the files of configparser as manifests
// have of them.
func settings(text string) (all []setting) {
	section, open := "", 0
	for line := range strings.Lines(text) {
		indented := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
		line = withoutComment(strings.TrimSpace(line))
		last := len(all) - 1
		switch {
		case line == "":
		case open > 0:
			all[last].value += "\n" + line
			open += brackets(line)
		case strings.HasPrefix(line, "["):
			section = strings.NewReplacer("[", "", "]", "", `"`, "", "'", "", " ", "").Replace(line)
			all = append(all, setting{section: section})
		default:
			key, value, ok := strings.Cut(line, "=")
			if (!ok || indented) && last >= 0 && all[last].key != "" && indented {
				all[last].value += "\n" + line
				continue
			}
			value = strings.TrimSpace(value)
			all = append(all, setting{section, strings.Trim(strings.TrimSpace(key), `"'`), value})
			open = max(brackets(value), 0)
		}
	}
	return all
}

// withoutComment is a line up to a "#" that is not in quotes.
func withoutComment(line string) string {
	quote := byte(0)
	for i := range len(line) {
		switch c := line[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == 0 && c == '#':
			return strings.TrimSpace(line[:i])
		}
	}
	return line
}

// brackets is how many brackets a line opens more than it closes, outside of
// quotes.
func brackets(line string) (n int) {
	quote := byte(0)
	for i := range len(line) {
		switch c := line[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[' || c == '{':
			n++
		case c == ']' || c == '}':
			n--
		}
	}
	return n
}

var quoted = pattern.NewLazy(`"([^"]*)"|'([^']*)'`)

// quotedIn are the texts in quotes.
func quotedIn(value string) (all []string) {
	for _, m := range quoted().FindAllStringSubmatch(value, -1) {
		all = append(all, m[1]+m[2])
	}
	return all
}

// unquoted is a value without its quotes.
func unquoted(value string) string {
	if all := quotedIn(value); len(all) > 0 && strings.ContainsAny(value[:1], `"'`) {
		return all[0]
	}
	return strings.TrimSpace(value)
}

// field is the text of a field of an inline table: {path = "../x"}.
func field(table, name string) string {
	m := regexp.MustCompile(`[{,\s]` + name + `\s*=\s*["']([^"']*)["']`).FindStringSubmatch(table)
	if m == nil {
		return ""
	}
	return m[1]
}
