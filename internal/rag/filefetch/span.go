package filefetch

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/fault"
)

// A span is the lines from start to end, 1-indexed and inclusive; an end of 0
// is the last line. No more than most bytes are read of it, if that is not 0.
type span struct{ start, end, most int }

// with is a span with n more lines on both sides.
func (s span) with(n int) span {
	if n > 0 && s.end > 0 {
		s.end += n
	}
	if s.start > 1 {
		s.start = max(1, s.start-n)
	}
	return s
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
	next       int  // the line to go on with when it was cut, else 0
	midLine    bool // it was cut inside its only line
}

func (p piece) message() string {
	switch {
	case p.next == 0:
		return ""
	case p.midLine && p.next > p.total:
		return fmt.Sprintf("line %d was cut after %d bytes; it is the last line", p.end, len(p.code))
	case p.midLine:
		return fmt.Sprintf("line %d was cut after %d bytes; go on with start_line %d", p.end, len(p.code), p.next)
	}
	return fmt.Sprintf("cut after %d bytes; go on with start_line %d", len(p.code), p.next)
}

// cut takes the lines of s out of a text, at most maxCode bytes. The end is
// clamped to the text's; a start beyond it is a fault.LineOutOfRange. The empty
// text has the piece from line 1 to line 0.
func (s span) cut(file string, text []byte) (piece, error) {
	total := bytes.Count(text, []byte("\n"))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		total++
	}
	if s.start > max(total, 1) {
		return piece{}, outOfRange(file, s.start, total)
	}
	p := piece{start: s.start, end: total, total: total}
	if s.end != 0 {
		p.end = min(s.end, total)
	}
	text = text[skipLines(text, p.start-1):]
	p.code = text[:skipLines(text, p.end-p.start+1)]
	if most := s.limit(); len(p.code) > most {
		p.shorten(most)
	}
	return p, nil
}

func (s span) limit() int {
	if s.most > 0 {
		return min(s.most, maxCode)
	}
	return maxCode
}

// shorten cuts a piece at the last line end within most bytes, or where its
// first line is longer, inside that line between two characters.
func (p *piece) shorten(most int) {
	n := bytes.LastIndexByte(p.code[:most], '\n') + 1
	if n == 0 {
		p.midLine = true
		for n = most; n > max(0, most-utf8.UTFMax) && !utf8.RuneStart(p.code[n]); n-- {
		}
	}
	p.code = p.code[:n]
	p.end = p.start + bytes.Count(p.code, []byte("\n")) - 1
	if p.midLine {
		p.end = p.start
	}
	p.next = p.end + 1
}

// skipLines is the offset behind the first n lines of a text.
func skipLines(text []byte, n int) int {
	at := 0
	for ; n > 0; n-- {
		i := bytes.IndexByte(text[at:], '\n')
		if i < 0 {
			return len(text)
		}
		at += i + 1
	}
	return at
}
