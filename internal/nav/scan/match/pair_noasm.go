//go:build !amd64 || purego

package match

import "bytes"

// indexPair does the work of indexPairGeneric.
func indexPair(text []byte, n int, p pair) int {
	if p.firstMask != 0 {
		return indexPairGeneric(text, n, p)
	}
	for at := 0; at < n; at++ {
		i := bytes.IndexByte(text[at:n], p.first)
		if i < 0 {
			return -1
		}
		if at += i; text[at+p.distance]|p.secondMask == p.second {
			return at
		}
	}
	return -1
}
