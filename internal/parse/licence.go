package parse

import (
	"slices"
	"strings"
)

// licencePhrases mark a comment as a licence header, in lower case.
var licencePhrases = []string{
	"copyright", "spdx-", "licensed under", "all rights reserved", "permission is hereby granted",
	"redistribution and use", "this source code is governed", "this file is part of", "free software", "(c) 19", "(c) 20",
	"mit license", "apache license", "bsd license", " © ",
}

// isLicence reports that a comment has what licence headers say.
func isLicence(comment string) bool {
	head := strings.ToLower(comment[:min(len(comment), 600)])
	return slices.ContainsFunc(licencePhrases, func(phrase string) bool { return strings.Contains(head, phrase) })
}

// lineComments are what lines begin with that may be of a licence header, "<?php"
// before it among them.
var lineComments = []string{"//", "#", "--", ";", "%", "'", "<?php"}

// LicenceLines is how many lines of a file are comments up to the end of its licence
// header, and 0 if it has none before its code.
func LicenceLines(text string) int {
	var comment strings.Builder // that is being read
	header, n, closing := 0, 0, ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case closing != "":
		case strings.HasPrefix(line, "/*"):
			closing = "*/"
		case strings.HasPrefix(line, "<!--"):
			closing = "-->"
		case slices.ContainsFunc(lineComments, func(mark string) bool { return strings.HasPrefix(line, mark) }):
		default:
			if isLicence(comment.String()) {
				header = n
			}
			comment.Reset()
			if line != "" {
				return header
			}
		}
		n++
		comment.WriteString(line + "\n")
		if closing != "" && strings.Contains(line, closing) {
			closing = ""
		}
	}
	if isLicence(comment.String()) {
		return n
	}
	return header
}
