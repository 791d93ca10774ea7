package main

import (
	"regexp"
	"strings"
)

// A comment is whole lines about the line that follows, or in Python about the
// line above it.
type comment struct {
	start, end int // lines from 0, end exclusive
	text       []string
}

// comments are those of a text.
type comments struct {
	all     []comment
	within  map[int]bool
	starts  map[int]int // line → index in all
	ends    map[int]int // line after it → index in all
	strings bool
}

func (d *dialect) comments(lines []string) comments {
	c := comments{within: map[int]bool{}, starts: map[int]int{}, ends: map[int]int{}, strings: d.docstring}
	for i := 0; i < len(lines); {
		block := d.block(lines, i)
		if block.end <= i {
			i++
			continue
		}
		for n := block.start; n < block.end; n++ {
			c.within[n] = true
		}
		c.starts[block.start], c.ends[block.end] = len(c.all), len(c.all)
		c.all = append(c.all, block)
		i = block.end
	}
	return c
}

// block is the comment that begins with line i.
func (d *dialect) block(lines []string, i int) comment {
	c := comment{start: i, end: i}
	line := strings.TrimSpace(lines[i])
	switch {
	case d.docstring:
		return docstring(lines, i)
	case d.open != "" && strings.HasPrefix(line, d.open):
		for j := i; j < len(lines); j++ {
			if at := strings.Index(lines[j], d.end); at >= 0 {
				if strings.TrimSpace(lines[j][at+len(d.end):]) == "" {
					c.end = j + 1
				}
				break
			}
		}
	default:
		for c.end < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[c.end]), d.line) &&
			!strings.HasPrefix(lines[c.end], "#!") {
			c.end++
		}
	}
	c.text = lines[c.start:c.end]
	return c
}

// docstring is a string of Python that stands on lines of its own.
func docstring(lines []string, i int) comment {
	c := comment{start: i, end: i}
	rest, ok := strings.CutPrefix(strings.TrimLeft(strings.TrimSpace(lines[i]), "rRuU"), `"""`)
	if !ok {
		return c
	}
	for j := i; j < len(lines); j++ {
		if j > i {
			rest = lines[j]
		}
		if strings.Contains(rest, `"""`) {
			c.end, c.text = j+1, lines[i:j+1]
			return c
		}
	}
	return c
}

// about is the comment about line i.
func (c comments) about(d *dialect, lines []string, i int) comment {
	if c.strings {
		for j := i; j < min(i+10, len(lines)); j++ {
			if strings.HasSuffix(strings.TrimSpace(lines[j]), ":") {
				if n, ok := c.starts[j+1]; ok {
					return c.all[n]
				}
				return comment{}
			}
		}
		return comment{}
	}
	for i > 0 && d.between.MatchString(lines[i-1]) && !c.within[i-1] {
		i--
	}
	if n, ok := c.ends[i]; ok {
		return c.all[n]
	}
	return comment{}
}

// stripped is the text without comments; a string of Python stays as an empty one.
func (c comments) stripped(lines []string) string {
	out := make([]string, len(lines))
	for i, line := range lines {
		_, first := c.starts[i]
		switch {
		case !c.within[i]:
			out[i] = line
		case c.strings && first:
			out[i] = line[:len(line)-len(strings.TrimLeft(line, " \t"))] + `""" """`
		}
	}
	return strings.Join(out, "\n")
}

var (
	marks    = regexp.MustCompile(`(?m)^\s*(?:/\*+!?|\*/|\*|//[/!]*|#+|--+\[*|[rRuU]?""")?\s?|\*/\s*$|"""\s*$`)
	tags     = regexp.MustCompile("\\{@\\w+ ([^}]*)\\}|</?\\w+>|`+|:\\w+:|\\[\\[?([^\\]]*)\\]?\\](?:\\([^)]*\\))?")
	tagLine  = regexp.MustCompile(`(?m)^\s*[@\\](?:brief|summary|description)\s+`)
	paramTag = regexp.MustCompile(`(?m)^\s*[@\\]\w+`)
	sentence = regexp.MustCompile(`^[^.]*?(?:\w\.\w[^.]*?)*\.(?:\s|$)`)
	legal    = regexp.MustCompile(`(?i)copyright|licen[sc]e|SPDX|\bauthor|deprecated|\bnolint|eslint|@ts-|\bTODO\b`)
)

// Limits of a sentence that is asked, in words.
const (
	minWords = 5
	maxWords = 40
)

// sentence is the first one of a comment, without the name of what it is about;
// empty where it says too little or is of another kind.
func (c comment) sentence(name string) string {
	text := tagLine.ReplaceAllString(marks.ReplaceAllString(strings.Join(c.text, "\n"), ""), "")
	if at := paramTag.FindStringIndex(text); at != nil {
		text = text[:at[0]]
	}
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n\n")
	text = strings.Join(strings.Fields(tags.ReplaceAllString(text, "$1$2")), " ")
	if first := sentence.FindString(text + " "); first != "" {
		text = first
	}
	kept := strings.Fields(text)
	n := 0
	for _, w := range kept {
		if strings.Trim(w, "()[]{},.:;'\"`#") != name {
			kept[n] = w
			n++
		}
	}
	kept = kept[:n]
	text = strings.TrimSuffix(strings.Join(kept, " "), ".")
	if n < minWords || n > maxWords || legal.MatchString(text) || letters(text) < len(text)*6/10 {
		return ""
	}
	return text
}

func letters(s string) int {
	n := 0
	for _, r := range s {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			n++
		}
	}
	return n
}
