package parse

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

var (
	// tag begins a line of a comment that a generator of documentation reads: "@module a", "\author X".
	tag = pattern.NewLazy(`^ ?(?:@(\w+)|\\(file|brief|details|author|date|version|copyright|(?:def|in|addto)group)):?(?:\s+|$)`)
	// told are the tags with a text for people.
	told = strings.Fields("abstract brief classdesc desc description details file fileoverview overview remarks summary")
)

// WithoutTags is a leading comment as the text for people in it: that of tags that describe the
// file, if it is more than the file's name, and none of other tags, up to the end of a paragraph.
func WithoutTags(comment string) string {
	var kept []string
	of := true // of the text
	for line := range strings.SplitSeq(strings.ReplaceAll(comment, "\r\n", "\n"), "\n") {
		of = of || strings.TrimSpace(line) == ""
		if m := tag().FindStringSubmatch(line); m != nil {
			line = line[len(m[0]):]
			of = slices.Contains(told, strings.ToLower(m[1]+m[2]))
			if !strings.ContainsAny(strings.TrimSpace(line), " \t") {
				line = ""
			}
		}
		if of {
			kept = append(kept, line)
		}
	}
	return JoinTrimmed(kept)
}
