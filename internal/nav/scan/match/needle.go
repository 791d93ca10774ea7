package match

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"
)

// A needle is a string to be found in text.
type needle struct {
	text    string
	fold    bool // text is lower-case, and ASCII letters of either case are it
	certain bool // where it is there is a match of the expression, of its length
	probe   pair
	at      int // offset of the pair in text
}

// window is how many positions are looked at before the context is.
const window = 4 << 20

// newNeedle chooses the bytes to look for: the two rarest.
func newNeedle(text string, fold bool) needle {
	if fold {
		text = strings.Map(lowerASCII, text)
	}
	n := needle{text: text, fold: fold}
	order := make([]int, len(text))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(n.rarity(i), n.rarity(j)) })
	first, second := order[0], order[0]
	for _, i := range order[1:] {
		if text[i] != text[first] || second == first {
			second = i
		}
		if text[i] != text[first] {
			break
		}
	}
	first, second = min(first, second), max(first, second)
	n.at = first
	n.probe = pair{
		first: text[first], firstMask: n.mask(first),
		second: text[second], secondMask: n.mask(second), distance: second - first,
	}
	return n
}

func lowerASCII(r rune) rune {
	if r < utf8.RuneSelf {
		return rune(lower(byte(r)))
	}
	return r
}

// mask is what makes the byte's two cases the same.
func (n *needle) mask(i int) byte {
	if n.fold && 'a' <= n.text[i] && n.text[i] <= 'z' {
		return 0x20
	}
	return 0
}

// rarity is how often the byte at i is in code, of 65,536.
func (n *needle) rarity(i int) int {
	f := int(frequency[n.text[i]])
	if n.mask(i) != 0 {
		f += int(frequency[n.text[i]&^0x20])
	}
	return f
}

// index is where the needle is first at or behind from, len(text) when nowhere
// or when the context ended.
func (n *needle) index(ctx context.Context, text []byte, from int) int {
	last := len(text) - len(n.text) // the last position that it may be at
	for from <= last {
		span := min(window, last-from+1)
		i := indexPair(text[from+n.at:], span, n.probe)
		switch {
		case i >= 0 && n.is(text[from+i:]):
			return from + i
		case i >= 0:
			from += i + 1
		default:
			if from += span; span == window && ctx.Err() != nil {
				return len(text)
			}
		}
	}
	return len(text)
}

// is reports whether text, which is long enough, begins with the needle.
func (n *needle) is(text []byte) bool {
	if !n.fold {
		return string(text[:len(n.text)]) == n.text
	}
	for i := range len(n.text) {
		if lower(text[i]) != n.text[i] {
			return false
		}
	}
	return true
}
