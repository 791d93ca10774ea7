package agent

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/llm"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A citer turns what a model writes into an answer, line by line as it comes:
// citations that hold become marks [n], others are dropped, statements without
// one are marked. Lines are held back until the first citation holds: text
// before it may be a thought on the way to calls.
type citer struct {
	seen *evidence
	read func(models.Citation) ([]string, error) // the lines of a citation, as they are

	partial string // of a line
	held    []checked
	block   *fence // the code block that this is in, or nil
	inGaps  bool
	opened  bool
	blank   int // lines that wait for one that is not
	shown   int // bytes of the answer
	text    strings.Builder

	citations  []models.Citation
	told       int // of them
	dropped    []string
	gaps       []string
	outOfScope bool
	statements int
	sourced    int
}

// A checked is a line that has gone through the checks.
type checked struct {
	text                string
	statements, sourced int
}

func newCiter(seen *evidence, read func(models.Citation) ([]string, error)) *citer {
	return &citer{seen: seen, read: read}
}

// linesOf reads the lines of a citation from where they are now.
func (s *Service) linesOf(ctx context.Context, c models.Citation) ([]string, error) {
	resp, err := op.File.By(ctx, s.Ops,
		filefetch.Request{RepoID: c.RepoID, FilePath: c.FilePath, StartLine: &c.StartLine, EndLine: &c.EndLine})
	if err != nil {
		return nil, err
	}
	item := resp.Items[0]
	if item.Error != "" || item.StartLine != c.StartLine || item.EndLine != c.EndLine {
		return nil, fmt.Errorf("the file has %d lines", item.TotalLines)
	}
	return slices.Collect(strings.Lines(item.Code)), nil
}

// write takes a piece of text and returns what can be told of the answer.
func (c *citer) write(text string) string {
	from := c.text.Len()
	c.partial += text
	for {
		line, rest, found := strings.Cut(c.partial, "\n")
		if !found {
			return c.text.String()[from:]
		}
		c.partial = rest
		c.line(line)
	}
}

// end takes what has come as the end of a text. A citation that was cut off is
// left out.
func (c *citer) end() string {
	if at := strings.LastIndexByte(c.partial, '['); at > strings.LastIndexByte(c.partial, ']') {
		c.partial = c.partial[:at]
	}
	if c.partial == "" {
		return ""
	}
	return c.write("\n")
}

// forget drops what is held back.
func (c *citer) forget() {
	c.held, c.block, c.inGaps, c.partial, c.blank = nil, nil, false, "", min(c.blank, 1)
}

// rest tells what is held back, at the end of the run.
func (c *citer) rest() string {
	from := c.text.Len()
	c.open()
	return c.text.String()[from:]
}

// unfounded reports whether nothing that was written has a source.
func (c *citer) unfounded() bool { return !c.opened }

func (c *citer) line(raw string) {
	raw = strings.TrimRight(raw, " \t\r")
	if raw == llm.ThoughtEnd { // what was held back was no answer
		c.held, c.block, c.inGaps, c.gaps, c.outOfScope = nil, nil, false, nil, false
		return
	}
	if rest, ok := outOfScopeMark(raw); ok && c.block == nil {
		c.outOfScope, raw = true, rest
		if raw == "" {
			return
		}
	}
	if c.gap(raw) {
		return
	}
	before := len(c.citations)
	c.held = append(c.held, c.check(raw))
	if c.opened || len(c.citations) > before {
		c.open()
	}
}

// open lets the lines that are held back be told.
func (c *citer) open() {
	for _, l := range c.held {
		if l.text == "" {
			c.blank++
			continue
		}
		if c.text.Len() > 0 {
			c.text.WriteString(strings.Repeat("\n", min(c.blank, 1)+1))
		}
		c.blank = 0
		c.text.WriteString(l.text)
		c.statements += l.statements
		c.sourced += l.sourced
	}
	c.held, c.opened = nil, c.opened || len(c.citations) > 0
	c.shown = c.text.Len()
}

var (
	scopeMark = pattern.NewLazy(`^\W*OUT[_ ]OF[_ ]SCOPE\b[\s:.*-]*`)
	gapsMark  = pattern.NewLazy(`(?i)^[#*\s]*gaps[*\s]*:[*\s]*(.*)$`)
)

func outOfScopeMark(text string) (rest string, ok bool) {
	m := scopeMark().FindString(text)
	return text[len(m):], m != ""
}

const (
	maxGaps    = 20
	maxGap     = 100 // tokens
	maxDropped = 100 // citations that are remembered
)

// gap takes lines that tell what is missing, and reports whether this is one.
func (c *citer) gap(raw string) bool {
	if c.block != nil {
		return false
	}
	text := raw
	if m := gapsMark().FindStringSubmatch(raw); m != nil {
		c.inGaps, text = true, m[1]
	} else if !c.inGaps {
		return false
	}
	text = strings.TrimSpace(c.scrub(private.Replace(strings.TrimLeft(text, "-* \t"))))
	none := strings.EqualFold(strings.Trim(text, ". "), "none")
	if text != "" && !none && len(c.gaps) < maxGaps {
		c.gaps = append(c.gaps, clip(text, maxGap))
	}
	return true
}

