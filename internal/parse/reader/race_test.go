//go:build race

package reader_test

import "time"

// hang is the time after which a parse counts as one. The race detector makes
// it some twenty times slower.
const hang = 5 * time.Minute
