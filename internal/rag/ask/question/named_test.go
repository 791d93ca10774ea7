package question

import (
	"strings"
	"testing"
)

func TestDiffering(t *testing.T) {
	for question, want := range map[string]string{
		"What is the difference between Peek and Get?":               "Peek Get",
		"what's the difference between `peek()` and the get method?": "peek get",
		"how does Cache.Peek differ from Cache.Get":                  "Cache.Peek Cache.Get",
		"how is #peek different from #get?":                          "#peek #get",
		"before_fork vs after_fork":                                  "before_fork after_fork",
		"which differences are there between the option a and b?":    "a b",
		"what is the difference between reading a file and a folder": "",
		"difference between get and Get":                             "",
		"how does it choose between a and b":                         "",
	} {
		if got := strings.Join(differing(question), " "); got != want {
			t.Errorf("%s: %q, want %q", question, got, want)
		}
	}
}
