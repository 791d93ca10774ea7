package index

const defaultLimit = 100

// limitOf is the size of a page: what was asked for, else the default.
func limitOf(limit *int) int {
	if limit == nil {
		return defaultLimit
	}
	return *limit
}
