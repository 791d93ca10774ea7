// Package pattern bounds what the patterns of clients cost: it tells that before
// they are compiled, and matches in a time that goes by the text alone.
package pattern

import (
	"regexp/syntax"
	"strings"
)

// Most is what counts stop at.
const Most = 1 << 30

// Steps is about how many steps a regular expression takes for each character
// that it is held against, at worst: the length of its program, which repetitions
// are written out in.
func Steps(re *syntax.Regexp) int {
	n := 1
	if re.Op == syntax.OpLiteral {
		n = len(re.Rune)
	}
	for _, sub := range re.Sub {
		n = min(n+Steps(sub), Most)
	}
	if re.Op == syntax.OpRepeat {
		n = min(n*max(re.Min, re.Max, 1), Most)
	}
	return n
}

// Alternatives is how many globs without braces a doublestar glob stands for,
// which is what it costs to match: "{a,b}{c,d}" stands for 4.
func Alternatives(glob string) int {
	n, _ := alternatives(glob, 0)
	return n
}

// alternatives counts up to the end of the glob, or of the braces that it is
// in, and says how many bytes that takes.
func alternatives(glob string, depth int) (n, size int) {
	sum, product := 0, 1
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; {
		case c == '\\':
			i++
		case c == '[':
			i += max(0, strings.IndexByte(glob[i:], ']'))
		case c == '{':
			inner, size := alternatives(glob[i+1:], depth+1)
			product, i = min(product*inner, Most), i+size
		case c == ',' && depth > 0:
			sum, product = min(sum+product, Most), 1
		case c == '}' && depth > 0:
			return min(sum+product, Most), i + 1
		}
	}
	return min(sum+product, Most), len(glob)
}
