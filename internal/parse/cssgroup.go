package parse

import "strings"

// maxPlain is the number of rules and variables up to which each is a symbol.
// Longer sheets list them in groups.
const maxPlain = 150

// groupLines is the number of lines of a group of rules.
const groupLines = 40

// grouped are the symbols of a sheet. Where there are more rules and variables
// than are worth a symbol each, those that follow each other make one, named
// like the first.
func (s *sheet) grouped() []Symbol {
	plain := 0
	for _, sym := range s.symbols {
		if sym.plain {
			plain++
		}
	}
	var out []Symbol
	group, names := -1, 0 // index of the open group in out, and the bytes of its names
	for _, sym := range s.symbols {
		if !sym.plain || plain <= maxPlain {
			out, group = append(out, sym.Symbol), -1
			continue
		}
		if group >= 0 && out[group].joins(sym.Symbol) {
			names = out[group].join(sym.Symbol, names)
			continue
		}
		group, names = len(out), len(sym.Name)
		out = append(out, sym.Symbol)
	}
	return out
}

// joins reports whether a group of rules or variables has room for one that
// follows, or holds it already.
func (s *Symbol) joins(next Symbol) bool {
	if next.EndLine <= s.EndLine {
		return true
	}
	return s.Kind == next.Kind && (s.Kind == "const" || s.Parent == next.Parent) && next.EndLine-s.StartLine < groupLines
}

// join adds a rule to a group, and returns the bytes of the group's names.
func (s *Symbol) join(next Symbol, names int) int {
	s.EndLine = max(s.EndLine, next.EndLine)
	if names+len(next.Name) > maxSignature-len(", …") {
		if names < maxSignature && !strings.HasSuffix(s.Signature, ", …") && len(s.Signature) < maxSignature-len(", …") {
			s.Signature += ", …"
		}
		return maxSignature
	}
	if names == len(s.Name) { // the second of the group
		s.Signature, s.Doc = s.Name, ""
	}
	s.Signature += ", " + next.Name
	return names + len(", ") + len(next.Name)
}
