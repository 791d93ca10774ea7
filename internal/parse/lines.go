package parse

import (
	"sort"
	"strings"
)

// Lines counts the lines of a text. As for git and grep, and everywhere in this
// module, a line ends with "\n", before which a "\r" may stand; a "\r" alone
// ends none. A last line without newline counts; the empty text has none.
func Lines(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// SplitLines are the lines of a text without their newlines.
func SplitLines(text string) []string {
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// Offsets holds the byte offset of each line's start, and the length of the
// text as its last element.
type Offsets []int

// LineOffsets finds the lines of a text.
func LineOffsets(text string) Offsets {
	offsets := make(Offsets, 0, Lines(text)+1)
	for start := 0; start < len(text); {
		offsets = append(offsets, start)
		i := strings.IndexByte(text[start:], '\n')
		if i < 0 {
			break
		}
		start += i + 1
	}
	return append(offsets, len(text))
}

// Lines is the number of lines.
func (o Offsets) Lines() int { return len(o) - 1 }

// LineAt is the 1-indexed line that the byte at offset is in. Offsets outside
// of the text belong to the first or last line.
func (o Offsets) LineAt(offset int) int {
	n := sort.Search(len(o)-1, func(i int) bool { return o[i] > offset })
	return max(n, 1)
}

// Slice is the exact text of the lines from start to end, 1-indexed and
// inclusive, without the newline of the last. Lines outside of the text are
// left out. The text must be the one that the offsets were made from.
func (o Offsets) Slice(text string, start, end int) string {
	start, end = max(start, 1), min(end, o.Lines())
	if start > end {
		return ""
	}
	return Chomp(text[o[start-1]:o[end]])
}

// Slice is Offsets.Slice for a text of which only one slice is wanted.
func Slice(text string, start, end int) string {
	for n := 1; n < start && text != ""; n++ {
		_, text, _ = strings.Cut(text, "\n")
	}
	rest, from := text, max(start, 1)
	for n := from; n <= end && rest != ""; n++ {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	return Chomp(text[:len(text)-len(rest)])
}

// Chomp removes one newline, "\n" or "\r\n", from the end.
func Chomp(s string) string {
	if t, ok := strings.CutSuffix(s, "\n"); ok {
		return strings.TrimSuffix(t, "\r")
	}
	return s
}
