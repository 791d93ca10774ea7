package search

import (
	"regexp"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/fts"
)

// TestAlmost holds the two ways of telling a misspelt name against each other.
func TestAlmost(t *testing.T) {
	const name = "parserequest"
	like := regexp.MustCompile("^(?:" + likeName(name) + ")$")
	for other, want := range map[string]bool{
		"parserequset": true, "parsrequest": true, "parsserequest": true, "parserequezt": true, "parserequests": true,
		"parsereques": true,
		"apserequest": false, "parserequestbody": false, "parserespond": false, "pa": false,
		"p": false, "": false, "PÄrserequest": false, "pärserequest": false, "parseqeurest": false,
	} {
		if got := almost(name, other); got != want {
			t.Errorf("almost(%q, %q) = %v", name, other, got)
		}
		for _, other := range []string{other, strings.ToUpper(other)} {
			if got := almostNamed(name, other); got != want {
				t.Errorf("almostNamed(%q, %q) = %v", name, other, got)
			}
		}
		if got := like.MatchString(other); got != want {
			t.Errorf("likeName(%q) matches %q: %v", name, other, got)
		}
	}
	long := likeName("abcdefghijklmnopqrstuvwxyzabcdef")
	q := fts.Regexp{Field: fts.FieldName, Regexp: long}
	if err := (fts.Request{Query: q, Size: 1}).Check(1); err != nil {
		t.Errorf("the longest name: %v", err)
	}
}
