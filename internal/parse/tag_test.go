package parse_test

import (
	"testing"

	"github.com/ragnav/ragnav/internal/parse"
)

// A file's comment is told without what it says to generators of documentation.
func TestWithoutTags(t *testing.T) {
	for _, test := range []struct{ comment, want string }{
		{"@file big-play-button.js", ""},
		{"@format\n@flow", ""},
		{"@author: N. M.", ""},
		{
			"@fileoverview Reads keys\nof all kinds.\n@author N. M.\n  and others\n\nMore.",
			"Reads keys\nof all kinds.\n\nMore.",
		},
		{"@file\nReads keys.", "Reads keys."},
		{"@module a\nand b\n\nReads keys.", "Reads keys."},
		{"\\file a.c\n\\brief Reads all keys.", "Reads all keys."},
		{"Decorates:\n  @media print\n@app.route x\n\\note", "Decorates:\n  @media print\n@app.route x\n\\note"},
	} {
		if got := parse.WithoutTags(test.comment); got != test.want {
			t.Errorf("%q of %q, want %q", got, test.comment, test.want)
		}
	}
}
