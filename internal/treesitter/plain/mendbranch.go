package plain

import (
	"slices"
	"strings"
)

// A condition is one of the preprocessor whose end was not reached: where its directives
// are.
type condition []line

type line struct{ start, end int }

// conditional is a text of which parts become spaces.
type conditional struct {
	text  string
	out   []byte
	wrong [][2]int
}

// conditions blanks the directives of conditions, and all branches but one, that open
// what others close, or end within a statement where an error is. What is asked for stays
// as a number where the grammar can't read it.
func (c *conditional) conditions() {
	var open []condition
	for at := 0; at < len(c.text); {
		end := at + lineLength(c.text[at:])
		end += len(c.text[end:min(end+1, len(c.text))])
		here := line{at, end}
		at = end
		word := directive(c.text[here.start:here.end])
		n := len(open) - 1
		switch {
		case word == "if" || word == "ifdef" || word == "ifndef":
			open = append(open, condition{here})
		case word != "" && n >= 0:
			open[n] = append(open[n], here)
		}
		if (word == "if" || word == "elif") && c.beginsIn(here) {
			c.answer(here)
		}
		if word == "endif" && n >= 0 {
			if n < maxNested && !c.whole(open[n]) {
				c.oneBranch(open[n])
			}
			open = open[:n]
		}
	}
}

// maxNested bounds the conditions within conditions that are looked at, each of which is
// read with all that is in it.
const maxNested = 20

// beginsIn reports whether an error begins in a directive.
func (c *conditional) beginsIn(at line) bool {
	return slices.ContainsFunc(c.wrong, func(w [2]int) bool { return at.start <= w[0] && w[0] < at.end })
}

// answer writes 1 in the place of what a directive asks for.
func (c *conditional) answer(at line) {
	text := c.text[at.start:at.end]
	from := at.start + strings.Index(text, "if") + len("if")
	for from < at.end && (c.text[from] == ' ' || c.text[from] == '\t') {
		from++
	}
	if from < at.end {
		blank(c.out[from:at.end])
		c.out[from] = '1'
	}
}

// whole reports whether all branches are statements.
func (c *conditional) whole(of condition) bool {
	near := near(c.wrong, of[0].start, of[len(of)-1].end)
	for i := range len(of) - 1 {
		tokens := tokensOf(string(c.out[of[i].end:of[i+1].start]))
		if len(tokens) == 0 {
			continue
		}
		depth := 0
		for _, t := range tokens {
			switch t.text {
			case "(", "[", "{":
				depth++
			case ")", "]", "}":
				depth--
			}
			if depth < 0 {
				return false
			}
		}
		if depth != 0 {
			return false
		}
		switch tokens[len(tokens)-1].text {
		case ";", "}", ":", ",":
		default:
			if near && len(tokens) < maxPart {
				return false
			}
		}
	}
	return true
}

// maxPart bounds the tokens of what may be a part of a statement.
const maxPart = 60

// oneBranch blanks all but the first branch, or the second if the first never is.
func (c *conditional) oneBranch(of condition) {
	kept := 0
	if asked := strings.Fields(c.text[of[0].start:of[0].end]); len(asked) > 1 && asked[len(asked)-1] == "0" &&
		asked[len(asked)-2] == "#if" {
		kept = 1
	}
	for i, at := range of {
		blank(c.out[at.start:at.end])
		if i < len(of)-1 && i != kept {
			c.blankBranch(at.end, of[i+1].start)
		}
	}
}

// blankBranch blanks what is between two offsets but what is included and defined.
func (c *conditional) blankBranch(from, to int) {
	for from < to {
		end := min(from+lineLength(c.text[from:])+1, to)
		if !stays().MatchString(c.text[from:end]) {
			blank(c.out[from:end])
		}
		from = end
	}
}

// definitions blanks the definitions of macros between two offsets.
func (m *mender) definitions(from, to int) {
	for at := from; at < to; {
		end := at + lineLength(m.text[at:])
		word := strings.TrimLeft(m.text[at:end], " \t")
		if rest, ok := strings.CutPrefix(word, "#"); ok {
			rest = strings.TrimLeft(rest, " \t")
			if strings.HasPrefix(rest, "define") || strings.HasPrefix(rest, "undef") {
				blank(m.out[at:end])
			}
		}
		at = end + 1
	}
}
