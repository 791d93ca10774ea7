package treesitter

import (
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
// and comments count too: it need not be exact.
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

var bracketStep = [256]int8{'(': 1, '[': 1, '{': 1, ')': -1, ']': -1, '}': -1}

// deeper reports whether a text opens brackets deeper than limit.
func deeper(text string, limit int) bool {
	depth := 0
	for i := range len(text) {
		depth = max(depth+int(bracketStep[text[i]]), 0)
		if depth > limit {
			return true
		}
	}
	return false
}
