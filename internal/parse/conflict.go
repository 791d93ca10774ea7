package parse

import "strings"

// What begins the lines that git, and others, put around the sides of a merge that
// they could not decide. The second stands only where the common ancestor is shown.
const (
	conflictOurs   = "<<<<<<<"
	conflictBase   = "|||||||"
	conflictTheirs = "======="
	conflictEnd    = ">>>>>>>"
)

// WithoutConflicts is a text with spaces in the place of the marks of conflicts, each
// of which would hide what is declared behind it. Both sides stay where each is whole;
// where they share what is before or behind them, only the first one does, as code that
// has both could not be parsed. What was there before is never shown. Positions stay.
func WithoutConflicts(text string) string {
	if !strings.HasPrefix(text, conflictOurs) && !strings.Contains(text, "\n"+conflictOurs) {
		return text
	}
	offsets := LineOffsets(text)
	out := []byte(text)
	for i := 0; i < offsets.Lines(); i++ {
		c, ok := conflictAt(text, offsets, i)
		if !ok {
			continue
		}
		first, behind := lines(text, offsets, c.ours+1, c.firstEnd()), rest(text, offsets, c.end+1)
		second := lines(text, offsets, c.theirs+1, c.end)
		theirs := c.theirs
		if !whole(first, behind) || !whole(second, behind) {
			theirs = c.end
		}
		spaces(out, offsets[c.ours], offsets[c.ours+1])
		spaces(out, offsets[c.firstEnd()], offsets[theirs+1])
		spaces(out, offsets[c.end], offsets[c.end+1])
		i = c.end
	}
	return string(out)
}

// A conflict is where the marks of one are, as indexes of lines. base is 0 without one.
type conflict struct{ ours, base, theirs, end int }

// firstEnd is the line behind the first side.
func (c conflict) firstEnd() int {
	if c.base > 0 {
		return c.base
	}
	return c.theirs
}

// conflictAt is the conflict that begins with a line, if it has all of its marks.
func conflictAt(text string, offsets Offsets, line int) (conflict, bool) {
	if !marked(text, offsets, line, conflictOurs) {
		return conflict{}, false
	}
	c := conflict{ours: line}
	for i := line + 1; i < offsets.Lines(); i++ {
		switch {
		case marked(text, offsets, i, conflictOurs):
			return c, false
		case c.base == 0 && c.theirs == 0 && marked(text, offsets, i, conflictBase):
			c.base = i
		case c.theirs == 0 && marked(text, offsets, i, conflictTheirs):
			c.theirs = i
		case c.theirs > 0 && marked(text, offsets, i, conflictEnd):
			c.end = i
			return c, true
		}
	}
	return c, false
}

// marked reports whether a line is a mark, alone or with a name behind it.
func marked(text string, offsets Offsets, line int, mark string) bool {
	rest, ok := strings.CutPrefix(text[offsets[line]:offsets[line+1]], mark)
	return ok && (rest == "" || strings.IndexByte(" \r\n", rest[0]) >= 0)
}

func lines(text string, offsets Offsets, from, to int) string { return text[offsets[from]:offsets[to]] }

// rest is the first line from one on that says something.
func rest(text string, offsets Offsets, from int) string {
	for i := from; i < offsets.Lines(); i++ {
		if line := text[offsets[i]:offsets[i+1]]; strings.TrimSpace(line) != "" {
			return line
		}
	}
	return ""
}

// whole reports whether a side of a conflict closes what it opens, and nothing else, by
// its brackets and by how far its lines and the one behind it are indented.
func whole(side, behind string) bool {
	depth, first, last := 0, -1, 0
	for line := range strings.Lines(side) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		last = indent(line)
		if first < 0 {
			first = last
		}
		if last < first {
			return false
		}
		for _, b := range []byte(line) {
			switch b {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth--
			}
			if depth < 0 {
				return false
			}
		}
	}
	return depth == 0 && (behind == "" || first < 0 || indent(behind) <= last)
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// spaces are put in the place of lines, whose ends stay.
func spaces(out []byte, from, to int) {
	for i := from; i < to; i++ {
		if out[i] != '\n' && out[i] != '\r' {
			out[i] = ' '
		}
	}
}
