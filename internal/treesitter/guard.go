package treesitter

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
)

// Limits of what is given to a grammar. Of real files 0.3% are above one of
// them: minified, generated or data.
const (
	maxBytes   = 1 << 20
	maxDepth   = 200 // of brackets
	maxAverage = 300 // bytes of a line
)

// Guard says why a text is not for a grammar, or nothing. Brackets in strings
// and comments count too while nothing around them is closed: it need not be exact.
func Guard(text string) string {
	if len(text) > maxBytes {
		return fmt.Sprintf("more than %d bytes", maxBytes)
	}
	if lines := parse.Lines(text); lines > 0 && len(text)/lines > maxAverage {
		return fmt.Sprintf("lines of more than %d bytes on average", maxAverage)
	}
	if strings.IndexByte(text, 0) >= 0 {
		return "a NUL in the text"
	}
	if deeper(text, maxDepth) {
		return fmt.Sprintf("brackets more than %d deep", maxDepth)
	}
	return ""
}

// closes has the opening bracket of each closing one.
var closes = [256]byte{')': '(', ']': '[', '}': '{'}

// deeper reports whether a text opens brackets deeper than limit. A bracket closes what
// was opened within it, as one in a string was: "\x1b[1m".
func deeper(text string, limit int) bool {
	var open []byte
	for i := range len(text) {
		switch c := text[i]; c {
		case '(', '[', '{':
			if open = append(open, c); len(open) > limit {
				return true
			}
		case ')', ']', '}':
			if at := bytes.LastIndexByte(open, closes[c]); at >= 0 {
				open = open[:at]
			}
		}
	}
	return false
}
