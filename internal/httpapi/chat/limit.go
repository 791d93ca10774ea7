package chat

import (
	"strings"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// A Limit ends a text that comes piece by piece where a client wants it to end:
// before one of its stops, or when it is too long.
type Limit struct {
	stops []string
	left  int    // bytes; negative for any number
	held  string // what may be the beginning of a stop
	// finish is why the text was ended: "stop" or "length"; "" while it goes on.
	finish string
}

// bytesOf is the size of so many tokens.
func bytesOf(tokens int) int { return tokens * models.BytesPerToken }

// Take returns what may be sent of the text so far.
func (l *Limit) Take(piece string) string {
	if l.finish != "" {
		return ""
	}
	text := l.held + piece
	l.held = ""
	if start, ok := l.stop(text); ok {
		l.finish = "stop"
		return l.cut(text[:start])
	}
	keep := l.begun(text)
	l.held = text[len(text)-keep:]
	return l.cut(text[:len(text)-keep])
}

// Rest returns what was held back, when the text is at its end.
func (l *Limit) Rest() string {
	text := l.held
	l.held = ""
	return l.cut(text)
}

// Reached reports whether the text was ended.
func (l *Limit) Reached() bool { return l.finish != "" }

// stop is where the stop begins that is whole first.
func (l *Limit) stop(text string) (start int, ok bool) {
	end := len(text) + 1
	for _, stop := range l.stops {
		i := strings.Index(text, stop)
		if i >= 0 && (i+len(stop) < end || i+len(stop) == end && i < start) {
			start, end = i, i+len(stop)
		}
	}
	return start, end <= len(text)
}

// begun is the size of the longest end of a text that a stop begins with.
func (l *Limit) begun(text string) (size int) {
	for _, stop := range l.stops {
		for n := min(len(stop)-1, len(text)); n > size; n-- {
			if strings.HasSuffix(text, stop[:n]) {
				size = n
			}
		}
	}
	return size
}

// cut takes a text off what is left, whole characters.
func (l *Limit) cut(text string) string {
	if l.left < 0 {
		return text
	}
	if n := l.left; len(text) > n {
		for n > 0 && !utf8.RuneStart(text[n]) {
			n--
		}
		text, l.finish, l.held = text[:n], "length", ""
	}
	l.left -= len(text)
	return text
}

// Reason is why a whole text has ended.
func (l *Limit) Reason() string {
	if l.finish != "" {
		return l.finish
	}
	return "stop"
}
