package web

import "testing"

func TestPurposeOf(t *testing.T) {
	for summary, want := range map[string]string{
		"json (src/json/): Tagged JSON.\n\nFiles:\na.py: x": "Tagged JSON.",
		"src (src/)\n\nFolders:\nflask/: a, b":              "",
		"A summary by a model.\nIn two lines.":              "A summary by a model.\nIn two lines.",
		"":                                                  "",
	} {
		if got := purposeOf(summary); got != want {
			t.Errorf("%q: %q, want %q", summary, got, want)
		}
	}
}
