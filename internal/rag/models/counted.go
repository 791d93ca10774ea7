package models

import "fmt"

// Counted is how replies and messages count things: "1 file", "2 files". The noun
// takes an s.
func Counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
