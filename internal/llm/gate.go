package llm

import "strings"

// A gate hands text on as it arrives, but for what a model thinks aloud, and but
// for text that may be a call of a tool: that is held back until it is known.
type gate struct {
	out   func(string)
	tools []Tool

	raw     strings.Builder // all of it
	pending string          // came, and is not yet judged
	shown   strings.Builder // without thoughts
	within  bool            // a thought
	given   int             // bytes of shown that were handed on
}

const (
	thinking = "<think>"
	thought  = "</think>"
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
	for {
		mark := thinking
		if g.within {
			mark = thought
		}
		before, after, found := strings.Cut(g.pending, mark)
		if !found {
			break
		}
		if !g.within {
			g.shown.WriteString(before)
		}
		g.within, g.pending = !g.within, after
	}
	keep := 0
	if !end {
		mark := thinking
		if g.within {
			mark = thought
		}
		for keep = min(len(mark)-1, len(g.pending)); keep > 0 && !strings.HasPrefix(mark, g.pending[len(g.pending)-keep:]); {
			keep--
		}
	}
	cut := len(g.pending) - keep
	if !g.within {
		g.shown.WriteString(g.pending[:cut])
	}
	g.pending = g.pending[cut:]
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
	for _, o := range openers {
		if strings.HasPrefix(text, o) || strings.HasPrefix(o, text) {
			return true
		}
	}
	return false
}

// end is the text without thoughts, or the calls that it stands for.
func (g *gate) end(called bool) (text string, calls []Call) {
	g.drop(true)
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
