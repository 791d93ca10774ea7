package main

import (
	"strings"
	"testing"
)

// Filters mean what they mean elsewhere, or are errors that name what comes
// near; none of them makes an empty list without a word.
func TestFilters(t *testing.T) {
	sh := newShell(t)
	for _, id := range []string{"acme/clock", "acme/tools", "other/tools"} {
		sh.run("index", "--quiet", "--repo-id", id, writeRepo(t, "clock", clockRepo))
	}
	for _, test := range []struct {
		args string
		exit int
		want string // in the output or beside it
	}{
		{"search -l 1 -p *.go timestamp", 0, "clock/parse.go"},
		{
			"search -p *.py timestamp", 0,
			"no indexed file of 3 repositories matches --path-filter \"*.py\"; `ragnav structure` shows folders",
		},
		{"search -l 1 --language golang timestamp", 0, "clock/parse.go"},
		{"search -l 1 --language .go timestamp", 0, "clock/parse.go"},
		{"search --language cobol timestamp", 0, "is in COBOL"},
		{"search --language goo timestamp", 2, "the nearest are "},
		{"search -l 1 -r clock timestamp", 0, "acme/clock clock/parse.go"},
		{"search -r tools timestamp", 2, "acme/tools or other/tools"},
		{"search -r cloc timestamp", 3, "the nearest is acme/clock"},
		{"ask -r clock how is a timestamp parsed", 0, "in acme/clock `clock/parse.go`"},
		{"ask -r cloc how is a timestamp parsed", 3, "the nearest is acme/clock"},
		{"structure clock", 0, "acme/clock"},
		{"structure clock --pattern *.go", 0, `"**/*.go" looks into the folders below`},
		{"structure tools", 2, "acme/tools or other/tools"},
		{"file clock clock/parse.go:7", 0, "func ParseStamp"},
		{"file clck clock/parse.go:7", 3, "the nearest is acme/clock"},
		{"coverage clock", 0, "5 files indexed"},
		{"coverage clck", 3, "the nearest is acme/clock"},
		{"jobs -r clock", 0, "no index jobs"},
		{"jobs -r nowhere", 3, "known are acme/clock, acme/tools, other/tools"},
		{"remove tools", 2, "acme/tools or other/tools"},
		{"remove clock", 0, "removed acme/clock"},
	} {
		out, errs, exit := sh.try(strings.Fields(test.args)...)
		if exit != test.exit || !strings.Contains(out+errs, test.want) {
			t.Errorf("ragnav %s: exit %d, want %d and %q in\n%s%s", test.args, exit, test.exit, test.want, out, errs)
		}
	}
}
