package compose

import "testing"

func TestFirstSentence(t *testing.T) {
	for _, test := range []struct{ comment, want string }{
		{"Cut cuts. It does no more.", "Cut cuts."},
		{"Forked Jan. 2015 from a client\nfor FastCGI. It has fixes.", "Forked Jan. 2015 from a client for FastCGI."},
		{"Takes a limit (e.g. 10, cf. Limit) of bytes. Then stops.", "Takes a limit (e.g. 10, cf. Limit) of bytes."},
		{"Takes one (ie. \"a\") of them. Then stops.", "Takes one (ie. \"a\") of them."},
		{"Written in C. It is fast.", "Written in C."},
		{"A title\n\nAnd more.", "A title"},
		{"Version 1.2 of it! Yes", "Version 1.2 of it!"},
		{"no end", "no end"},
		{"ends with etc.", "ends with etc."},
		{"by Knuth et al.", "by Knuth et al."},
	} {
		if got := FirstSentence(test.comment); got != test.want {
			t.Errorf("%q of %q, want %q", got, test.comment, test.want)
		}
	}
}

// A file's comment is told without licences and the keywords of version control.
func TestWithoutLicence(t *testing.T) {
	for _, test := range []struct{ comment, want string }{
		{"$OpenBSD: a.c,v 1.4 2026/07/14 17:17:17 nicm Exp $\n\nCopyright (c) 2007 N. M.", ""},
		{"$OpenBSD: a.c,v 1.4 $\n\nKeys and what they are bound to.", "Keys and what they are bound to."},
		{"$Id$ Copyright 2007 N. M.\n\nReads keys.", "Reads keys."},
		{"$Path: the folder to read, $Name: its name", "$Path: the folder to read, $Name: its name"},
		{"Expands $HOME$ and $(Id): costs $5 to $10.", "Expands $HOME$ and $(Id): costs $5 to $10."},
	} {
		if got := withoutLicence(test.comment); got != test.want {
			t.Errorf("%q of %q, want %q", got, test.comment, test.want)
		}
	}
}
