package web_test

import (
	"strings"
	"testing"
)

// An address of nothing says what of it is not there, and leads to what is.
func TestNothingThere(t *testing.T) {
	s, _ := newSite(fewFiles)
	for address, want := range map[string][]string{
		"/r/a/b/-/none":  {`no file &#34;none&#34;`, `<a href="/r/a/b">a/b</a>`},
		"/r/nope/-/x":    {`no repository &#34;nope&#34;`},
		"/r/nope/-/x/-/": {`no repository &#34;nope&#34;`},
	} {
		p := open(t, s, address)
		for _, part := range want {
			if !strings.Contains(p.Body.String(), part) {
				t.Errorf("%s: no %s in\n%s", address, part, p.Body)
			}
		}
	}
}

// That a folder is empty is said once, with the reason.
func TestEmptyFolder(t *testing.T) {
	s, _ := newSite(fewFiles)
	got := open(t, s, "/r/a/b/-/dir/submodule/").Body.String()
	if strings.Count(strings.ToLower(got), "the folder is empty") != 1 || !strings.Contains(got, "not checked out") {
		t.Errorf("not once, with the reason:\n%s", got)
	}
}
