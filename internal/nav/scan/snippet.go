package scan

import (
	"bytes"
	"context"
	"strings"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/scan/match"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

const (
	maxSnippetFile = 64 << 20 // bytes

	snippetContext = 2   // lines before and behind, so that there are five
	snippetLine    = 400 // bytes of a line that are shown at most
	snippetBefore  = 100 // of these before the match, when the line is longer
)

// A Spot is a place in a file, as a graph or a Match gives it. Without a
// column the line is shown from its beginning.
type Spot struct {
	Line   int // 1-based
	Column int // 1-based, in bytes
}

// Snippets reads a file once and returns the lines around each spot, with
// around lines before and behind. A spot past the end of the file has none,
// nil. A file that can't be read, has more than 64 MiB or is not text has none
// either, with an error: PathNotFound, BinaryFile or, for a store of secrets, Forbidden.
func Snippets(ctx context.Context, r Reader, path string, spots []Spot, around int) ([]*models.Snippet, error) {
	if rule, secret := filekind.Secret(path); secret {
		return nil, filekind.Refusal(path, models.SkipSecret, rule)
	}
	content, err := r.Read(ctx, path, nil, maxSnippetFile)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fault.Wrap(fault.PathNotFound, err, "%q can't be read now: %s", path, err)
	}
	text, ok := textOf(content)
	if !ok || refusal(content, text) != "" {
		return nil, fault.New(fault.BinaryFile, "%q is not text", path)
	}
	starts := lineStarts(text)
	found := make([]*models.Snippet, len(spots))
	for i, s := range spots {
		if s.Line < 1 || s.Line >= len(starts) {
			continue
		}
		from := starts[s.Line-1]
		found[i] = snippetAt(path, text,
			match.Hit{Line: s.Line, From: from, To: starts[s.Line] - 1, Start: from + max(s.Column-1, 0)}, around)
	}
	return found, nil
}

// lineStarts are the offsets of all lines, and one more: that behind the newline
// of the last line, also when that has none.
func lineStarts(text []byte) []int {
	starts := []int{0}
	for at := 0; at < len(text); {
		i := bytes.IndexByte(text[at:], '\n')
		if i < 0 {
			return append(starts, len(text)+1)
		}
		at += i + 1
		starts = append(starts, at)
	}
	return starts
}

// snippetAt is the lines around a hit.
func snippetAt(path string, text []byte, h match.Hit, around int) *models.Snippet {
	from, first := h.From, h.Line
	for ; from > 0 && first > max(1, h.Line-around); first-- {
		from = bytes.LastIndexByte(text[:from-1], '\n') + 1
	}
	var lines []string
	last := first - 1
	for from < len(text) && last < h.Line+around {
		to := len(text)
		if i := bytes.IndexByte(text[from:], '\n'); i >= 0 {
			to = from + i
		}
		at := 0
		if last++; last == h.Line {
			at = h.Start - from
		}
		lines = append(lines, shown(text[from:match.LineEnd(text, to)], at))
		from = to + 1
	}
	return &models.Snippet{
		Text:     strings.Join(lines, "\n"),
		Location: models.SnippetLocation{Path: path, StartLine: first, EndLine: last},
	}
}

// shown is a line in valid UTF-8, of a long one the part around the offset at.
func shown(line []byte, at int) string {
	if len(line) <= snippetLine {
		return valid(line)
	}
	from := runeStart(line, max(0, min(at, len(line))-snippetBefore))
	to := runeStart(line, min(len(line), from+snippetLine))
	part := valid(line[from:to])
	if from > 0 {
		part = "…" + part
	}
	if to < len(line) {
		part += "…"
	}
	return part
}

// runeStart is the nearest offset at or before i where a rune begins.
func runeStart(line []byte, i int) int {
	for back := range utf8.UTFMax {
		if j := i - back; j <= 0 || j >= len(line) || utf8.RuneStart(line[j]) {
			return max(0, j)
		}
	}
	return i
}

// valid replaces each byte that is not UTF-8 by U+FFFD.
func valid(line []byte) string {
	if utf8.Valid(line) {
		return string(line)
	}
	return string([]rune(string(line)))
}