// A citation as models write it: [repo/path:start-end], several in one pair of
// brackets, in backticks, with an L, an en dash; a path may have brackets.
var (
	bracketed = pattern.NewLazy(
		"(\\w?)(`?)\\[((?:[^\\[\\]\\n]|\\[[^\\[\\]\\n]*\\])*?:L?\\d(?:[^\\[\\]\\n]|" +
			"\\[[^\\[\\]\\n]*\\])*)\\]`?(?:\\([^)\\n]*\\))?")
	fileLike = pattern.NewLazy(`^[\pL_.][^:]*\.\w+$`)
	oneSpan  = pattern.NewLazy(`^(?:(.+?):)?L?(\d{1,9})(?:\s*[-–—]\s*L?(\d{1,9}))?$`)
)

// check is a line of the answer.
func (c *citer) check(raw string) checked {
	code, fence, dropped := c.inCode(raw), "", false
	if code { // backticks of a fence are not those around a citation
		fence, raw = cutFence(raw)
	}
	text := bracketed().ReplaceAllStringFunc(private.Replace(raw), func(m string) string {
		found := bracketed().FindStringSubmatch(m)
		marks, isCitation := c.resolve(found[3], found[1] != "")
		if !isCitation {
			return m
		}
		dropped = dropped || marks == ""
		return found[1] + marks
	})
	if code {
		return checked{text: fence + c.unlink(brackets.Replace(text))}
	}
	text = brackets.Replace(c.scrub(text))
	if dropped {
		text = strings.TrimRight(gapBefore().ReplaceAllString(text, "$1"), " ")
	}
	return statements(text)
}

var gapBefore = pattern.NewLazy(`\s+([.,;:!?)])`)

// resolve gives the marks of the citations in a pair of brackets, those that
// hold; isCitation is false of brackets that have none, such as an index or
// a slice, which stands behind a word more often than not.
func (c *citer) resolve(inner string, behindWord bool) (marks string, isCitation bool) {
	name := ""
	for part := range strings.FieldsFuncSeq(inner, func(r rune) bool { return r == ',' || r == ';' }) {
		m := oneSpan().FindStringSubmatch(strings.Trim(part, " `"))
		if m == nil {
			return "", isCitation
		}
		if m[1] != "" {
			name = strings.TrimPrefix(strings.Trim(m[1], " `"), "./")
		}
		_, known := c.seen.find(name)
		path := strings.Contains(name, "/") || !behindWord && fileLike().MatchString(name)
		if name == "" || !isCitation && !known && !path && (m[3] == "" || behindWord) {
			return "", isCitation
		}
		isCitation = true
		start, _ := strconv.Atoi(m[2]) // digits
		end := start
		if m[3] != "" {
			end, _ = strconv.Atoi(m[3])
		}
		if n := c.number(name, start, end); n > 0 {
			marks += openMark + strconv.Itoa(n) + closeMark
		}
	}
	return marks, isCitation
}

// number is that of a citation, 0 if it doesn't hold.
func (c *citer) number(name string, start, end int) int {
	wrong := func(why string) int {
		what := fmt.Sprintf("%s:%d-%d %s", clip(name, maxGap), start, end, why)
		if len(c.dropped) < maxDropped && !slices.Contains(c.dropped, what) {
			c.dropped = append(c.dropped, what)
		}
		return 0
	}
	p, known := c.seen.find(name)
	if !known || !c.seen.covers(p, start, end) {
		return wrong("was not read")
	}
	cited := models.Citation{
		N: len(c.citations) + 1, RepoID: p.repo, FilePath: p.path, StartLine: start, EndLine: end,
		Verified: true,
	}
	for _, before := range c.citations {
		if cited.N = before.N; before == cited {
			return before.N
		}
	}
	cited.N = len(c.citations) + 1
	now, err := c.read(cited)
	if err == nil && len(now) != end-start+1 {
		err = fmt.Errorf("there are %d lines", len(now))
	}
	if err == nil {
		err = c.seen.check(p, start, now)
	}
	if err != nil {
		return wrong("can't be read again as it was")
	}
	c.citations = append(c.citations, cited)
	return cited.N
}

// fresh are the citations since the last call.
func (c *citer) fresh() []models.Citation {
	some := c.citations[c.told:]
	c.told = len(c.citations)
	return some
}

func (c *citer) warnings() []models.Warning {
	if c == nil || len(c.dropped) == 0 {
		return nil
	}
	const named = 3
	text := strings.Join(c.dropped[:min(named, len(c.dropped))], "; ")
	if more := len(c.dropped) - named; more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return []models.Warning{{Code: "CITATIONS_DROPPED", Message: "citations that did not hold were dropped: " + text}}
}

// answer is the item of the reply; found is the extractive one.
func (c *citer) answer(found models.Answer, usage models.Usage, steps []models.Step) models.Answer {
	a := models.Answer{
		Answer: c.text.String(), Citations: slices.Clip(c.citations), Gaps: c.gaps, OutOfScope: c.outOfScope &&
			len(c.citations) == 0,
		LevelsSearched: found.LevelsSearched, Steps: append(slices.Clip(found.Steps), steps...), Usage: usage,
	}
	if a.Citations == nil {
		a.Citations = []models.Citation{}
	}
	if without := c.statements - c.sourced; without > 0 && !a.OutOfScope {
		a.Gaps = append(a.Gaps,
			fmt.Sprintf("%d of %d statements have no checked source; they are marked", without, c.statements))
	}
	a.Gaps = append([]string{}, a.Gaps...)
	a.Confidence = math.Round(100*float64(c.sourced)/float64(cmp.Or(c.statements, 1))) / 100
	return a
}
