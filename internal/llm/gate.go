package llm

import (
	"slices"
	"strings"
)

// A gate hands text on as it arrives, but for what a model thinks aloud, and but
// for text that may be a call of a tool: that is held back until it is known.
//
// Thoughts stand between marks that begin lines; elsewhere the marks are what the
// text is about. Some servers open the thought themselves, and send the mark at
// its end only: all before that was a thought. What was handed on of it can't be
// taken back, so the mark is handed on to tell.
type gate struct {
	out   func(string)
	tools []Tool

	raw      strings.Builder // all of it
	pending  string          // came, and is not yet judged
	shown    strings.Builder // without thoughts
	within   bool            // a thought
	assumed  bool            // that the text begins in one
	unopened bool            // a thought ended that had not begun
	given    int             // bytes of shown that were handed on
}

const (
	thinking = "<think>"
	thought  = ThoughtEnd
)

// openers are how texts begin that are calls of tools.
var openers = []string{"{", "[", "```", "<tool_call", "<function", "<|python_tag|>", "[TOOL_CALLS]", "<|tool"}

func (g *gate) empty() bool { return g.raw.Len() == 0 }

func (g *gate) write(text string) {
	if text == "" {
		return
	}
	g.raw.WriteString(text)
	g.pending += text
	g.drop(false)
	g.hand(false)
}

// drop moves pending to shown without thoughts. What may be the start of a mark
// waits, unless this is the end.
func (g *gate) drop(end bool) {
	for at, mark := g.mark(); at >= 0; at, mark = g.mark() {
		before := g.pending[:at]
		g.pending = g.pending[at+len(mark):]
		switch {
		case mark == thinking:
			g.shown.WriteString(before)
			g.within = true
		case g.within:
			g.unopened = g.unopened || g.assumed && !g.opens()
			g.within, g.assumed = false, false
		default:
			if g.given > 0 && g.out != nil {
				g.out(thought + "\n")
			}
			g.shown.Reset()
			g.given, g.unopened = 0, true
		}
	}
	cut := len(g.pending)
	if !end {
		cut -= max(begun(g.pending, thinking), begun(g.pending, thought))
	}
	if !g.within {
		g.shown.WriteString(g.pending[:cut])
	}
	g.pending = g.pending[cut:]
}

// mark finds the next one in what is pending.
func (g *gate) mark() (at int, mark string) {
	if g.within && !g.assumed {
		return strings.Index(g.pending, thought), thought
	}
	if g.within { // by assumption only: the mark is one where it begins a line
		done := g.raw.String()[:g.raw.Len()-len(g.pending)]
		for at := range len(g.pending) {
			if strings.HasPrefix(g.pending[at:], thought) && beginsLine(done+g.pending[:at]) {
				return at, thought
			}
		}
		return -1, ""
	}
	for at := range len(g.pending) {
		for _, mark := range []string{thinking, thought} {
			if strings.HasPrefix(g.pending[at:], mark) && beginsLine(g.shown.String()+g.pending[:at]) {
				return at, mark
			}
		}
	}
	return -1, ""
}

// beginsLine reports whether a mark after a text begins a line, and not one of code
// that is shown.
func beginsLine(before string) bool {
	return strings.TrimSpace(before[strings.LastIndexByte(before, '\n')+1:]) == "" &&
		strings.Count(before, "```")%2 == 0
}

// opens reports whether the text itself begins with a thought.
func (g *gate) opens() bool { return strings.HasPrefix(strings.TrimSpace(g.raw.String()), thinking) }

// begun is how many bytes at the end of a text are the start of a mark.
func begun(text, mark string) int {
	n := min(len(mark)-1, len(text))
	for n > 0 && !strings.HasSuffix(text, mark[:n]) {
		n--
	}
	return n
}

// hand hands on what is shown, unless it may be a call.
func (g *gate) hand(end bool) {
	text := g.shown.String()
	if g.given == 0 && !end {
		text = strings.TrimLeft(text, " \t\r\n")
		if text == "" || len(g.tools) > 0 && startsCall(text) {
			return
		}
		g.given = g.shown.Len() - len(text)
		text = g.shown.String()
	}
	if rest := text[g.given:]; rest != "" && g.out != nil {
		g.given = len(text)
		g.out(rest)
	}
}

// startsCall reports whether a text begins as calls do, or may yet.
func startsCall(text string) bool {
	return slices.ContainsFunc(openers,
		func(o string) bool { return strings.HasPrefix(text, o) || strings.HasPrefix(o, text) })
}

// end is the text without thoughts, or the calls that it stands for. Of a text that
// was cut within an assumed thought nothing is known to be more than that.
func (g *gate) end(called, cut bool) (text string, calls []Call) {
	g.drop(true)
	if g.assumed && !g.opens() && !cut { // the assumption was wrong
		g.shown.WriteString(g.raw.String())
	}
	text = g.shown.String()
	if !called {
		if calls = rescue(text, g.tools); len(calls) > 0 {
			return "", calls
		}
	}
	if !called || g.given > 0 {
		g.hand(true)
	}
	return text, nil
}
