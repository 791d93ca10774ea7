package embed

import "sort"

// A vocabulary finds rows by their tokens, in the strings of the file itself: a map of
// them takes longer to make than the one query of a process to embed.
type vocabulary struct {
	block  string
	starts []uint32    // of each token in the block, behind its length; they ascend by bytes
	first  [257]uint32 // row of the first token that begins with a byte or a later one
}

func (v *vocabulary) token(row int) string {
	start := int(v.starts[row])
	return v.block[start : start+int(v.block[start-1])]
}

// row is that of a token, which is not empty.
func (v *vocabulary) row(token string) (row int32, ok bool) {
	low, high := int(v.first[token[0]]), int(v.first[int(token[0])+1])
	at := low + sort.Search(high-low, func(i int) bool { return v.token(low+i) >= token })
	return int32(at), at < high && v.token(at) == token //nolint:gosec // rows are at most maxRows
}
