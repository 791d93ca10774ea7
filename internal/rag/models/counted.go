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

// TheNearest is how messages begin to offer n names in place of one that is unknown.
func TheNearest(n int) string {
	if n == 1 {
		return "the nearest is"
	}
	return "the nearest are"
}
