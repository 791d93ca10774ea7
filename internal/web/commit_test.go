package web_test

import (
	"fmt"
	"strings"
	"testing"
)

// A permalink shows the lines of its commit. Where they are others now, nothing
// on the page is of the file as it is but the link to it.
func TestFileOfCommit(t *testing.T) {
	var long strings.Builder
	for n := range 2000 {
		fmt.Fprintf(&long, "var v%d = 1\n", n)
	}
	s, _ := newSite(map[string]string{"x.go": long.String(), "r.md": "# Use\n\n[x](x.go)\n", "p.png": ""})
	tests := []struct {
		address string
		says    string
		links   map[string]string // "" for none
		old     bool
	}{
		{"/r/a/b/-/x.go?commit=" + indexedCommit, "still those of the file", map[string]string{
			"Permalink": "/r/a/b/-/x.go?commit=" + indexedCommit, "See it as it is now": "/r/a/b/-/x.go",
			"Ask about it": "/ask?about=x.go&repo=a%2Fb",
		}, false},
		{"/r/a/b/-/x.go?commit=" + oldCommit + "&line=1000&uses=v1", "the file has changed since", map[string]string{
			"Permalink":   "/r/a/b/-/x.go?commit=" + oldCommit + "&line=1000",
			"Lines above": "/r/a/b/-/x.go?commit=" + oldCommit + "&line=600",
			"Lines below": "/r/a/b/-/x.go?commit=" + oldCommit + "&line=1400", "Ask about it": "", "uses": "",
			"See it as it is now": "/r/a/b/-/x.go",
		}, true},
		{"/r/a/b/-/r.md?commit=" + oldCommit, "the file has changed since", map[string]string{
			"x": "/r/a/b/-/x.go?commit=" + oldCommit, "Source": "/r/a/b/-/r.md?commit=" + oldCommit + "&plain=1",
		}, true},
		{"/r/a/b/-/x.go?commit=" + oldCommit, "the file has changed since", map[string]string{
			"Since": "/r/a/b/-/x.go?commit=" + oldCommit + "#L2-L3",
		}, true},
		{"/r/a/b/-/p.png?commit=" + oldCommit, "the picture of commit fedcba987654", nil, false},
		{"/r/a/b/-/x.go?commit=1111111", "no commit \"1111111\" These are the lines as they are now.", map[string]string{
			"Permalink": "/r/a/b/-/x.go?commit=" + indexedCommit,
		}, false},
	}
	for _, test := range tests {
		p := open(t, s, test.address)
		links := p.links()
		if !strings.Contains(strings.Join(strings.Fields(p.text), " "), test.says) {
			t.Errorf("%s does not say %q: %q", test.address, test.says, p.text)
		}
		for text, want := range test.links {
			if links[text] != want {
				t.Errorf("%s: %q leads to %q, want %q", test.address, text, links[text], want)
			}
		}
		if got := strings.Contains(p.text, "What names stand for, and what uses them, is told of the file"); got != test.old {
			t.Errorf("%s: old is %v, want %v", test.address, got, test.old)
		}
		for _, table := range p.all("table") {
			if attr(table, "data-file") != "" == test.old {
				t.Errorf("%s: names lead to %q", test.address, attr(table, "data-file"))
			}
		}
	}
	if raw := open(t, s, "/r/a/b/-/p.png?raw=1&commit="+oldCommit); raw.Body.String() != "PNG" {
		t.Errorf("the picture is %q", raw.Body)
	}
}

// The page of a folder in a commit leads to what is in it in that commit.
func TestFolderOfCommit(t *testing.T) {
	s, _ := newSite(map[string]string{"x.go": "package x\n", "README.md": "[x](x.go)\n"})
	at := "?commit=" + oldCommit
	for address, test := range map[string]struct {
		says  string
		links map[string]string
	}{
		"/r/a/b" + at: {"it has changed since", map[string]string{
			"x.go": "/r/a/b/-/x.go" + at, "dir/": "/r/a/b/-/dir/" + at, "x": "/r/a/b/-/x.go" + at,
			"Permalink": "/r/a/b" + at, "See it as it is now": "/r/a/b", "Ask about it": "",
		}},
		"/r/a/b/-/dir/" + at: {"it has changed since", map[string]string{
			"a/b": "/r/a/b" + at, "See it as it is now": "/r/a/b/-/dir/",
		}},
		"/r/a/b?commit=" + indexedCommit: {"the same as now", map[string]string{
			"Permalink": "/r/a/b?commit=" + indexedCommit,
		}},
		"/r/a/b?commit=1111111": {"This is the folder as it is now", map[string]string{
			"x.go": "/r/a/b/-/x.go", "See it as it is now": "",
		}},
		"/r/a/b/-/x.go" + at: {"the file has changed since", map[string]string{"a/b": "/r/a/b" + at}},
	} {
		p := open(t, s, address)
		if links := p.links(); !strings.Contains(strings.Join(strings.Fields(p.text), " "), test.says) {
			t.Errorf("%s does not say %q: %q", address, test.says, p.text)
		} else {
			for text, want := range test.links {
				if links[text] != want {
					t.Errorf("%s: %q leads to %q, want %q", address, text, links[text], want)
				}
			}
		}
	}
}
