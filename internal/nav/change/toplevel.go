package change

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// TopLevel tells whether an edit changes code of a file that is in no symbol, imports
// left out, and which line behind the edit is the first. What refers to nothing is not
// looked at: comments, closing brackets.
func TopLevel(before, after Side) (line int, differs bool) {
	old, now := outside(before), outside(after)
	line = 1
	for i, x := range now {
		if line = x.line; i >= len(old) || old[i].text != x.text {
			return line, true
		}
	}
	return line, len(old) > len(now)
}

// A codeLine is a line with code.
type codeLine struct {
	text string
	line int
}

// outside are the lines of a file with references in no symbol.
func outside(s Side) (all []codeLine) {
	if s.Facts == nil {
		return nil
	}
	lines := strings.Split(s.Text, "\n")
	owner := owners(s.Facts, len(lines))
	seen := make([]bool, len(lines)+1)
	for _, m := range s.Facts.Imports {
		if m.Line <= len(lines) {
			seen[m.Line] = true
		}
	}
	for i := range s.Facts.Refs {
		r := &s.Facts.Refs[i]
		if r.In >= 0 || r.Kind == facts.Imported || r.Line > len(lines) || seen[r.Line] || owner[r.Line-1] >= 0 {
			continue
		}
		seen[r.Line] = true
		all = append(all, codeLine{strings.TrimSpace(lines[r.Line-1]), r.Line})
	}
	return all
}

// Rebound are the symbols of a file behind an edit that use a name which an import gives, and
// gave before from elsewhere: they mean something else without being edited. line is that of
// the first such import.
func Rebound(before, after Side) (symbols []int, line int) {
	if before.Facts == nil || after.Facts == nil {
		return nil, 0
	}
	old, names := bindings(before.Facts), map[string]bool{}
	for _, m := range after.Facts.Imports {
		name := bound(m)
		if from, was := old[name]; was && !slices.Contains(from, m.Path+"\x00"+m.Name) {
			names[name] = true
			if line == 0 {
				line = m.Line
			}
		}
	}
	if len(names) == 0 {
		return nil, 0
	}
	for i := range after.Facts.Refs {
		r := &after.Facts.Refs[i]
		if r.In >= 0 && r.Of == facts.Nothing && names[r.Name] {
			symbols = append(symbols, r.In)
		}
	}
	slices.Sort(symbols)
	return slices.Compact(symbols), line
}

// bindings are what the imports of a file take, by the names that they give.
func bindings(f *facts.File) map[string][]string {
	all := map[string][]string{}
	for _, m := range f.Imports {
		if name := bound(m); name != "" {
			all[name] = append(all[name], m.Path+"\x00"+m.Name)
		}
	}
	return all
}

// bound is the name that an import gives, "" where the text does not say one.
func bound(m facts.Import) string {
	switch {
	case m.Local == "_" || m.Local == "." || m.Name == "*" && m.Local == "" || m.Local == facts.Augmented:
		return ""
	case m.Local != "":
		return m.Local
	case m.Name != "":
		return m.Name
	}
	return m.Path[strings.LastIndexAny(m.Path, "./:")+1:]
}
