package scip

import "strings"

// A Suffix says what a part of a symbol is.
type Suffix byte

// The suffixes.
const (
	Namespace     Suffix = '/'
	TypeName      Suffix = '#'
	Term          Suffix = '.'
	Meta          Suffix = ':'
	MacroName     Suffix = '!'
	Method        Suffix = '('
	TypeParameter Suffix = '['
	Parameter     Suffix = ')'
)

// A Descriptor is one part of a symbol's qualified name.
type Descriptor struct {
	Name          string
	Disambiguator string // of a method
	Suffix        Suffix
}

// A Symbol is what an index calls something that may be known to other files.
type Symbol struct {
	Scheme, Manager, Package, Version string
	Descriptors                       []Descriptor
}

// String writes a symbol by the protocol's grammar.
func (s Symbol) String() string {
	var b strings.Builder
	for _, part := range []string{s.Scheme, s.Manager, s.Package, s.Version} {
		if part == "" {
			part = "."
		}
		b.WriteString(strings.ReplaceAll(part, " ", "  "))
		b.WriteByte(' ')
	}
	for _, d := range s.Descriptors {
		d.write(&b)
	}
	return b.String()
}

func (d Descriptor) write(b *strings.Builder) {
	name := d.Name
	if !isSimple(name) {
		name = "`" + strings.ReplaceAll(name, "`", "``") + "`"
	}
	switch d.Suffix {
	case Method:
		b.WriteString(name + "(" + d.Disambiguator + ").")
	case TypeParameter:
		b.WriteString("[" + name + "]")
	case Parameter:
		b.WriteString("(" + name + ")")
	default:
		b.WriteString(name)
		b.WriteByte(byte(d.Suffix))
	}
}

func isSimple(name string) bool {
	for i := range len(name) {
		if !isSimpleByte(name[i]) {
			return false
		}
	}
	return name != ""
}

func isSimpleByte(c byte) bool {
	return c == '_' || c == '+' || c == '-' || c == '$' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c &&
		c <= 'Z'
}

// IsLocal reports whether a symbol is known in its document only.
func IsLocal(symbol string) bool { return strings.HasPrefix(symbol, "local ") }

// Parse reads a symbol that is not local. It reports whether the grammar knows it.
func Parse(text string) (s Symbol, ok bool) {
	if IsLocal(text) {
		return s, false
	}
	for _, part := range []*string{&s.Scheme, &s.Manager, &s.Package, &s.Version} {
		if *part, text, ok = cutPart(text); !ok {
			return s, false
		}
		if *part == "." {
			*part = ""
		}
	}
	for text != "" {
		var d Descriptor
		if d, text, ok = cutDescriptor(text); !ok {
			return s, false
		}
		s.Descriptors = append(s.Descriptors, d)
	}
	return s, len(s.Descriptors) > 0
}

// cutPart cuts off what is before a space; two of them are one that is meant.
func cutPart(text string) (part, rest string, ok bool) {
	for i := 0; i < len(text); i++ {
		if text[i] != ' ' {
			continue
		}
		if i+1 < len(text) && text[i+1] == ' ' {
			i++
			continue
		}
		return strings.ReplaceAll(text[:i], "  ", " "), text[i+1:], true
	}
	return "", "", false
}

func cutDescriptor(text string) (d Descriptor, rest string, ok bool) {
	switch text[0] {
	case '[', '(':
		end := byte(0x5d)
		d.Suffix = TypeParameter
		if text[0] == '(' {
			end, d.Suffix = ')', Parameter
		}
		if d.Name, rest, ok = cutName(text[1:]); !ok || rest == "" || rest[0] != end {
			return d, "", false
		}
		return d, rest[1:], true
	}
	if d.Name, rest, ok = cutName(text); !ok || rest == "" {
		return d, "", false
	}
	d.Suffix, rest = Suffix(rest[0]), rest[1:]
	switch d.Suffix {
	case Namespace, TypeName, Term, Meta, MacroName:
		return d, rest, true
	case Method:
		d.Disambiguator, rest, ok = strings.Cut(rest, ").")
		return d, rest, ok
	}
	return d, "", false
}

// cutName cuts off an identifier, which is in backquotes if it is not simple.
func cutName(text string) (name, rest string, ok bool) {
	if !strings.HasPrefix(text, "`") {
		n := 0
		for n < len(text) && isSimpleByte(text[n]) {
			n++
		}
		return text[:n], text[n:], n > 0
	}
	for i := 1; i < len(text); i++ {
		if text[i] != '`' {
			continue
		}
		if i+1 < len(text) && text[i+1] == '`' {
			i++
			continue
		}
		return strings.ReplaceAll(text[1:i], "``", "`"), text[i+1:], i > 1
	}
	return "", "", false
}

// isModule reports whether a symbol is a file or a package, which other names
// stand for in imports.
func isModule(symbol string) bool {
	return strings.HasSuffix(symbol, string(Namespace)) || strings.HasSuffix(symbol, string(Meta))
}

// nameOf is the last name in a symbol, "" if there is none.
func nameOf(symbol string) string {
	s, ok := Parse(symbol)
	if !ok {
		return ""
	}
	return s.Descriptors[len(s.Descriptors)-1].Name
}
