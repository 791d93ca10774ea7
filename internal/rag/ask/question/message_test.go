package question

import (
	"strings"
	"testing"
)

func TestMessageOf(t *testing.T) {
	for question, want := range map[string]string{
		"TypeError: max or ttl is required":              "typeerror max or ttl is required",
		`why do I get "max or ttl is required"?`:         "max or ttl is required",
		"what does 'cannot open the file' mean":          "cannot open the file",
		"why does `connection reset by peer` come twice": "connection reset by peer",
		"why is the user's file not the group's one?":    "", // no quotes
		"what does `fence` do":                           "",
		"max required":                                   "",
		"how is a file opened":                           "",
		"cannot open the file\nwhat now":                 "",
	} {
		if got := strings.Join(messageOf(question), " "); got != want {
			t.Errorf("%s: %q, want %q", question, got, want)
		}
	}
}
