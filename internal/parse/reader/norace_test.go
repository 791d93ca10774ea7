//go:build !race

package reader_test

import "time"

// hang is the time after which a parse counts as one.
const hang = 20 * time.Second
