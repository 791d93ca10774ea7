package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// The kinds of questions.
const (
	whereIs = "where"  // where is it: the line where the declaration begins
	whoUses = "uses"   // who uses it: the lines, and the declarations that they are in
	breaks  = "breaks" // what breaks: the declarations that use it, and those that call them
	how     = "how"    // how does it work: the lines of the declarations
)

// A question names what is right by expressions, which are looked up in the
// source: nobody writes line numbers.
type question struct {
	ID       string   `json:"id"`
	Repo     string   `json:"repo"`
	Language string   `json:"language"`
	Kind     string   `json:"kind"`
	Text     string   `json:"text"`
	Name     string   `json:"name,omitempty"`   // the symbol that the question names
	Define   []string `json:"define,omitempty"` // "path: expression", each of one line: declarations
	Uses     string   `json:"uses,omitempty"`   // expression of lines that use it; default: the name as a word
}

// A right line is one that must be shown. in are the names of declarations
// around it, one of which must be told; none where nothing is around it.
type right struct {
	place

	in []place
}

type truth struct{ lines []right }

// truth derives the right lines of a question from the source.
func (c *corpus) truth(q question) (truth, error) {
	defs, err := c.definitions(q)
	if err != nil {
		return truth{}, err
	}
	var t truth
	switch q.Kind {
	case whereIs:
		for _, d := range defs {
			t.lines = append(t.lines, right{place: d})
		}
	case how:
		for _, d := range defs {
			for _, line := range c.span(d) {
				t.lines = append(t.lines, right{place: line})
			}
		}
	case whoUses, breaks:
		pattern := q.Uses
		if pattern == "" {
			pattern = `\b` + regexp.QuoteMeta(q.Name) + `\b`
		}
		if t.lines, err = c.usesOf(pattern, defs); err != nil {
			return t, err
		}
		if q.Kind == breaks {
			t.lines = append(t.lines, c.callersOf(t.lines)...)
		}
	default:
		return t, fmt.Errorf("no kind %q", q.Kind)
	}
	if len(t.lines) == 0 {
		return t, fmt.Errorf("no line is right")
	}
	return t, nil
}

func (c *corpus) definitions(q question) (found []place, err error) {
	for _, d := range q.Define {
		path, pattern, _ := strings.Cut(d, ": ")
		re, err := regexp.Compile(pattern)
		if err != nil {
			return nil, err
		}
		at := slices.DeleteFunc(c.matches(re), func(p place) bool { return p.path != path })
		if len(at) != 1 {
			return nil, fmt.Errorf("%s matches %d lines", d, len(at))
		}
		found = append(found, at[0])
	}
	return found, nil
}

// usesOf are the lines that match, but for declarations, comments and imports.
func (c *corpus) usesOf(pattern string, defs []place) (found []right, err error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	for _, p := range c.matches(re) {
		if !c.uses(p) || slices.Contains(defs, p) || re.MatchString(c.declared(p)) {
			continue
		}
		found = append(found, right{p, c.around(p)})
	}
	return found, nil
}

// callersOf are the lines that call what these lines are in, as far as the name
// tells: of names that are declared once.
func (c *corpus) callersOf(lines []right) (found []right) {
	declared := map[string]int{}
	for _, p := range c.matches(c.lang.declare) {
		declared[c.declared(p)]++
	}
	seen := map[place]bool{}
	for _, r := range lines {
		seen[r.place] = true
	}
	done := map[string]bool{}
	for _, r := range lines {
		if len(r.in) == 0 {
			continue
		}
		name := c.declared(r.in[0])
		if declared[name] != 1 || done[name] {
			continue
		}
		done[name] = true
		calls, err := c.usesOf(`\b`+regexp.QuoteMeta(name)+`\(`, []place{r.in[0]})
		if err != nil {
			continue // a name is an expression
		}
		for _, call := range calls {
			if !seen[call.place] {
				seen[call.place], found = true, append(found, call)
			}
		}
	}
	return found
}

// enough is the share of a question's lines that must be shown: bodies end
// where people see it, not where indentation does.
func (q question) enough() float64 {
	if q.Kind == how {
		return 0.9
	}
	return 1
}

// met is the share of the right lines that was shown. What breaks is a
// declaration, by any of the lines in it.
func (t truth) met(q question, s *seen, c *corpus) float64 {
	shown := map[place]bool{}
	for _, r := range t.lines {
		of := r.place
		if q.Kind == breaks && len(r.in) > 0 {
			of = r.in[0]
		}
		shown[of] = shown[of] || s.has(r, c)
	}
	n := 0
	for _, ok := range shown {
		if ok {
			n++
		}
	}
	return float64(n) / float64(len(shown))
}

func (t truth) print(q question, c *corpus) {
	fmt.Printf("%s (%s) %s\n", q.ID, q.Kind, q.Text)
	for i, r := range t.lines {
		if q.Kind == how && i > 0 && i < len(t.lines)-1 {
			continue
		}
		in := ""
		if len(r.in) > 0 {
			in = " in " + c.declared(r.in[0])
		}
		fmt.Printf("  %s:%d%s: %s\n", r.path, r.line, in, strings.TrimSpace(c.at(r.place)))
	}
}
