package markup

import (
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
)

// maxPlain is the number of rules and variables up to which each is a symbol.
// Longer sheets list them in groups.
const maxPlain = 150

// groupLines is the number of lines of a group of rules.
const groupLines = 40

// grouped are the symbols of a sheet. Where there are more rules and variables
// than are worth a symbol each, those that follow each other make one, named
// like the first.
func (s *sheet) grouped() []parse.Symbol {
	plain := 0
	for _, sym := range s.symbols {
		if sym.plain {
			plain++
		}
	}
	var out []parse.Symbol
	group, names := -1, 0 // index of the open group in out, and the bytes of its names
	for _, sym := range s.symbols {
		if !sym.plain || plain <= maxPlain {
			out, group = append(out, sym.Symbol), -1
			continue
		}
		if group >= 0 && joins(&out[group], sym.Symbol) {
			names = join(&out[group], sym.Symbol, names)
			continue
		}
		group, names = len(out), len(sym.Name)
		out = append(out, sym.Symbol)
	}
	return out
}

// joins reports whether a group of rules or variables has room for one that
// follows, or holds it already.
func joins(s *parse.Symbol, next parse.Symbol) bool {
	if next.EndLine <= s.EndLine {
		return true
	}
	return s.Kind == next.Kind && (s.Kind == "const" || s.Parent == next.Parent) && next.EndLine-s.StartLine < groupLines
}

// join adds a rule to a group, and returns the bytes of the group's names.
func join(s *parse.Symbol, next parse.Symbol, names int) int {
	s.EndLine = max(s.EndLine, next.EndLine)
	if names+len(next.Name) > parse.MaxSignature-len(", …") {
		if names < parse.MaxSignature && !strings.HasSuffix(s.Signature, ", …") &&
			len(s.Signature) < parse.MaxSignature-len(", …") {
			s.Signature += ", …"
		}
		return parse.MaxSignature
	}
	if names == len(s.Name) { // the second of the group
		s.Signature, s.Doc = s.Name, ""
	}
	s.Signature += ", " + next.Name
	return names + len(", ") + len(next.Name)
}
