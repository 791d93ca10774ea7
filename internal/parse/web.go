package parse

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// A reader finds the outline of a language that the table of patterns does not
// fit; no symbols mean that there is nothing to find.
type reader func(f File) Outline

// readers are by go-enry's name in lower case.
var readers = map[string]reader{
	"html": readHTML, "html+erb": readHTML, "html+django": readHTML, "html+eex": readHTML, "html+razor": readHTML, "html+ecr": readHTML,
	"html+php": readHTML, "jinja": readHTML, "nunjucks": readHTML, "twig": readHTML, "liquid": readHTML, "handlebars": readHTML,
	"mustache": readHTML, "ejs": readHTML, "smarty": readHTML,
	"css": readCSS, "postcss": readSCSS, "scss": readSCSS, "less": readSCSS,
	"yaml": readYAML,
	"sql":  readSQL, "plpgsql": readSQL, "plsql": readSQL, "tsql": readSQL, "sqlpl": readSQL, "mysql": readSQL, "sqlite": readSQL,
}

// maxCovered is the number of lines up to which a symbol stands for all that
// is in it. What is in longer ones only is cut into chunks besides.
const maxCovered = 2 * chunkLines

// minGap is the number of lines that are not blank from which a run of them
// that no symbol covers makes chunks.
const minGap = 5

// withGaps adds chunks of the lines that no symbol covers, and sorts all by
// line. Without symbols there are no chunks either.
func withGaps(text string, symbols []Symbol) []Symbol {
	if len(symbols) == 0 {
		return nil
	}
	lines := LineOffsets(text)
	covered := make([]bool, lines.Lines()+2)
	for _, s := range symbols {
		if s.EndLine-s.StartLine < maxCovered {
			for n := s.EndLine; n >= s.StartLine; n-- {
				covered[n] = true
			}
		}
	}
	found := 0
	for n := 1; n <= lines.Lines(); n++ {
		start := n
		for n <= lines.Lines() && !covered[n] {
			n++
		}
		for _, c := range gap(lines, text, start, n-1) {
			found++
			c.Qualified = "chunk-" + strconv.Itoa(found)
			symbols = append(symbols, c)
		}
	}
	slices.SortStableFunc(symbols, byStart)
	return symbols
}

// gap are the chunks of the lines from start to end, without names.
func gap(lines Offsets, text string, start, end int) (found []Symbol) {
	for start <= end {
		last := min(chunkEnd(lines, start), end)
		filled := 0
		for n := start; n <= last; n++ {
			if strings.TrimSpace(text[lines[n-1]:lines[n]]) != "" {
				filled++
			}
		}
		if filled >= minGap {
			found = append(found, Symbol{Kind: models.KindChunk, StartLine: start, EndLine: last})
		}
		start = last + 1
	}
	return found
}

func byStart(a, b Symbol) int { return a.StartLine - b.StartLine }

// read is the outline that a reader finds, or chunks.
func (r reader) read(f File) Outline {
	out := r(f)
	out.Method, out.Lines = MethodOutline, Lines(f.Text)
	if len(out.Symbols) == 0 {
		out.Symbols, out.Method = chunks(f.Text), MethodChunks
		return out
	}
	slices.SortStableFunc(out.Symbols, byStart)
	out.Exports = exports(out.Symbols)
	return out
}

// maxAbove is how many lines of comments above a declaration are its
// documentation at most.
const maxAbove = 200

// above is where a declaration on line n, from 0, begins with the comments
// right above it, as a 1-indexed line, and what these say.
func (s *source) above(n int) (start int, doc string) {
	first := n
	for first > 0 && n-first < maxAbove && s.class[first-1]&hasComment != 0 && s.class[first-1]&hasCode == 0 {
		first--
	}
	if first == n {
		return n + 1, ""
	}
	scan := declScanner{source: s}
	doc = scan.commentsBetween(first, n)
	if doc != "" && summaryOf(doc) == "" {
		return n + 1, ""
	}
	return first + 1, doc
}
