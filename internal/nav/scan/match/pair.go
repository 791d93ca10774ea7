package match

// A pair is two bytes at a fixed distance. A byte x of text is the byte of the
// pair when x|mask is; the mask 0x20 of a lower-case letter lets its upper-case
// form through and nothing else.
type pair struct {
	first, firstMask   byte
	second, secondMask byte
	distance           int
}

// indexPairGeneric is the first of n positions in text at which the pair is, or -1. Text
// has at least n+distance bytes.
func indexPairGeneric(text []byte, n int, p pair) int {
	for i, x := range text[:n] {
		if x|p.firstMask == p.first && text[i+p.distance]|p.secondMask == p.second {
			return i
		}
	}
	return -1
}
