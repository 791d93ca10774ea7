package embed

// How the weights of the table in a query tell how many files have a word: the
// rarer, the heavier. A line through the repositories of the tuning half of
// bench/ask, where the two correlate by -.82.
const (
	commonest = -0.3
	commonAt  = 0.49
	commonBy  = -2.61
	rarest    = -5.7 // one file in 300
)

// Common estimates the natural logarithm of the share of source files, in
// repositories at large, that have a word; of one of several parts, the commonest
// of them. A word that the table does not have is rare.
func (s *Static) Common(word string) float64 {
	common := rarest
	m, err := s.model()
	if err != nil {
		return common // so is every word of a damaged one
	}
	for _, part := range m.shares(word) {
		if part.share == 1 {
			common = max(common, min(commonAt+commonBy*float64(m.table.rarity(part.row)), commonest))
		}
	}
	return common
}
