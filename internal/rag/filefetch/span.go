package filefetch

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A span is the lines from start to end, 1-indexed and inclusive; an end of 0
// is the last line. No more than most bytes are read of it, if that is not 0. A
// cursor goes on where a reply about the same span was cut.
type span struct {
	start, end, most int
	asked            int // the first line that was asked for, without those around it; 0: start
	cursor           string
}

// with is a span with n more lines on both sides.
func (s span) with(n int) span {
	if n > 0 && s.end > 0 {
		s.end += min(n, math.MaxInt-s.end)
	}
	if s.start > 1 {
		s.asked = s.start
		s.start = max(1, s.start-n)
	}
	return s
}

// of is the span of a file, from a line on.
func (s span) of(file string, start int) Span {
	if s.end == 0 {
		return Span{FilePath: file, StartLine: &start}
	}
	return Span{FilePath: file, StartLine: &start, EndLine: &s.end}
}

func (s span) check() error {
	switch {
	case s.start < 1:
		return fault.New(fault.InvalidRequest, "start_line %d is less than 1", s.start)
	case s.end < 0, s.end != 0 && s.end < s.start:
		return fault.New(fault.InvalidRequest, "end_line %d is before start_line %d", s.end, s.start)
	}
	return nil
}

// A piece is a part of a text: the lines from start to end of total.
type piece struct {
	code       []byte
	start, end int
	total      int
	from, of   int    // offset of code in the lines that were asked for, and their length, in bytes
	next       string // the cursor to go on with when it was cut, else ""
}

func (p piece) message() string {
	if p.next == "" {
		return ""
	}
	how := fmt.Sprintf("start_line %d or ", p.end+1)
	if len(p.code) == 0 || p.code[len(p.code)-1] != '\n' {
		how = "" // inside a line
	}
	return fmt.Sprintf("cut: lines %d-%d of %d, %d of %d bytes; go on with %scursor %s", p.start, p.end, p.total,
		p.from+len(p.code), p.of, how, p.next)
}

// cut takes the lines of s out of a text, at most maxCode bytes. The end
// is clamped to the text's; a start beyond it is a fault.LineOutOfRange. The empty
// text has the piece from line 1 to line 0.
func (s span) cut(t text) (piece, error) {
	file, text, total := t.path, t.data, t.lines
	if s.start > max(total, 1) {
		return piece{}, outOfRange(file, cmp.Or(s.asked, s.start), total)
	}
	last := total
	if s.end != 0 {
		last = min(s.end, total)
	}
	lines := text[t.marks.skip(text, s.start-1):]
	if last < total {
		lines = lines[:skipLines(lines, last-s.start+1)]
	}
	request := func() string {
		return fmt.Sprintf("file:%s:%d:%d:%x", file, s.start, s.end, t.checksum())
	}
	from := 0
	if s.cursor != "" {
		var err error
		if from, err = models.CursorOffset(s.cursor, request()); err != nil || from > len(lines) {
			return piece{}, fault.New(fault.InvalidRequest,
				"cursor is not of this request, or the file changed since; leave it out to start at the first line")
		}
	}
	p := piece{
		start: s.start + bytes.Count(lines[:from], []byte("\n")), end: last, total: total, from: from,
		of: len(lines),
	}
	if p.code = lines[from:]; len(p.code) > s.limit() {
		p.code = p.code[:fitting(p.code, s.limit())]
		p.end = p.start + countLines(p.code) - 1
		p.next = models.Cursor(from+len(p.code), request())
	}
	return p, nil
}

func (s span) limit() int {
	if s.most > 0 {
		return min(s.most, maxCode)
	}
	return maxCode
}

// fitting is the offset of the last line end within most bytes, or if the first
// line is longer, of the last character in it.
func fitting(code []byte, most int) int {
	n := bytes.LastIndexByte(code[:most], '\n') + 1
	if n == 0 {
		for n = most; n > max(0, most-utf8.UTFMax) && !utf8.RuneStart(code[n]); n-- {
		}
	}
	return n
}

func countLines(text []byte) int {
	n := bytes.Count(text, []byte("\n"))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// marks are where every so many lines of a text begin, the first one at 0; nil where
// that is not known.
type marks []int32

const linesApart = 64

func marksOf(text []byte) marks {
	m := marks{0}
	for at := skipLines(text, linesApart); at < len(text); at += skipLines(text[at:], linesApart) {
		m = append(m, int32(at)) //nolint:gosec // texts that are kept are smaller
	}
	return m
}

// skip is the offset behind the first n lines of the text.
func (m marks) skip(text []byte, n int) int {
	i := min(n/linesApart, len(m)-1)
	if i <= 0 {
		return skipLines(text, n)
	}
	at := int(m[i])
	return at + skipLines(text[at:], n-i*linesApart)
}

// stride is how much of a text is skipped at once: to count the newlines of it takes a
// tenth of finding each.
const stride = 2 << 10

// skipLines is the offset behind the first n lines of a text.
func skipLines(text []byte, n int) int {
	at := 0
	for len(text)-at > stride {
		lines := bytes.Count(text[at:at+stride], []byte("\n"))
		if lines >= n {
			break
		}
		at, n = at+stride, n-lines
	}
	for ; n > 0; n-- {
		i := bytes.IndexByte(text[at:], '\n')
		if i < 0 {
			return len(text)
		}
		at += i + 1
	}
	return at
}
