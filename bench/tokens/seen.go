package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/view"
)

// seen is what an agent has been shown so far: lines by file and number, and of
// some what they are in.
type seen struct {
	lines  map[place]bool
	in     map[place]string
	tokens int
	calls  int
}

func newSeen() *seen { return &seen{lines: map[place]bool{}, in: map[place]string{}} }

var (
	numbered = regexp.MustCompile(`^\s*(\d+)(?:[:\t]| [a-z_]+(?: in |:))`)
	named    = regexp.MustCompile(`(?:^|\s)([\w./@-]+\.\w+)(?::(\d+)(?:-(\d+))?((?:,\d+)*))?`)
	there    = regexp.MustCompile(`^ +\S* ?[a-z_]+ :(\d+)((?:,\d+)*)(?: |$)`) // " F calls :6", in the file of the line before
	inside   = regexp.MustCompile(` in ([^ :]+)|^ +(\S+) [a-z_]+ [^ ]*:\d`)   // "6 calls in F: …", " F calls a.go:6"
)

// take takes in a call with its output. A line is shown when its number stands
// before it under its file's path, or behind the path, or behind a colon where the
// path is that of the line before, or when it stands under a path with lines that it is one of.
func (s *seen) take(c *corpus, call, output string) {
	s.calls++
	s.tokens += view.Tokens(call) + view.Tokens(output)
	path, from, to := "", 0, 0
	for line := range strings.Lines(output) {
		if m := numbered.FindStringSubmatch(line); m != nil && path != "" {
			s.line(c, path, m[1], line)
			continue
		}
		if m := there.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil && path != "" {
			for _, n := range append(strings.Split(m[2], ","), m[1]) {
				s.line(c, path, n, line)
			}
			continue
		}
		m := firstFile(c, line)
		if m == nil {
			s.within(c, path, from, to, line)
			continue
		}
		path, from, to = m[1], number(m[2]), number(m[3])
		for _, n := range append(strings.Split(m[4], ","), m[2]) {
			s.line(c, path, n, line)
		}
	}
}

// firstFile is the first file that a line names, with the numbers behind it.
func firstFile(c *corpus, line string) []string {
	for _, m := range named.FindAllStringSubmatch(line, -1) {
		if c.files[m[1]] != nil {
			return m
		}
	}
	return nil
}

// within finds a line without a number among those of a file that it is said to
// be of. The opening of a block is not part of it. A declaration of several lines is
// shown as one, which begins with the first.
func (s *seen) within(c *corpus, path string, from, to int, line string) {
	text := strings.Trim(line, " \t\r\n{:")
	for n := from; len(text) > 3 && n <= to && n > 0 && n <= len(c.files[path]); n++ {
		own := strings.Trim(c.files[path][n-1], " \t\r{:")
		if own == text || len(text) > 12 && strings.HasPrefix(own, text) || len(own) > 12 && strings.HasPrefix(text, own) {
			s.lines[place{path, n}] = true
			return
		}
	}
}

func (s *seen) line(c *corpus, path, number, text string) {
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(c.files[path]) {
		return
	}
	at := place{path, n}
	s.lines[at] = true
	if m := inside.FindStringSubmatch(text); m != nil && s.in[at] == "" {
		s.in[at] = m[1] + m[2]
	}
}

// has reports whether a line was shown, and what it is in: by name, or by the
// line where that begins.
func (s *seen) has(r right, c *corpus) bool {
	if !s.lines[r.place] {
		return false
	}
	if len(r.in) == 0 || s.lines[r.in[0]] {
		return true
	}
	parts := strings.FieldsFunc(s.in[r.place], func(r rune) bool { return r == '.' || r == ':' || r == '#' })
	return len(parts) > 0 && slices.ContainsFunc(r.in, func(p place) bool { return c.declared(p) == parts[len(parts)-1] })
}
